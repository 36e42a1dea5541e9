/* The board, seen by each player from above: view 0 as it is, view 1 mirrored on the diagonal, so
   that either player goes from the top row to the bottom row of the own view.  Columns and rows
   count from 0; around the board lies a margin in which nothing stands and nothing is allowed. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 36, MARGIN = 8, SIDE = MOST + 2 * MARGIN, CELLS = MOST * MOST };
enum { FREE, OWN, ENEMY };

/* Knight's moves in the order in which groups are walked; d and d + 4 are opposite. */
static const int DX[8] = {-1, -2, -2, -1, 1, 2, 2, 1};
static const int DY[8] = {-2, -1, 1, 2, 2, 1, -1, -2};
static const int MIRRORED[8] = {1, 0, 7, 6, 5, 4, 3, 2};
#define OPPOSITE(d) (((d) + 4) & 7)

typedef struct {
    int width, height;
    signed char peg[SIDE][SIDE];         /* FREE, OWN or ENEMY of the one who looks */
    unsigned char links[SIDE][SIDE];     /* a bit for each direction in which a link is set */
    signed char crossed[SIDE][SIDE][8];  /* how many set links cross the link from here that way */
    int count;                           /* own pegs, in the order in which they were put */
    signed char x[CELLS], y[CELLS];
} View;

static View view[2];
static int total;           /* pegs on the board */
static int last_x, last_y;  /* the last peg of the game, as it stands on the board */

typedef struct { signed char dx, dy, d; } Crossing;
static Crossing crossing[8][40];
static int crossings[8];

#define PEG(v, x, y) ((v)->peg[(x) + MARGIN][(y) + MARGIN])
#define LINKS(v, x, y) ((v)->links[(x) + MARGIN][(y) + MARGIN])
#define CROSSED(v, x, y, d) ((v)->crossed[(x) + MARGIN][(y) + MARGIN][d])

static int side_of(int ax, int ay, int bx, int by, int px, int py) {
    return (bx - ax) * (py - ay) - (by - ay) * (px - ax);
}

static bool segments_cross(int a, int dx, int dy, int b) {
    int ax = DX[a], ay = DY[a], bx = dx + DX[b], by = dy + DY[b];
    int s = side_of(0, 0, ax, ay, dx, dy), t = side_of(0, 0, ax, ay, bx, by);
    int u = side_of(dx, dy, bx, by, 0, 0), w = side_of(dx, dy, bx, by, ax, ay);
    return ((s < 0 && t > 0) || (s > 0 && t < 0)) && ((u < 0 && w > 0) || (u > 0 && w < 0));
}

/* Which links cross a link, once for each of their two ends. */
static void prepare_crossings(void) {
    for (int a = 0; a < 8; a++)
        for (int dx = -4; dx <= 4; dx++)
            for (int dy = -4; dy <= 4; dy++)
                for (int b = 0; b < 8; b++)
                    if (segments_cross(a, dx, dy, b))
                        crossing[a][crossings[a]++] = (Crossing){dx, dy, b};
}

static void count_link(View *v, int x, int y, int d, int more) {
    LINKS(v, x, y) ^= 1 << d;
    LINKS(v, x + DX[d], y + DY[d]) ^= 1 << OPPOSITE(d);
    for (int i = 0; i < crossings[d]; i++) {
        Crossing c = crossing[d][i];
        CROSSED(v, x + c.dx, y + c.dy, c.d) += more;
    }
}

static void count_both(int x, int y, int d, int more) {
    count_link(&view[0], x, y, d, more);
    count_link(&view[1], y, x, MIRRORED[d], more);
}

static void reset(int width, int height) {
    memset(view, 0, sizeof view);
    view[0].width = view[1].height = width;
    view[0].height = view[1].width = height;
    total = 0;
}

/* Puts a peg of *side* at a hole of the real board, with its links. */
static void put(int side, int x, int y) {
    PEG(&view[0], x, y) = side ? ENEMY : OWN;
    PEG(&view[1], y, x) = side ? OWN : ENEMY;
    View *v = &view[side];
    v->x[v->count] = side ? y : x;
    v->y[v->count++] = side ? x : y;
    total++;
    signed char mine = PEG(&view[0], x, y);
    for (int d = 0; d < 8; d++)
        if (PEG(&view[0], x + DX[d], y + DY[d]) == mine && !CROSSED(&view[0], x, y, d))
            count_both(x, y, d, 1);
}

/* Takes back the last peg of *side*, which was put at this hole. */
static void take(int side, int x, int y) {
    for (int d = 0; d < 8; d++)
        if (LINKS(&view[0], x, y) >> d & 1) count_both(x, y, d, -1);
    PEG(&view[0], x, y) = PEG(&view[1], y, x) = FREE;
    view[side].count--;
    total--;
}

/* Whether the one who looks may put a peg there. */
static bool legal(const View *v, int x, int y) {
    return x >= 1 && x <= v->width - 2 && y >= 0 && y < v->height && PEG(v, x, y) == FREE;
}

/* Whether a link from there could be set: it is not, and nothing crosses it. */
static bool open_link(const View *v, int x, int y, int d) {
    return !(LINKS(v, x, y) >> d & 1) && !CROSSED(v, x, y, d);
}
