night.
!start.
+!start <- .list_plans; !inside.

{ begin ebdg(inside) }
+!inside : night <- knock.
+!inside         <- climb.
{ end }
