#include "common.h"
#include <immintrin.h>
// Reversi N x N, N at most 12: a set of sites in words of 64, the rows one after the other. Runs are
// doubled, as the kernels do. A pass counts no ply; the game ends when neither moves.
#ifndef N
#define N 12
#endif
#define WORDS ((N * N + 63) / 64)
#define INLINE static inline __attribute__((always_inline))
#define EACH for (int i = 0; i < WORDS; i++)
typedef struct {
    u64 w[WORDS];
} Set;
static Set all, inner;
INLINE Set both(Set a, Set b) {
    EACH a.w[i] &= b.w[i];
    return a;
}
INLINE Set either(Set a, Set b) {
    EACH a.w[i] |= b.w[i];
    return a;
}
INLINE Set without(Set a, Set b) {
    EACH a.w[i] &= ~b.w[i];
    return a;
}
INLINE Set up(Set a, int k) {
    Set r;
    EACH r.w[i] = a.w[i] << k | (i ? a.w[i - 1] >> (64 - k) : 0);
    return r;
}
INLINE Set down(Set a, int k) {
    Set r;
    EACH r.w[i] = a.w[i] >> k | (i + 1 < WORDS ? a.w[i + 1] << (64 - k) : 0);
    return r;
}
INLINE int any(Set a) {
    u64 r = 0;
    EACH r |= a.w[i];
    return r != 0;
}
INLINE int count(Set a) {
    int r = 0;
    EACH r += __builtin_popcountll(a.w[i]);
    return r;
}
INLINE Set site(int s) {
    Set r = {0};
    r.w[s / 64] = 1ull << (s % 64);
    return r;
}
INLINE Set pick(Set a, int k) {
    Set r = {0};
    EACH {
        int here = __builtin_popcountll(a.w[i]);
        if (k < here) {
            r.w[i] = _pdep_u64(1ull << k, a.w[i]);
            return r;
        }
        k -= here;
    }
    return r;
}
// The sites of `over` in a row behind those of `from`, up to twelve, in one direction.
#define RUN(move, k, from, over)                                                                   \
    Set t = both(over, move(from, k)), x = over;                                                   \
    t = either(t, both(x, move(t, k)));                                                            \
    x = both(x, move(x, k));                                                                       \
    t = either(t, both(x, move(t, 2 * k)));                                                        \
    x = both(x, move(x, 2 * k));                                                                   \
    t = either(t, both(x, move(t, 4 * k)));                                                        \
    if (N > 10)                                                                                    \
        t = either(t, both(x, move(t, 4 * k)));
#define PLACES(move, k, over)                                                                      \
    {                                                                                              \
        RUN(move, k, own, over)                                                                    \
        places = either(places, move(t, k));                                                       \
    }
#define TURNED(move, k, over)                                                                      \
    {                                                                                              \
        RUN(move, k, cell, over)                                                                   \
        if (any(both(own, move(t, k))))                                                            \
            turned = either(turned, t);                                                            \
    }
#define AROUND(DO, enemy, within)                                                                  \
    DO(up, 1, within) DO(down, 1, within) DO(up, N, enemy) DO(down, N, enemy)                      \
    DO(up, (N - 1), within) DO(down, (N - 1), within) DO(up, (N + 1), within)                      \
    DO(down, (N + 1), within)
INLINE Set moves(Set own, Set enemy) {
    Set places = {0}, within = both(enemy, inner);
    AROUND(PLACES, enemy, within)
    return without(both(places, all), either(own, enemy));
}
INLINE Set flips(Set own, Set enemy, Set cell) {
    Set turned = {0}, within = both(enemy, inner);
    AROUND(TURNED, enemy, within)
    return turned;
}
static void board(void) {
    for (int s = 0; s < N * N; s++) {
        all = either(all, site(s));
        if (s % N && s % N < N - 1)
            inner = either(inner, site(s));
    }
}
static int playout(int *w) {
    int h = N / 2, p = 0, n = 0;
    if (!any(all))
        board();
    Set me = either(site((h - 1) * N + h), site(h * N + h - 1));
    Set op = either(site((h - 1) * N + h - 1), site(h * N + h));
    for (;;) {
        Set m = moves(me, op);
        if (!any(m)) {
            Set t = me;
            me = op;
            op = t;
            p ^= 1;
            m = moves(me, op);
            if (!any(m))
                break;
        }
        Set b = pick(m, below(count(m)));
        Set f = flips(me, op, b), t = either(me, either(b, f));
        me = without(op, f);
        op = t;
        p ^= 1;
        n++;
    }
    int d = count(me) - count(op);
    *w = d == 0 ? -1 : (d > 0 ? p : p ^ 1);
    return n;
}
MAIN_PLAYOUT(playout, 64)
