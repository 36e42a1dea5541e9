#include "common.h"
// Hex S x S, no swap. row bitmasks give the 6-neighbour own-stone mask; one union per cyclic run
// (adjacent neighbours are already connected).
#ifndef S
#define S 11
#endif
#define W 16
#define NC ((S + 2) * W)
static u16 cells[S * S];
static u8 par[NC], par0[NC];
static u8 fl[NC], fl0[NC];
static const int O[6] = {-W, -W + 1, 1, W, W - 1, -1}; // cyclic order: N, NE, E, S, SW, W
static u8 RUN[64][4];                                  // n, dirs
static inline int find(int a) {
    while (par[a] != a) {
        par[a] = par[par[a]];
        a = par[a];
    }
    return a;
}
static int playout(int *w) {
    static int in = 0;
    static u32 row0[2][S + 2];
    if (!in) {
        for (int i = 0; i < NC; i++)
            par0[i] = i;
        for (int y = 0; y < S; y++)
            for (int x = 0; x < S; x++)
                cells[y * S + x] = (y + 1) * W + x + 1;
        int T = 1, Bo = (S + 1) * W + 1, L = W, R = W + S + 1;
        for (int i = 1; i <= S; i++) {
            par0[i] = T;
            par0[(S + 1) * W + i] = Bo;
            par0[i * W] = L;
            par0[i * W + S + 1] = R;
        }
        par0[S + 1] = T;        // pad corner (x=S+1,y=0): NE of (S,1): counted for player 0 as top
        par0[(S + 1) * W] = Bo; // SW of (1,S)
        fl0[T] = 1;
        fl0[Bo] = 2;
        fl0[L] = 1;
        fl0[R] = 2;
        row0[0][0] = row0[0][S + 1] = (1u << (S + 2)) - 1;
        for (int y = 1; y <= S; y++)
            row0[1][y] = 1 | (1u << (S + 1));
        // player 1 sees neither pad corner (row0[1][0]=row0[1][S+1]=0): the side pads it needs are
        // W/E neighbours in the same row
        for (int m = 0; m < 64; m++) {
            int k = 0;
            for (int d = 0; d < 6; d++)
                if ((m >> d & 1) && !(m >> ((d + 5) % 6) & 1))
                    RUN[m][1 + k++] = d;
            if (m == 63) {
                RUN[m][1] = 0;
                k = 1;
            }
            RUN[m][0] = k;
        }
        in = 1;
    }
    memcpy(par, par0, sizeof par);
    memcpy(fl, fl0, sizeof fl);
    u32 rw[2][S + 2];
    memcpy(rw, row0, sizeof rw);
    int p = 0;
    for (int n = 0; n < S * S; n++) {
        u32 k = n + below(S * S - n);
        int c = cells[k];
        cells[k] = cells[n];
        cells[n] = c;
        int x = c % W, y = c / W;
        u32 *r = rw[p];
        r[y] |= 1u << x;
        u32 a = r[y - 1] >> x, b = r[y] >> (x - 1), e = r[y + 1] >> (x - 1);
        u32 m = (a & 3) | (b & 4) | ((e & 2) << 2) | ((e & 1) << 4) | ((b & 1) << 5);
        int q = RUN[m][0];
        if (q) {
            int t = find(c + O[RUN[m][1]]);
            par[c] = t;
            int f = fl[t];
            for (int j = 2; j <= q; j++) {
                int u = find(c + O[RUN[m][j]]);
                if (u != t) {
                    par[t] = u;
                    f |= fl[u];
                    fl[u] = f;
                    t = u;
                }
            }
            if (f == 3) {
                *w = p;
                return n + 1;
            }
        }
        p ^= 1;
    }
    *w = -1;
    return S * S;
}
MAIN_PLAYOUT(playout, 64)
