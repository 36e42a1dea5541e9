#pragma once
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
typedef uint64_t u64;
typedef uint32_t u32;
typedef uint8_t u8;
typedef uint16_t u16;
typedef int16_t i16;
static inline double cpu() {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}
static u64 rs = 0x9E3779B97F4A7C15ull;
static inline u64 rnd() { // splitmix64
    u64 z = (rs += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}
static u64 xs = 88172645463325252ull;
static inline u64 xrnd() {
    xs ^= xs << 13;
    xs ^= xs >> 7;
    xs ^= xs << 17;
    return xs;
}
#define RND32() ((u32)(xrnd() >> 32))
static inline u32 below(u32 n) { return (u32)(((u64)RND32() * n) >> 32); }

static inline double seconds(int c, char **v) {
    double s = c > 1 ? atof(v[1]) : 1.0;
    if (c > 2)
        rs ^= xs ^= strtoull(v[2], 0, 10) * 0x9E3779B97F4A7C15ull;
    if (!xs)
        xs = 1;
    return s;
}
// playout(&winner) returns the plies of a random game; winner 0 or 1, -1 for a draw.
// usage: PROGRAM [SECONDS [SEED]]; one line of JSON.
#define MAIN_PLAYOUT(playout, BATCH)                                                               \
    int main(int c, char **v) {                                                                    \
        double most = seconds(c, v), t, e;                                                         \
        u64 won = 0, drawn = 0, n = 0, m = 0;                                                      \
        int w;                                                                                     \
        for (int i = 0; i < 1000; i++)                                                             \
            playout(&w);                                                                           \
        t = cpu();                                                                                 \
        do {                                                                                       \
            for (int i = 0; i < BATCH; i++) {                                                      \
                m += playout(&w);                                                                  \
                n++;                                                                               \
                won += (w == 0);                                                                   \
                drawn += (w < 0);                                                                  \
            }                                                                                      \
            e = cpu() - t;                                                                         \
        } while (e < most);                                                                        \
        printf("{\"playouts\": %llu, \"plies\": %llu, \"first\": %llu, \"drawn\": %llu, "          \
               "\"seconds\": %.6f}\n",                                                             \
               (unsigned long long)n, (unsigned long long)m, (unsigned long long)won,              \
               (unsigned long long)drawn, e);                                                      \
        return 0;                                                                                  \
    }
// count(depth) returns the leaves and adds to `nodes`; repeated until the time is over.
// usage: PROGRAM [SECONDS [DEPTH]]; one line of JSON.
#define MAIN_PERFT(count)                                                                          \
    int main(int c, char **v) {                                                                    \
        double most = c > 1 ? atof(v[1]) : 1.0, t, e;                                              \
        int depth = c > 2 ? atoi(v[2]) : 3;                                                        \
        u64 leaves = 0, n = 0;                                                                     \
        t = cpu();                                                                                 \
        do {                                                                                       \
            nodes = 0;                                                                             \
            leaves = count(depth);                                                                 \
            n += nodes;                                                                            \
            e = cpu() - t;                                                                         \
        } while (e < most);                                                                        \
        printf("{\"leaves\": %llu, \"nodes\": %llu, \"seconds\": %.6f}\n",                         \
               (unsigned long long)leaves, (unsigned long long)n, e);                              \
        return 0;                                                                                  \
    }
