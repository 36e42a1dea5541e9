#include "common.h"
#include <immintrin.h>
// Breakthrough 8x8 bitboards; board flipped every ply (bswap) so the mover always goes up
static inline int playout(int *w) {
    u64 me = 0xffffull, op = 0xffffull << 48;
    int p = 0;
    const u64 NA = ~0x0101010101010101ull, NH = ~0x8080808080808080ull;
    for (int n = 1;; n++) {
        u64 f = (me << 8) & ~(me | op), l = ((me & NA) << 7) & ~me, r = ((me & NH) << 9) & ~me;
        int a = __builtin_popcountll(f), b = __builtin_popcountll(l), c = __builtin_popcountll(r);
        int t = a + b + c;
        if (!t) {
            *w = p ^ 1;
            return n - 1;
        }
        int k = below(t);
        u64 to;
        int s;
        if (k < a) {
            to = _pdep_u64(1ull << k, f);
            s = 8;
        } else if (k < a + b) {
            to = _pdep_u64(1ull << (k - a), l);
            s = 7;
        } else {
            to = _pdep_u64(1ull << (k - a - b), r);
            s = 9;
        }
        me ^= to | (to >> s);
        op &= ~to;
        if (to >> 56 || !op) {
            *w = p;
            return n;
        }
        u64 x = __builtin_bswap64(me);
        me = __builtin_bswap64(op);
        op = x;
        p ^= 1;
    }
}
MAIN_PLAYOUT(playout, 256)
