static inline u64 gen(u64 P, u64 Oo) {
    u64 m = 0, i = Oo & 0x7e7e7e7e7e7e7e7eull;
#define D1(s, X)                                                                                   \
    {                                                                                              \
        u64 t = X & (P << s);                                                                      \
        t |= X & (t << s);                                                                         \
        t |= X & (t << s);                                                                         \
        t |= X & (t << s);                                                                         \
        t |= X & (t << s);                                                                         \
        t |= X & (t << s);                                                                         \
        m |= t << s;                                                                               \
        t = X & (P >> s);                                                                          \
        t |= X & (t >> s);                                                                         \
        t |= X & (t >> s);                                                                         \
        t |= X & (t >> s);                                                                         \
        t |= X & (t >> s);                                                                         \
        t |= X & (t >> s);                                                                         \
        m |= t >> s;                                                                               \
    }
    D1(1, i) D1(8, Oo) D1(7, i) D1(9, i) return m & ~(P | Oo);
}
static inline u64 flip(u64 P, u64 Oo, u64 b) {
    u64 f = 0, i = Oo & 0x7e7e7e7e7e7e7e7eull;
#define D2(s, X)                                                                                   \
    {                                                                                              \
        u64 t = X & (b << s);                                                                      \
        t |= X & (t << s);                                                                         \
        t |= X & (t << s);                                                                         \
        t |= X & (t << s);                                                                         \
        t |= X & (t << s);                                                                         \
        t |= X & (t << s);                                                                         \
        f |= (P & (t << s)) ? t : 0;                                                               \
        t = X & (b >> s);                                                                          \
        t |= X & (t >> s);                                                                         \
        t |= X & (t >> s);                                                                         \
        t |= X & (t >> s);                                                                         \
        t |= X & (t >> s);                                                                         \
        t |= X & (t >> s);                                                                         \
        f |= (P & (t >> s)) ? t : 0;                                                               \
    }
    D2(1, i) D2(8, Oo) D2(7, i) D2(9, i) return f;
}
