#include "common.h"
#include <immintrin.h>
static u64 nodes;
// gomoku 15x15 freestyle perft, make/unmake, every node visited (no bulk count), win test at each
// node once >=9 stones
#define N 15
static u16 row[2][N], col[2][N], dg[2][2 * N], ad[2][2 * N];
static u8 occ[225], X[225], Y[225];
static inline u64 gperft(int p, int n, int d) {
    nodes++;
    if (!d)
        return 1;
    u64 s = 0;
    for (int c = 0; c < 225; c++)
        if (!occ[c]) {
            int x = X[c], y = Y[c];
            occ[c] = 1;
            row[p][y] ^= 1u << x;
            col[p][x] ^= 1u << y;
            dg[p][x + y] ^= 1u << x;
            ad[p][x - y + N] ^= 1u << x;
            int win = 0;
            if (n >= 8) {
                u64 m = (u64)row[p][y] | ((u64)col[p][x] << 16) | ((u64)dg[p][x + y] << 32) |
                        ((u64)ad[p][x - y + N] << 48);
                m &= m >> 1;
                win = (m & (m >> 2) & (m >> 3)) != 0;
            }
            if (win) {
                nodes++;
                s += d == 1;
            } else
                s += gperft(p ^ 1, n + 1, d - 1);
            occ[c] = 0;
            row[p][y] ^= 1u << x;
            col[p][x] ^= 1u << y;
            dg[p][x + y] ^= 1u << x;
            ad[p][x - y + N] ^= 1u << x;
        }
    return s;
}
static inline u64 btperft(u64 me, u64 op, int d) {
    nodes++;
    if (!d)
        return 1;
    const u64 NA = ~0x0101010101010101ull, NH = ~0x8080808080808080ull;
    u64 s = 0;
    u64 M[3] = {(me << 8) & ~(me | op), ((me & NA) << 7) & ~me, ((me & NH) << 9) & ~me};
    int S[3] = {8, 7, 9};
    for (int k = 0; k < 3; k++) {
        u64 m = M[k];
        while (m) {
            u64 t = m & -m;
            m ^= t;
            u64 nm = me ^ (t | (t >> S[k])), no = op & ~t;
            if (t >> 56 || !no) {
                nodes++;
                s += d == 1;
            } else
                s += btperft(__builtin_bswap64(no), __builtin_bswap64(nm), d - 1);
        }
    }
    return s;
}
static u8 WIN[512];
static inline u64 tperft(u32 me, u32 op, int d) {
    nodes++;
    if (!d)
        return 1;
    u64 s = 0;
    u32 e = 511 & ~(me | op);
    while (e) {
        u32 b = e & -e;
        e ^= b;
        u32 nm = me | b;
        if (WIN[nm]) {
            nodes++;
            s += d == 1;
        } else
            s += tperft(op, nm, d - 1);
    }
    return s;
}
#include "flips.h"
static inline u64 rperft(u64 me, u64 op, int d) {
    nodes++;
    if (!d)
        return 1;
    u64 m = gen(me, op), s = 0;
    if (!m) {
        if (!gen(op, me))
            return 0;
        return rperft(op, me, d - 1);
    }
    while (m) {
        u64 b = m & -m;
        m ^= b;
        u64 f = flip(me, op, b);
        s += rperft(op & ~f, me | b | f, d - 1);
    }
    return s;
}
// -DGAME=tictactoe, gomoku, breakthrough or othello
static inline u64 tictactoe(int d) {
    static const int L[8] = {7, 56, 448, 73, 146, 292, 273, 84};
    for (int i = 0; i < 512; i++)
        for (int k = 0; k < 8; k++)
            if ((i & L[k]) == L[k])
                WIN[i] = 1;
    return tperft(0, 0, d);
}
static inline u64 gomoku(int d) {
    for (int i = 0; i < 225; i++) {
        X[i] = i % N;
        Y[i] = i / N;
    }
    return gperft(0, 0, d);
}
static inline u64 breakthrough(int d) { return btperft(0xffff, 0xffffull << 48, d); }
static inline u64 othello(int d) { return rperft(0x0000000810000000ull, 0x0000001008000000ull, d); }
MAIN_PERFT(GAME)
