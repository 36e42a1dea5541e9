/* Candidates and the search of T1j. */

#include <time.h>

typedef struct { signed char x, y; } Hole;  /* as it stands on the board */

typedef struct {
    int count;
    Hole hole[CELLS];
} Holes;

static long nodes;
static int root_side, full_depth = 5;
static int defended = 8;  /* pegs up to which only the opponent's distance counts */
static bool defend_first;
static long raised[2][MOST][MOST];  /* how often a hole raised a bound, for each player */

static void propose(Holes *holes, int mover, const View *seen_by, int x, int y) {
    Hole hole = seen_by == &view[0] ? (Hole){x, y} : (Hole){y, x};
    if (x < 0 || y < 0 || x >= seen_by->width || y >= seen_by->height) return;
    if (!legal(&view[mover], mover ? hole.y : hole.x, mover ? hole.x : hole.y)) return;
    for (int i = 0; i < holes->count; i++)
        if (holes->hole[i].x == hole.x && holes->hole[i].y == hole.y) return;
    holes->hole[holes->count++] = hole;
}

static void propose_patterns(Holes *holes, int mover, Frame *f) {
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        for (int i = 0; i < patterns; i++) {
            if (pattern[i].attack != f->attack || (mirrored && pattern[i].symmetric)) continue;
            if (fires(f, &pattern[i]))
                propose(holes, mover, f->v, frame_x(f, pattern[i].set_x), frame_y(f, pattern[i].set_y));
        }
        f->left = -f->left;
    }
}

/* The two links ahead, each steep if possible and else flat. */
static void propose_links(Holes *holes, int mover, const View *v, Point p) {
    int ahead = p.up ? -1 : 1;
    for (int s = -1; s <= 1; s += 2) {
        for (int flat = 0; flat < 2; flat++) {
            int dx = s * (flat ? 2 : 1), dy = ahead * (flat ? 1 : 2);
            if (legal(v, p.x + dx, p.y + dy) && open_link(v, p.x, p.y, way(dx, dy))) {
                propose(holes, mover, v, p.x + dx, p.y + dy);
                break;
            }
        }
    }
}

static void propose_block(Holes *holes, int mover, const View *v, Point p) {
    int middle = view[0].height / 2;
    int x = p.x > middle + 3 ? p.x - 1 : p.x < middle - 3 ? p.x + 1 : p.x;
    propose(holes, mover, v, x, p.y + (p.up ? -4 : 4));
}

static void candidates(int mover, Holes *holes) {
    Point points[2 * CELLS];
    holes->count = 0;
    for (int who = 0; who < 2; who++) {
        int side = who ? 1 - mover : mover, count = points_of(side, points);
        const View *v = &view[side];
        if (!who && !count) {
            count = 2;
            points[0] = (Point){last_x, last_y, true};
            points[1] = (Point){last_x, last_y, false};
        }
        for (int i = 0; i < count; i++) {
            Frame f = {v, points[i].x, points[i].y, points[i].up ? -1 : 1, points[i].up ? -1 : 1, !who};
            if (who)
                propose_block(holes, mover, v, points[i]);
            else
                propose_links(holes, mover, v, points[i]);
            propose_patterns(holes, mover, &f);
        }
    }
}

/* Any hole stands in where nothing is proposed. */
static void anything(int mover, Holes *holes) {
    int cells = view[0].width * view[0].height, first = rand() % cells;
    for (int i = 0; i < cells && !holes->count; i++) {
        int at = (first + i * 7919) % cells;  /* a large prime: every cell comes once */
        propose(holes, mover, &view[0], at % view[0].width, at / view[0].width);
    }
}

static int value_for(int side, int next) {
    if (counts_missing) return missing_value(side);
    int other = value_of(1 - side, next != side), own = value_of(side, next == side);
    if (!defend_first) return other - own;
    return side == root_side ? other : -own;
}

static bool through(int side) {
    static Count c;
    count_pegs(&c, side, true);
    const View *v = &view[side];
    bool top[CELLS] = {false};
    for (int i = 0; i < v->count; i++)
        if (v->y[i] == 0) top[c.group[i]] = true;
    for (int i = 0; i < v->count; i++)
        if (v->y[i] == v->height - 1 && top[c.group[i]]) return true;
    return false;
}

/* Pegs near which a position is kept: the search knows leaves that it has met by their pegs. */
enum { KEPT = 1 << 18 };
static struct { unsigned long key; int value; } kept[KEPT];
static unsigned long peg_key[2][MOST][MOST], position_key;

static void prepare_keys(void) {
    unsigned long s = 88172645463325252UL;
    for (int i = 0; i < 2 * MOST * MOST; i++) {
        s ^= s << 13, s ^= s >> 7, s ^= s << 17;
        peg_key[i / (MOST * MOST)][i / MOST % MOST][i % MOST] = s;
    }
}

static void move(int side, Hole h) {
    put(side, h.x, h.y);
    position_key ^= peg_key[side][(int)h.x][(int)h.y];
}

static void unmove(int side, Hole h) {
    take(side, h.x, h.y);
    position_key ^= peg_key[side][(int)h.x][(int)h.y];
}

static int leaf(int side) {
    unsigned long key = position_key ^ (side ? 0x9E3779B97F4A7C15UL : 0);
    if (kept[key % KEPT].key == key) return kept[key % KEPT].value;
    int value = value_for(side, side);
    kept[key % KEPT].key = key;
    kept[key % KEPT].value = value;
    return value;
}

static void order(int side, Holes *h) {
    for (int i = 1; i < h->count; i++)
        for (int j = i; j > 0 && raised[side][(int)h->hole[j].x][(int)h->hole[j].y] >
                                   raised[side][(int)h->hole[j - 1].x][(int)h->hole[j - 1].y]; j--) {
            Hole kept_hole = h->hole[j];
            h->hole[j] = h->hole[j - 1];
            h->hole[j - 1] = kept_hole;
        }
}

static int alphabeta(int side, int left, int alpha, int beta) {
    nodes++;
    if (through(1 - side)) return -(1000 + left);
    if (!left) return leaf(side);
    Holes h;
    candidates(side, &h);
    if (!h.count) anything(side, &h);
    if (!h.count) return leaf(side);
    order(side, &h);
    for (int i = 0; i < h.count; i++) {
        move(side, h.hole[i]);
        int value = -alphabeta(1 - side, left - 1, -beta, -alpha);
        unmove(side, h.hole[i]);
        if (value <= alpha) continue;
        alpha = value;
        raised[side][(int)h.hole[i].x][(int)h.hole[i].y]++;
        if (alpha >= beta) break;
    }
    return alpha;
}

enum { WIDEST = 100000 };

/* One iteration over the root's moves, best first; the first gives each its exact value. */
static int iterate(int side, int depth, Holes *h, int *value) {
    int best = 0, alpha = -WIDEST;
    for (int i = 0; i < h->count; i++) {
        move(side, h->hole[i]);
        value[i] = -alphabeta(1 - side, depth - 1, -WIDEST, depth > 3 ? -alpha : WIDEST);
        unmove(side, h->hole[i]);
        if (value[i] > value[best]) best = i;
        if (value[i] > alpha) alpha = value[i];
    }
    return best;
}

static void sort_by_value(Holes *h, int *value) {
    for (int i = 1; i < h->count; i++)
        for (int j = i; j > 0 && value[j] > value[j - 1]; j--) {
            Hole hole = h->hole[j];
            int v = value[j];
            h->hole[j] = h->hole[j - 1], value[j] = value[j - 1];
            h->hole[j - 1] = hole, value[j - 1] = v;
        }
}

static Hole search(int side, int *found) {
    static int value[CELLS];
    Holes h;
    memset(raised, 0, sizeof raised);
    memset(kept, 0, sizeof kept);
    root_side = side;
    defend_first = total < defended;
    candidates(side, &h);
    if (!h.count) anything(side, &h);
    int best = 0;
    for (int depth = 3; depth <= full_depth; depth += 2) {
        best = iterate(side, depth, &h, value);
        *found = value[best];
        if (depth < full_depth) sort_by_value(&h, value), best = 0;
    }
    return h.hole[best];
}
