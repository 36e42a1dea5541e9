#include "common.h"
static u8 WIN[512];
static void init() {
    static const int L[8] = {7, 56, 448, 73, 146, 292, 273, 84};
    for (int i = 0; i < 512; i++)
        for (int k = 0; k < 8; k++)
            if ((i & L[k]) == L[k])
                WIN[i] = 1;
}
static inline int playout(int *w) {
    static int in = 0;
    if (!in) {
        init();
        in = 1;
    }
    u32 me = 0, opp = 0;
    u64 r = rnd();
    u8 e[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    int p = 0;
    for (int n = 0; n < 9; n++) {
        u32 m = 9 - n;
        u32 k = ((r & 0xffffffff) * m) >> 32;
        r = r * 6364136223846793005ull + 1442695040888963407ull;
        r ^= r >> 29;
        int c = e[k];
        e[k] = e[m - 1];
        me |= 1u << c;
        if (WIN[me]) {
            *w = p;
            return n + 1;
        }
        u32 t = me;
        me = opp;
        opp = t;
        p ^= 1;
    }
    *w = -1;
    return 9;
}
MAIN_PLAYOUT(playout, 4096)
