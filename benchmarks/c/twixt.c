#include "common.h"
// TwixT S x S (corners removed), auto-link, links never cross any link (own or opp), no link
// removal, no swap, pie rule off. player 0 (red): connects y=0 .. y=S-1, may not play x=0/x=S-1.
// Draw when side to move has no cell.
#ifndef S
#define S 24
#endif
#define W (S <= 24 ? 32 : 64) /* row stride in bytes */
#define OX 4
#define OY 4
#define ROWS (S + 2 * OY)
#define ID(x, y) (((y) + OY) * W + (x) + OX)
static const int DX[8] = {1, 2, 2, 1, -1, -2, -2, -1},
                 DY[8] = {2, 1, -1, -2, -2, -1, 1, 2}; // d^4 opposite
static int OFF[8];
typedef struct {
    u64 m[8];
    int off[8];
    int n;
} St;
static struct {
    int n;
    int off[6];
    u64 m[6];
} BLK[8]; // stencil: OR of blocked-direction bytes for link (c,d)
static u64 ADJ[4];
static int ADJO[4];
static u16 inner0[S * S], bord0[2][4 * S];
static int ni, nb;
static int orient(int ax, int ay, int bx, int by, int cx, int cy) {
    int v = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    return (v > 0) - (v < 0);
}
static int cross(int ax, int ay, int bx, int by, int cx, int cy, int dx, int dy) {
    if ((ax == cx && ay == cy) || (ax == dx && ay == dy) || (bx == cx && by == cy) ||
        (bx == dx && by == dy))
        return 0;
    return orient(ax, ay, bx, by, cx, cy) * orient(ax, ay, bx, by, dx, dy) < 0 &&
           orient(cx, cy, dx, dy, ax, ay) * orient(cx, cy, dx, dy, bx, by) < 0;
}
static u8 flag0[ROWS * W];
static void init() {
    for (int d = 0; d < 8; d++)
        OFF[d] = DY[d] * W + DX[d];
    for (int d = 0; d < 8; d++) {
        u8 st[16][16];
        memset(st, 0, sizeof st);
        int cnt = 0;
        for (int x = -4; x <= 4; x++)
            for (int y = -5; y <= 5; y++)
                for (int e = 0; e < 8; e++)
                    if (cross(0, 0, DX[d], DY[d], x, y, x + DX[e], y + DY[e])) {
                        st[y + 8][x + 8] |= 1 << e;
                        cnt++;
                    }
        if (cnt != 18) {
            printf("cross count %d\n", cnt);
            exit(1);
        }
        int k = 0;
        for (int y = 0; y < 16; y++) {
            int any = 0;
            for (int x = 0; x < 16; x++)
                any |= st[y][x];
            if (!any)
                continue;
            int x0 = 0;
            while (!st[y][x0])
                x0++;
            int x1 = 15;
            while (!st[y][x1])
                x1--;
            if (x1 - x0 >= 8) {
                puts("wide");
                exit(1);
            }
            u64 m = 0;
            for (int i = 0; i < 8 && x0 + i < 16; i++)
                m |= (u64)st[y][x0 + i] << (8 * i);
            BLK[d].m[k] = m;
            BLK[d].off[k] = (y - 8) * W + (x0 - 8);
            k++;
            if (k > 6) {
                puts("rows");
                exit(1);
            }
        }
        BLK[d].n = k;
    }
    int ry[4] = {-2, -1, 1, 2};
    for (int k = 0; k < 4; k++) {
        ADJ[k] = 0;
        ADJO[k] = ry[k] * W - 2;
        for (int d = 0; d < 8; d++)
            if (DY[d] == ry[k])
                ADJ[k] |= (u64)(1u << (d ^ 4)) << (8 * (DX[d] + 2));
    }
    ni = nb = 0;
    for (int y = 1; y < S - 1; y++)
        for (int x = 1; x < S - 1; x++)
            inner0[ni++] = ID(x, y);
    for (int i = 1; i < S - 1; i++) {
        bord0[0][nb] = ID(i, 0);
        bord0[1][nb] = ID(0, i);
        nb++;
        bord0[0][nb] = ID(i, S - 1);
        bord0[1][nb] = ID(S - 1, i);
        nb++;
    }
    // goal flags: bit0 = start, bit1 = end, per owner of the border (only owner can stand there)
    for (int i = 1; i < S - 1; i++) {
        flag0[ID(i, 0)] |= 1;
        flag0[ID(i, S - 1)] |= 2;
        flag0[ID(0, i)] |= 1;
        flag0[ID(S - 1, i)] |= 2;
    }
}
static u8 adj[2][ROWS * W + 64], blk[ROWS * W + 64];
static u16 par[ROWS * W], par0[ROWS * W];
static u8 fl[ROWS * W];
static inline void or8(u8 *p, u64 m) {
    u64 v;
    memcpy(&v, p, 8);
    v |= m;
    memcpy(p, &v, 8);
}
static inline int find(int a) {
    while (par[a] != a) {
        par[a] = par[par[a]];
        a = par[a];
    }
    return a;
}
static int playout(int *w) {
    static int in = 0;
    static u16 I[S * S], Bd[2][4 * S];
    if (!in) {
        init();
        memcpy(I, inner0, sizeof I);
        memcpy(Bd, bord0, sizeof Bd);
        for (int i = 0; i < ROWS * W; i++)
            par0[i] = i;
        in = 1;
    }
    memset(adj, 0, sizeof adj);
    memset(blk, 0, sizeof blk);
    memcpy(par, par0, sizeof par);
    memcpy(fl, flag0, sizeof fl);
    int mi = ni, mb[2] = {nb, nb};
    int p = 0;
    for (int n = 1;; n++) {
        u32 tot = mi + mb[p];
        if (!tot) {
            *w = -1;
            return n - 1;
        }
        u32 k = below(tot);
        int c;
        if (k < (u32)mi) {
            c = I[k];
            mi--;
            I[k] = I[mi];
            I[mi] = c;
        } else {
            k -= mi;
            u16 *b = Bd[p];
            c = b[k];
            int m = --mb[p];
            b[k] = b[m];
            b[m] = c;
        }
        u8 *a = adj[p] + c;
        or8(a + ADJO[0], ADJ[0]);
        or8(a + ADJO[1], ADJ[1]);
        or8(a + ADJO[2], ADJ[2]);
        or8(a + ADJO[3], ADJ[3]);
        u32 l = *a & ~blk[c] & 255;
        if (l) {
            int r = c;
            u8 f = fl[c];
            do {
                int d = __builtin_ctz(l);
                l &= l - 1;
                u8 *q = blk + c;
                for (int j = 0; j < BLK[d].n; j++)
                    or8(q + BLK[d].off[j], BLK[d].m[j]);
                int t = find(c + OFF[d]);
                if (t != r) {
                    par[r] = t;
                    f |= fl[t];
                    fl[t] = f;
                    r = t;
                }
            } while (l);
            if (f == 3) {
                *w = p;
                return n;
            }
        }
        p ^= 1;
    }
}
MAIN_PLAYOUT(playout, 16)
