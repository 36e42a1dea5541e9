#include "common.h"
// connect four 7x6, bitboard with 7 bits per column (sentinel row)
static inline int win(u64 b) {
    u64 m = b & (b >> 7);
    if (m & (m >> 14))
        return 1;
    m = b & (b >> 6);
    if (m & (m >> 12))
        return 1;
    m = b & (b >> 8);
    if (m & (m >> 16))
        return 1;
    m = b & (b >> 1);
    return (m & (m >> 2)) != 0;
}
#define BOT 0x0040810204081ull /* bits 0,7,14,..,42 */
#define FULLB (BOT * 0x3f)
static inline int playout(int *w) {
    u64 me = 0;
    int p = 0;
    int nc = 7; // open columns list: O(1) uniform pick
    u64 colsbase[7];
    for (int i = 0; i < 7; i++)
        colsbase[i] = 1ull << (7 * i);
    // colsbase[i] holds next free cell bit of the i-th open column
    u64 opp = 0;
    for (int n = 1;; n++) {
        u32 k = below(nc);
        u64 bit = colsbase[k];
        me |= bit;
        if (win(me)) {
            *w = p;
            return n;
        }
        bit <<= 1;
        if (bit & (BOT << 6)) {
            colsbase[k] = colsbase[--nc];
            if (!nc) {
                *w = -1;
                return n;
            }
        } else
            colsbase[k] = bit;
        u64 t = me;
        me = opp;
        opp = t;
        p ^= 1;
    }
}
#ifdef PERFT
static u64 nodes;
static u64 perft(u64 me, u64 all, int d) { // leaves at depth d, the last ply counted without
                                           // playing it; stops on terminal positions
    u64 poss = (all + BOT) & FULLB;
    if (d == 1) {
        return __builtin_popcountll(poss);
    }
    u64 s = 0;
    while (poss) {
        u64 b = poss & -poss;
        poss ^= b;
        u64 nm = me | b;
        nodes++;
        if (win(nm))
            continue;
        s += perft(all ^ me, all | b, d - 1);
    }
    return s;
}
static u64 count(int d) {
    u64 s = perft(0, 0, d);
    nodes += s;
    return s;
} // every decision counts, those of the last ply too
MAIN_PERFT(count)
#else
MAIN_PLAYOUT(playout, 4096)
#endif
