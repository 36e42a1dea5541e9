/* Another value for T1j's search: how many pegs each side still misses for a chain from border to
   border, by links that nothing crosses.  `--missing PEG,SPOILT,WATCHED,SETUP,TEMPO` gives what a
   peg costs, what it costs more in a hole within a king's or a knight's move of an enemy peg, more
   in one that is watched from further off, what a gap costs that either of two pegs closes (-1: as
   many pegs as it lacks), and what it is worth to move next. */

enum { FAR = 400 };  /* a chain that costs more is none */

static bool counts_missing;
static int peg_cost = 8, spoilt_cost = 3, watched_cost, setup_cost = -1, tempo = 4;

typedef struct {
    const View *v;
    int hole[MOST][MOST];  /* what it costs to come here: 0 an own peg, -1 not possible */
    int cost[MOST][MOST];  /* the cheapest chain to here */
    int waiting[FAR][CELLS], count[FAR];
} Chain;

static bool is_near(int dx, int dy) { return (dx <= 1 && dy <= 1) || dx * dy == 2; }

/* Two steps away: what two knight's moves reach, and the square of 5 by 5. */
static bool is_watched(int dx, int dy) {
    return (dx <= 2 && dy <= 2) || dx + 3 * dy <= 6 || 3 * dx + dy <= 6 || (dx == 3 && dy == 3) || dx * dy == 8;
}

static void spoil(Chain *c, int x, int y) {
    for (int dx = -4; dx <= 4; dx++)
        for (int dy = -4; dy <= 4; dy++) {
            int price = is_near(abs(dx), abs(dy)) ? spoilt_cost : is_watched(abs(dx), abs(dy)) ? watched_cost : 0;
            if (!legal(c->v, x + dx, y + dy)) continue;
            int *hole = &c->hole[x + dx][y + dy];
            if (*hole < peg_cost + price) *hole = peg_cost + price;
        }
}

static void price_holes(Chain *c, int side) {
    const View *v = c->v = &view[side], *enemy = &view[1 - side];
    for (int x = 0; x < v->width; x++)
        for (int y = 0; y < v->height; y++)
            c->hole[x][y] = legal(v, x, y) ? peg_cost : PEG(v, x, y) == OWN ? 0 : -1;
    for (int i = 0; i < enemy->count; i++) spoil(c, enemy->y[i], enemy->x[i]);
}

static void wait_at(Chain *c, int x, int y, int cost) {
    if (cost >= FAR || cost >= c->cost[x][y]) return;
    c->cost[x][y] = cost;
    c->waiting[cost][c->count[cost]++] = x * MOST + y;
}

static bool goes(const Chain *c, int x, int y, int d) {
    int a = x + DX[d], b = y + DY[d];
    if (a < 0 || b < 0 || a >= c->v->width || b >= c->v->height || c->hole[a][b] < 0) return false;
    return LINKS(c->v, x, y) >> d & 1 || !CROSSED(c->v, x, y, d);
}

/* Own pegs that either of two holes would join to this one. */
static void take_setups(Chain *c, int x, int y) {
    int ways[9][9] = {{0}};
    for (int d = 0; d < 8; d++) {
        int a = x + DX[d], b = y + DY[d];
        if (!goes(c, x, y, d) || !c->hole[a][b]) continue;
        for (int e = 0; e < 8; e++) {
            int p = a + DX[e], q = b + DY[e];
            if (goes(c, a, b, e) && !c->hole[p][q] && ++ways[p - x + 4][q - y + 4] == 2)
                wait_at(c, p, q, c->cost[x][y] + setup_cost);
        }
    }
}

static int missing(int side) {
    static Chain c;
    price_holes(&c, side);
    memset(c.count, 0, sizeof c.count);
    for (int i = 0; i < MOST * MOST; i++) c.cost[i / MOST][i % MOST] = FAR;
    for (int x = 1; x < c.v->width - 1; x++)
        if (c.hole[x][0] >= 0) wait_at(&c, x, 0, c.hole[x][0]);
    for (int cost = 0; cost < FAR; cost++)
        for (int i = 0; i < c.count[cost]; i++) {
            int x = c.waiting[cost][i] / MOST, y = c.waiting[cost][i] % MOST;
            if (c.cost[x][y] != cost) continue;
            if (y == c.v->height - 1) return cost;
            for (int d = 0; d < 8; d++)
                if (goes(&c, x, y, d)) wait_at(&c, x + DX[d], y + DY[d], cost + c.hole[x + DX[d]][y + DY[d]]);
            if (setup_cost >= 0 && !c.hole[x][y]) take_setups(&c, x, y);
        }
    return FAR;
}

/* In points of which 10 are a row, and below a win. */
static int missing_value(int side) {
    int value = 4 * (missing(1 - side) - missing(side)) + tempo;
    return value > BLOCKED ? BLOCKED : value < -BLOCKED ? -BLOCKED : value;
}
