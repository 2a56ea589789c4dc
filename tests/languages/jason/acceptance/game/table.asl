points(rock, paper, 0, 4).
points(paper, rock, 4, 0).
points(rock, rock, 3, 3).
points(paper, paper, 1, 1).
