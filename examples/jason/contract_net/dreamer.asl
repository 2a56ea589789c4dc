+call(Task) <- .print("one of these days, ", Task).
