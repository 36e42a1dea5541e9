/* What a side still has to go, as T1j counts it: tenths of a row. */

enum { BLOCKED = 990, ROW = 10, NOWHERE = -1, BORDER = -2 };

typedef struct { int x, y, peg; } Father;  /* peg: an index, BORDER or NOWHERE; x, y: where it stands */

typedef struct {
    int side;
    bool next;                    /* whether this side moves next */
    int group[CELLS], value[CELLS];
    bool took[CELLS];             /* the peg once gave its group a better value */
    Father father[CELLS];
    int index[SIDE][SIDE];
} Count;

static const int UP[4] = {0, 7, 1, 6};  /* (-1,-2) (+1,-2) (-2,-1) (+2,-1) */

static bool flat_between(const View *v, int x, int y) {
    return (LINKS(v, x - 1, y - 1) >> 5 & 1) || (LINKS(v, x - 1, y) >> 6 & 1);
}

static Father father_of(const Count *c, int x, int y) {
    const View *v = &view[c->side];
    for (int row = y; row > 0; row--) {
        for (int i = 0; i < 4; i++) {
            int px = x + DX[UP[i]], py = row + DY[UP[i]];
            if (PEG(v, px, py) == OWN && open_link(v, x, row, UP[i]))
                return (Father){px, py, c->index[px + MARGIN][py + MARGIN]};
        }
        if (flat_between(v, x, row) || PEG(v, x, row - 1) == ENEMY) return (Father){x, row, NOWHERE};
        if (PEG(v, x, row - 1) == OWN) return (Father){x, row - 1, c->index[x + MARGIN][row - 1 + MARGIN]};
    }
    return (Father){x, 0, BORDER};
}

static int distance(const Count *c, int x, int y, Father *father) {
    const View *v = &view[c->side];
    *father = (Father){x, y, NOWHERE};
    if (x < 1 || x > v->width - 2 || y < 0) return BLOCKED;
    *father = father_of(c, x, y);
    if (father->peg == NOWHERE) return BLOCKED;
    int aside = abs(father->x - x);
    int worth = father->peg == BORDER ? 0 : c->value[c->group[father->peg]];
    return ROW * (y - father->y) + worth + (aside == 1 ? 1 : aside == 2 ? 3 : 0);
}

/* Whether a linked enemy peg stands right ahead, where its links bar the way; *a* is -1 upwards. */
static bool barred(const View *v, int x, int y, int a) {
    static const int NEAR[4][2] = {{0, 1}, {0, 2}, {-1, 1}, {1, 1}};
    int onwards = a < 0 ? 1 << 0 | 1 << 7 : 1 << 3 | 1 << 4;
    int back_flat = a < 0 ? 1 << 2 | 1 << 5 : 1 << 1 | 1 << 6;
    for (int i = 0; i < 4; i++) {
        int px = x + NEAR[i][0], py = y + a * NEAR[i][1];
        if (PEG(v, px, py) == ENEMY && (LINKS(v, px, py) & ~onwards)) return true;
    }
    for (int k = 3; k <= 4; k++)
        if (PEG(v, x, y + a * k) == ENEMY && (LINKS(v, x, y + a * k) & back_flat)) return true;
    return false;
}

/* The direction of the link (dx, dy). */
static int way(int dx, int dy) {
    for (int d = 0; d < 8; d++)
        if (DX[d] == dx && DY[d] == dy) return d;
    abort();
}

static bool linked(const View *v, int x, int y, int dx, int dy) {
    return LINKS(v, x, y) >> way(dx, dy) & 1;
}

/* Whether the enemy wins the race along the diagonals to the corner on side *s* (-1 left). */
static bool race_lost(const View *v, int x, int y, int a, int s, bool enemy_next) {
    int aside = s < 0 ? x - 1 : v->width - 2 - x;
    int ahead = a < 0 ? y - 1 : v->height - 2 - y;
    if (aside < 2 * ahead && PEG(v, x - s, y) == ENEMY) {
        if (linked(v, x - s, y, 2 * s, a)) return true;
        if (enemy_next && linked(v, x - s, y, -2 * s, -a)) return true;
    }
    if (2 * aside < ahead && PEG(v, x - s, y - a) == ENEMY) {
        if (linked(v, x - s, y - a, s, 2 * a)) return true;
        if (enemy_next && linked(v, x - s, y - a, -s, -2 * a) &&
            open_link(v, x - s, y - a, way(s, 2 * a)))
            return true;
    }
    return false;
}

/* Whether the way from this peg straight to the border (*a* -1: above) is believed. */
static bool believed(const Count *c, int x, int y, int a) {
    const View *v = &view[c->side];
    if (!c->next && barred(v, x, y, a)) return false;
    return !race_lost(v, x, y, a, -1, !c->next) && !race_lost(v, x, y, a, 1, !c->next);
}

/* The cheapest way around by a peg that could still be put and linked; no way is BLOCKED. */
static int detour(const Count *c, int x, int y, Father *father) {
    const View *v = &view[c->side];
    int best = BLOCKED;
    for (int i = 0; i < 4; i++) {
        int px = x + DX[UP[i]], py = y + DY[UP[i]];
        Father other;
        if (!legal(v, px, py) || !open_link(v, x, y, UP[i])) continue;
        int cost = distance(c, px, py, &other) + (i < 2 ? 21 : 13);
        if (cost >= best) continue;
        best = cost;
        *father = other;
        if (i == 2) break;
    }
    return best;
}

static void value_peg(Count *c, int peg) {
    const View *v = &view[c->side];
    int x = v->x[peg], y = v->y[peg];
    Father father;
    int value = distance(c, x, y, &father);
    if (father.peg == NOWHERE) value = detour(c, x, y, &father);
    if (value >= c->value[c->group[peg]]) return;
    if (father.y == 0 && y > 0) {
        if (abs(father.x - x) >= 2 && !c->next) return;
        if (!believed(c, x, y, -1)) return;
    }
    c->value[c->group[peg]] = value;
    c->took[peg] = true;
    c->father[peg] = father;
}

static void spread(Count *c, int peg, int group) {
    const View *v = &view[c->side];
    c->group[peg] = group;
    for (int d = 0; d < 8; d++)
        if (LINKS(v, v->x[peg], v->y[peg]) >> d & 1) {
            int other = c->index[v->x[peg] + DX[d] + MARGIN][v->y[peg] + DY[d] + MARGIN];
            if (c->group[other] < 0) spread(c, other, group);
        }
}

static void count_pegs(Count *c, int side, bool next) {
    const View *v = &view[side];
    int head[MOST], after[CELLS];
    c->side = side;
    c->next = next;
    for (int y = 0; y < v->height; y++) head[y] = -1;
    for (int i = v->count - 1; i >= 0; i--) {
        c->index[v->x[i] + MARGIN][v->y[i] + MARGIN] = i;
        c->group[i] = -1;
        c->value[i] = BLOCKED;
        c->took[i] = false;
        after[i] = head[v->y[i]];
        head[v->y[i]] = i;
    }
    for (int i = 0; i < v->count; i++)
        if (c->group[i] < 0) spread(c, i, i);
    for (int y = 0; y < v->height; y++)
        for (int i = head[y]; i >= 0; i = after[i]) value_peg(c, i);
}

static bool enemy_ahead(const View *v, int x, int y) {
    for (int k = 1; k <= 4; k++)
        if (PEG(v, x, y + k) == ENEMY) return true;
    return false;
}

/* Whether a hole of the last row is believed to be reached from its father. */
static bool reached(const Count *c, int x, Father father) {
    const View *v = &view[c->side];
    int aside = abs(father.x - x);
    if (aside == 2 && !c->next) return false;
    if (aside && father.y <= v->width - 6 && !enemy_ahead(v, aside == 1 ? father.x : (x + father.x) / 2, father.y))
        return false;
    return believed(c, father.x, father.y, 1);
}

/* The value of an end in the last row, and the own peg (or NOWHERE) from which it is reached. */
static int end_value(const Count *c, int x, Father *father) {
    const View *v = &view[c->side];
    int y = v->height - 1;
    if (PEG(v, x, y) == OWN) {
        int peg = c->index[x + MARGIN][y + MARGIN];
        *father = (Father){x, y, peg};
        return c->value[c->group[peg]];
    }
    if (PEG(v, x, y) == ENEMY) return BLOCKED;
    int value = distance(c, x, y, father);
    return father->peg >= 0 && father->y > 0 && reached(c, x, *father) ? value : BLOCKED;
}

static int side_value(Count *c) {
    int best = BLOCKED;
    for (int x = 1; x <= view[c->side].width - 2; x++) {
        Father father;
        int value = end_value(c, x, &father);
        if (value < best) best = value;
    }
    return best;
}

static int value_of(int side, bool next) {
    static Count c;
    count_pegs(&c, side, next);
    return side_value(&c);
}

/* Reference points: a hole of the side's view and whether it looks up. */
typedef struct { int x, y; bool up; } Point;

static int leaving(const Count *c, int peg, bool *seen) {
    const View *v = &view[c->side];
    if (c->took[peg]) return peg;
    seen[peg] = true;
    for (int d = 0; d < 8; d++)
        if (LINKS(v, v->x[peg], v->y[peg]) >> d & 1) {
            int other = c->index[v->x[peg] + DX[d] + MARGIN][v->y[peg] + DY[d] + MARGIN];
            int found = seen[other] ? NOWHERE : leaving(c, other, seen);
            if (found >= 0) return found;
        }
    return NOWHERE;
}

static void add_point(Point *points, int *count, int x, int y, bool up) {
    for (int i = 0; i < *count; i++)
        if (points[i].x == x && points[i].y == y && points[i].up == up) return;
    points[(*count)++] = (Point){x, y, up};
}

/* Goes up from the peg by which an end is reached. */
static void climb(const Count *c, int peg, Point *points, int *count) {
    const View *v = &view[c->side];
    bool first = true;
    for (int steps = 0; peg >= 0 && steps < CELLS; steps++) {
        bool seen[CELLS] = {false};
        if (!(first && v->y[peg] == v->height - 1)) add_point(points, count, v->x[peg], v->y[peg], false);
        first = false;
        if (v->y[peg] == 0) return;
        int top = leaving(c, peg, seen);
        if (top < 0) return;
        if (v->y[top] == 0) return;
        add_point(points, count, v->x[top], v->y[top], true);
        peg = c->father[top].peg;
    }
}

static int points_of(int side, Point *points) {
    static Count c;
    int count = 0, fathers = 0, used[MOST];
    count_pegs(&c, side, true);
    int best = side_value(&c);
    if (best >= BLOCKED) return 0;
    for (int x = 1; x <= view[side].width - 2; x++) {
        Father father;
        int value = end_value(&c, x, &father);
        if (value >= BLOCKED || value / ROW != best / ROW || father.peg < 0) continue;
        bool old = false;
        for (int i = 0; i < fathers; i++) old |= used[i] == father.peg;
        if (old) continue;
        used[fathers++] = father.peg;
        climb(&c, father.peg, points, &count);
    }
    return count;
}
