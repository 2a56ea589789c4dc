total(0).
{ include("table.asl") }
!enter.
+!enter <- .my_name(Me); .send(referee, tell, player(Me)).

@gets[atomic]
+gets(R, Points)[source(referee)]
   :  meets(R, Other)
   <- ?total(Before);
      -+total(Before + Points);
      -meets(R, Other)[source(_)];
      -gets(R, Points)[source(_)];
      ?points(_, Shown, Points, _);
      !remember(R, Other, Shown);
      chart.draw(R, Before + Points).
