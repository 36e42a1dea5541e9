#include "common.h"
// Bridg-It with SZ x (SZ+1) dots each, SZ*SZ+(SZ-1)*(SZ-1) crossings. union-find, stop at first
// connection.
#ifndef SZ
#define SZ 6
#endif
#define NE (SZ * SZ + (SZ - 1) * (SZ - 1))
static u8 A[2][NE], Bv[2][NE];
#define NV (2 + (SZ - 1) * SZ)
static u8 par[2][NV], par0[NV];
static void init() {
    int k = 0;
// vertex ids per player: dots (i,j), start goal merged to 0, end goal merged to 1
#define V(row, colm) ((row) == 0 ? 0 : (row) == SZ ? 1 : 2 + ((row) - 1) * SZ + (colm))
    // crossing kind 1: (r,c) 0..SZ-1: p0 edge between dot row r,r+1 in column c ; p1 edge between
    // p1-dot "row" c,c+1 in its column r
    for (int r = 0; r < SZ; r++)
        for (int c = 0; c < SZ; c++) {
            A[0][k] = V(r, c);
            Bv[0][k] = V(r + 1, c);
            A[1][k] = V(c, r);
            Bv[1][k] = V(c + 1, r);
            k++;
        }
    // kind 2: (r,c) r,c in 0..SZ-2: p0 lateral edge in dot row r+1 between columns c,c+1; p1
    // lateral edge in its dot row c+1 between columns r,r+1
    for (int r = 0; r < SZ - 1; r++)
        for (int c = 0; c < SZ - 1; c++) {
            A[0][k] = V(r + 1, c);
            Bv[0][k] = V(r + 1, c + 1);
            A[1][k] = V(c + 1, r);
            Bv[1][k] = V(c + 1, r + 1);
            k++;
        }
    if (k != NE)
        exit(1);
    for (int i = 0; i < NV; i++)
        par0[i] = i;
}
static int playout(int *w) {
    static int in = 0;
    static u16 e[NE];
    if (!in) {
        init();
        for (int i = 0; i < NE; i++)
            e[i] = i;
        in = 1;
    }
    memcpy(par[0], par0, NV);
    memcpy(par[1], par0, NV);
    int p = 0;
    for (int n = 0; n < NE; n++) {
        u32 k = n + below(NE - n);
        int c = e[k];
        e[k] = e[n];
        e[n] = c;
        u8 *P = par[p];
        int a = A[p][c], b = Bv[p][c];
        while (P[a] != a) {
            P[a] = P[P[a]];
            a = P[a];
        }
        while (P[b] != b) {
            P[b] = P[P[b]];
            b = P[b];
        }
        if (a != b) {
            int lo = a < b ? a : b, hi = a < b ? b : a;
            if (lo == 0 && hi == 1) {
                *w = p;
                return n + 1;
            }
            P[hi] = lo;
        } // goals keep being roots: 0 and 1 never merge otherwise
        p ^= 1;
    }
    *w = -1;
    return NE;
}
MAIN_PLAYOUT(playout, 256)
