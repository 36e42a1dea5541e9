/* An independent solver for k in a row, with or without falling stones: it shares nothing with the
   package but the rules as anybody knows them.

   rows WIDTH HEIGHT K drop|free: prints win, loss or draw for the first player, and its nodes.
   At most 32 cells.  Plain negamax over win, draw, loss with a table of exact positions. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int width, height, length, cells, falls;
static uint32_t lines[4096];
static int through[32][128], throughs[32], line_count;
static int order[32];

#define SLOTS (1u << 25)
static uint64_t *keys;
static int8_t *values; /* 0 unknown, 1 upper bound 0 (no win), 2 lower bound 0 (no loss), 4+v exact */
static uint64_t nodes;

static void add_lines(void) {
    static const int dx[] = {1, 0, 1, 1}, dy[] = {0, 1, 1, -1};
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int d = 0; d < 4; d++) {
                int ex = x + dx[d] * (length - 1), ey = y + dy[d] * (length - 1);
                if (ex >= width || ey < 0 || ey >= height) continue;
                uint32_t line = 0;
                for (int i = 0; i < length; i++) {
                    int cell = (y + dy[d] * i) * width + x + dx[d] * i;
                    line |= 1u << cell;
                    through[cell][throughs[cell]++] = line_count;
                }
                lines[line_count++] = line;
            }
}

static int wins(uint32_t mine, int cell) {
    for (int i = 0; i < throughs[cell]; i++)
        if ((lines[through[cell][i]] & ~mine) == 0) return 1;
    return 0;
}

static int open_cell(uint32_t taken, int choice) {
    if (!falls) return taken >> choice & 1 ? -1 : choice;
    for (int cell = choice; cell < cells; cell += width)
        if (!(taken >> cell & 1)) return cell;
    return -1;
}

/* 1, 0, -1 for the player to move, exact within (low, high). */
static int solve(uint32_t mine, uint32_t theirs, int low, int high) {
    nodes++;
    uint32_t taken = mine | theirs;
    int choices = falls ? width : cells;
    if (__builtin_popcount(taken) == cells) return 0;
    for (int i = 0; i < choices; i++) {
        int cell = open_cell(taken, i);
        if (cell >= 0 && wins(mine | 1u << cell, cell)) return 1;
    }
    uint64_t key = (uint64_t)mine << 32 | theirs, slot = (key * 0x9E3779B97F4A7C15ull) >> 39;
    if (keys[slot] == key) {
        int known = values[slot];
        if (known >= 3) return known - 4;
        if (known == 1 && low >= 0) return 0;
        if (known == 2 && high <= 0) return 0;
    }
    int best = -1, forced = -1, threats = 0;
    for (int i = 0; i < choices; i++) {
        int cell = open_cell(taken, i);
        if (cell >= 0 && wins(theirs | 1u << cell, cell)) forced = cell, threats++;
    }
    int alpha = low;
    if (threats < 2)
        for (int i = 0; i < choices && best < high; i++) {
            int cell = threats ? forced : open_cell(taken, order[i]);
            if (cell < 0) continue;
            int value = -solve(theirs, mine | 1u << cell, -high, -alpha);
            if (value > best) best = value;
            if (best > alpha) alpha = best;
            if (threats) break;
        }
    keys[slot] = key;
    values[slot] = best <= low && best == 0 ? 1 : best >= high && best == 0 ? 2 : 4 + best;
    return best;
}

static int near_middle(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    int px = abs(2 * (x % width) - width + 1) + (falls ? 0 : abs(2 * (x / width) - height + 1));
    int py = abs(2 * (y % width) - width + 1) + (falls ? 0 : abs(2 * (y / width) - height + 1));
    return px != py ? px - py : x - y;
}

int main(int count, char **words) {
    if (count != 5) return fprintf(stderr, "rows WIDTH HEIGHT K drop|free\n"), 2;
    width = atoi(words[1]), height = atoi(words[2]), length = atoi(words[3]);
    falls = strcmp(words[4], "drop") == 0, cells = width * height;
    if (width < 1 || height < 1 || length < 1 || cells > 32) return fprintf(stderr, "too large\n"), 2;
    for (int i = 0; i < 32; i++) order[i] = i;
    qsort(order, falls ? width : cells, sizeof *order, near_middle);
    add_lines();
    keys = malloc(SLOTS * sizeof *keys), values = calloc(SLOTS, 1);
    if (!keys || !values) return fprintf(stderr, "no memory\n"), 1;
    memset(keys, 255, SLOTS * sizeof *keys);
    int value = solve(0, 0, -1, 1);
    printf("%s %llu\n", value > 0 ? "win" : value < 0 ? "loss" : "draw", (unsigned long long)nodes);
    return 0;
}
