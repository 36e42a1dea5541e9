#include "common.h"
// gomoku freestyle: five or more in a row wins. Pre-shuffled empty list (incremental Fisher-Yates),
// 4 line bitmasks per player per direction. N x N; up to 15 the four lines fit into one word.
#ifndef N
#define N 15
#endif
typedef struct {
    u32 row[2][N], col[2][N], dg[2][2 * N], ad[2][2 * N];
} B;
#define M (N * N)
static u8 X[M], Y[M];
#if N > 15
static inline int five(u32 m) {
    m &= m >> 1;
    return (m & (m >> 2) & (m >> 3)) != 0;
} // m=b&b>>1 ; 5 run: bits i..i+4: m_i,m_{i+2},m_{i+3}
#endif
static inline int playout(int *w) {
    static int in = 0;
    static u16 base[M];
    if (!in) {
        for (int i = 0; i < M; i++) {
            X[i] = i % N;
            Y[i] = i / N;
            base[i] = i;
        }
        in = 1;
    }
    static u16 e[M];
    static int first = 1;
    if (first) {
        memcpy(e, base, sizeof e);
        first = 0;
    } // any permutation is a fine start for Fisher-Yates
    B b;
    memset(&b, 0, sizeof b);
    int p = 0;
    for (int n = 0; n < M; n++) {
        u32 k = n + below(M - n);
        int c = e[k];
        e[k] = e[n];
        e[n] = c;
        int x = X[c], y = Y[c];
        u32 r = b.row[p][y] |= 1u << x, q = b.col[p][x] |= 1u << y, d = b.dg[p][x + y] |= 1u << x,
            a = b.ad[p][x - y + N] |= 1u << x;
#if N <= 15
        if (n >= 8) {
            u64 m = (u64)r | ((u64)q << 16) | ((u64)d << 32) |
                    ((u64)a << 48); // 15-bit lanes + 1 guard bit
            m &= m >> 1;            /* guard bit 15 is 0, so cross-lane bit never set */
            if (m & (m >> 2) & (m >> 3)) {
                *w = p;
                return n + 1;
            }
        }
#else
        if (five(r) | five(q) | five(d) | five(a)) {
            *w = p;
            return n + 1;
        }
#endif
        p ^= 1;
    }
    *w = -1;
    return M;
}
MAIN_PLAYOUT(playout, 256)
