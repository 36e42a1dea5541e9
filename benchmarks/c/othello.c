#include "common.h"
#include <immintrin.h>
// Reversi 8x8 bitboards. A pass counts no ply (as states counted by RBG); game ends when neither
// moves.
#include "flips.h"
static int playout(int *w) {
    u64 me = 0x0000000810000000ull, op = 0x0000001008000000ull;
    int p = 0, n = 0;
    for (;;) {
        u64 m = gen(me, op);
        if (!m) {
            u64 t = me;
            me = op;
            op = t;
            p ^= 1;
            m = gen(me, op);
            if (!m)
                break;
        }
        u64 b = _pdep_u64(1ull << below(__builtin_popcountll(m)), m);
        u64 f = flip(me, op, b);
        u64 t = me | b | f;
        me = op & ~f;
        op = t;
        p ^= 1;
        n++;
    }
    int d = __builtin_popcountll(me) - __builtin_popcountll(op);
    *w = d == 0 ? -1 : (d > 0 ? p : p ^ 1);
    return n;
}
MAIN_PLAYOUT(playout, 64)
