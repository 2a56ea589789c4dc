"""Reading ``NAME.volition``, the file beside ``NAME.mas2j`` (or a single ``NAME.asl``) that says what Jason's files do not say.

A ``.mas2j`` stays as Jason reads it.  What a verifier needs beyond that stands here, one statement in a line, all of it optional::

    world = house.world                 // the environment: docs/world.md; or a Python class: world = house.py:House
    parameter beers = 3                 // a parameter of the world

    cycle = exact                       // exact | parts | whole
    results = late                      // late | after perception
    percept_order = world               // world | any
    time = free                         // free | ordered
    M_Bel = 20                          // bounds: M_Bel M_Ev M_Int M_Act M_Msg
    robot.M_Int = 4                     // for one agent

    clock = 2026-03-01 12:00:00         // what .date and .time show
    random = [0, 0.25, 0.5]             // what .random(X) may give; math.random(N) gives N times as much

    internal my.plot = nothing                              // succeeds with any arguments and does nothing
    internal my.price(beer, 3)                              // a table: one line for each row, all without a full stop
    internal my.price(water, 1)
    internal jia.dist(X, Y, D) :- D = math.abs(X - Y)       // a function: a rule as in .asl files
    internal my.random(X, N) = choice X in 0 .. N-1         // X is one of these numbers, and nobody knows which
    internal my.colour(C) = choice C in [red, green]        // one of a list
    internal my.pick(X) = choice candidate(X) & not old(X)  // any solution of a formula

    ignore class arch.Watcher           // an agentClass, agentArchClass or beliefBaseClass that changes nothing

    properties

    // RESULT: true
    "thirst": F Bel(owner, has(owner, beer))

Options, bounds and parameters can be given from outside as well (``--set time=ordered``, ``--set robot.M_Int=4``), and win over the file.
"""
