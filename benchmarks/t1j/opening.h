/* First pegs by T1j's rules; all holes as they stand on the board. */

static bool pie;

static int chance(int from, int to) { return from + rand() % (to - from + 1); }

static bool free_for(int side, Hole h) { return legal(&view[side], side ? h.y : h.x, side ? h.x : h.y); }

static Hole first_peg(void) {
    static const int FAIR[7][2] = {{2, 10}, {3, 4}, {3, 5}, {3, 6}, {4, 3}, {5, 3}, {6, 3}};
    int width = view[0].width, height = view[0].height;
    if (!pie)
        return (Hole){width / 2 + chance(-width / 8, width / 8), height / 2 + chance(-height / 8, height / 8)};
    const int *fair = FAIR[chance(0, 6)];
    int x = fair[0] - 1, y = fair[1] - 1;
    if (y >= height / 2) y = height / 4;
    return (Hole){chance(0, 1) ? width - 1 - x : x, chance(0, 1) ? height - 1 - y : y};
}

/* A peg of *side*, in the view of that side. */
static Hole peg_of(int side, int number) {
    Hole h = {view[side].x[number], view[side].y[number]};
    return h;
}

static bool within(Hole a, Hole b, int most) { return abs(a.x - b.x) <= most && abs(a.y - b.y) <= most; }

static Hole to_board(int side, Hole h) { return side ? (Hole){h.y, h.x} : h; }

/* In the way of the enemy's last peg, seen as the enemy sees the board. */
static bool in_the_way(int side, Hole *found) {
    const View *v = &view[1 - side];
    Hole peg = peg_of(1 - side, v->count - 1), h = peg;
    int border = peg.y * 2 < v->height ? v->height - 1 : 0;
    h.y = (peg.y + border) / 2 + chance(-1, 1);
    if (h.x < 6) h.x += chance(2, 3);
    if (h.x > v->width - 7) h.x -= chance(2, 3);
    if (view[side].count && within(to_board(1 - side, h), to_board(side, peg_of(side, 0)), 2))
        h.x += h.x * 2 < v->width ? 5 : -5;
    if (total == 3 && within(h, peg_of(1 - side, 0), 2)) return false;
    *found = to_board(1 - side, h);
    return free_for(side, *found);
}

static int lonely(const View *v, Hole h, int but) {
    int best = 1000;
    for (int x = 0; x < v->width; x++)
        for (int y = 0; y < v->height; y++)
            if (PEG(v, x, y) != FREE && !(v->x[but] == x && v->y[but] == y)) {
                int far = abs(x - h.x) + abs(y - h.y);
                if (far < best) best = far;
            }
    return best;
}

/* Four holes in front of the enemy peg whose answer is farthest from all other pegs. */
static bool in_front(int side, Hole *found) {
    const View *v = &view[1 - side];
    int best = 3;
    for (int i = 0; i < v->count; i++) {
        Hole peg = peg_of(1 - side, i), h = peg;
        if (peg.x < 4 || peg.y < 4 || peg.x > v->width - 5 || peg.y > v->height - 5) continue;
        h.y += peg.y * 2 < v->height ? 4 : -4;
        int far = lonely(v, h, i);
        if (far <= best || !free_for(side, to_board(1 - side, h))) continue;
        best = far;
        *found = to_board(1 - side, h);
    }
    return best > 3;
}

static int ruled = 6;  /* pegs that are set by rules */

static bool by_rule(int side, Hole *found) {
    if (total >= ruled) return false;
    if (total == 0) {
        *found = first_peg();
        return free_for(side, *found);
    }
    if (total < 4) return in_the_way(side, found);
    return total < 6 && in_front(side, found);
}

/* Whether a first peg is taken over: it stands at least three holes from every edge. */
static bool takes_over(void) {
    Hole h = peg_of(0, 0);
    return h.x >= 3 && h.y >= 3 && h.x <= view[0].width - 4 && h.y <= view[0].height - 4;
}
