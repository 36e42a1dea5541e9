/* TwixT as the program T1j plays it, written from a description of its behaviour in words alone, and
   speaking rulewright's text protocol (docs/protocols.md).

       gcc -O2 -o /tmp/t1j benchmarks/t1j/t1j.c
       rulewright match twixt chains "engine:/tmp/t1j --patterns patterns/twixt/basics.patterns"

   `--plies N` is the depth (5; odd), `--patterns FILE` what is proposed beyond links and blocks.
   For experiments: `--missing` another value (missing.h), `--ruled N` how many first pegs are set by
   rules (6), `--defended N` with how many pegs on the board only the opponent's way counts (8).
   T1j's own file of patterns is not part of this project; limits of time are not looked at.  Beyond
   the protocol, `values` prints the way that red and blue still have to go, in tenths of a row, if
   red moves next and if blue does; `points` each side's reference points; `candidates` what is
   looked at. */

#include "board.h"
#include "values.h"
#include "missing.h"
#include "patterns.h"
#include "search.h"
#include "opening.h"

static int mover;
static bool may_swap;

static bool read_hole(const char *word, Hole *h) {
    int x = 0, letters = 0, row = 0, end = 0;
    while (word[letters] >= 'a' && word[letters] <= 'z' && letters < 2) x = 26 * x + word[letters++] - 'a' + 1;
    if (!letters || sscanf(word + letters, "%d%n", &row, &end) != 1 || word[letters + end]) return false;
    *h = (Hole){x - 1, row - 1};
    return x <= view[0].width && row >= 1 && row <= view[0].height;
}

static const char *name_of(Hole h) {
    static char name[16];
    if (h.x < 26)
        snprintf(name, sizeof name, "%c%d", 'a' + h.x, h.y + 1);
    else
        snprintf(name, sizeof name, "%c%c%d", 'a' + h.x / 26 - 1, 'a' + h.x % 26, h.y + 1);
    return name;
}

static const char *play(const char *word) {
    Hole h;
    if (!strcmp(word, "swap") && may_swap) {
        may_swap = false;
        return NULL;
    }
    if (!read_hole(word, &h) || !free_for(mover, h)) return word;
    move(mover, h);
    mover = 1 - mover;
    may_swap = pie && total == 1;
    last_x = h.x;
    last_y = h.y;
    return NULL;
}

static char game_line[512];

static const char *new_game(void) {
    int width = 24, height = 24, n;
    char line[sizeof game_line], *word;
    strcpy(line, game_line);
    pie = true;
    for (word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
        if (sscanf(word, "size=%d", &n) == 1) width = height = n;
        if (!strcmp(word, "pie=false")) pie = false;
        if (!strcmp(word, "paper=true") || !strcmp(word, "removal=true")) return word;
    }
    strcpy(line, game_line);
    for (word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
        if (sscanf(word, "width=%d", &n) == 1) width = n;
        if (sscanf(word, "height=%d", &n) == 1) height = n;
    }
    if (width > MOST || height > MOST) return "size";
    reset(width, height);
    position_key = mover = 0;
    may_swap = false;
    return NULL;
}

static void decide(void) {
    Hole h;
    int value = 0;
    clock_t start = clock();
    nodes = 0;
    if (may_swap && takes_over()) {
        printf("best swap\n");
        return;
    }
    if (!by_rule(mover, &h)) h = search(mover, &value);
    printf("best %s value=%d depth=%d nodes=%ld seconds=%.3f\n", name_of(h), value, full_depth, nodes,
           (double)(clock() - start) / CLOCKS_PER_SEC);
}

static void print_points(void) {
    Point p[2 * CELLS];
    for (int side = 0; side < 2; side++) {
        int count = points_of(side, p);
        for (int i = 0; i < count; i++)
            printf("%s:%s:%s ", side ? "blue" : "red", name_of(to_board(side, (Hole){p[i].x, p[i].y})),
                   p[i].up ? (side ? "west" : "north") : (side ? "east" : "south"));
    }
    printf("\n");
}

static void print_candidates(void) {
    Holes h;
    candidates(mover, &h);
    for (int i = 0; i < h.count; i++) printf("%s ", name_of(h.hole[i]));
    printf("\n");
}

static void answer_position(void) {
    char nothing[] = "", *moves = strtok(NULL, "\n");
    const char *wrong = new_game();
    for (char *word = strtok(moves ? moves : nothing, " "); word && !wrong; word = strtok(NULL, " "))
        if (strcmp(word, "moves")) wrong = play(word);
    if (wrong)
        printf("error `%s` cannot be played\n", wrong);
    else
        printf("ok\n");
}

static void answer_game(void) {
    char *rest = strtok(NULL, "\n");
    snprintf(game_line, sizeof game_line, "%s", rest ? rest : "");
    const char *wrong = new_game();
    if (wrong)
        printf("error `%s` is not played here\n", wrong);
    else
        printf("ok\n");
}

static bool answer(char *line) {
    char *word = strtok(line, " \n");
    if (!word) return true;
    if (!strcmp(word, "quit")) return false;
    if (!strcmp(word, "rulewright")) printf("rulewright 1 t1j\n");
    else if (!strcmp(word, "game")) answer_game();
    else if (!strcmp(word, "seed")) printf("ok\n"), srand(atoi(strtok(NULL, " \n")));
    else if (!strcmp(word, "position")) answer_position();
    else if (!strcmp(word, "go")) decide();
    else if (!strcmp(word, "values"))
        printf("%d %d %d %d\n", value_of(0, true), value_of(1, false), value_of(0, false), value_of(1, true));
    else if (!strcmp(word, "points")) print_points();
    else if (!strcmp(word, "candidates")) print_candidates();
    else printf("error `%.40s` is not understood\n", word);
    fflush(stdout);
    return true;
}

int main(int count, char **words) {
    static char line[1 << 16];
    for (int i = 1; i + 1 < count; i += 2) {
        if (!strcmp(words[i], "--plies")) full_depth = atoi(words[i + 1]);
        else if (!strcmp(words[i], "--patterns")) read_patterns(words[i + 1]);
        else if (!strcmp(words[i], "--ruled")) ruled = atoi(words[i + 1]);
        else if (!strcmp(words[i], "--defended")) defended = atoi(words[i + 1]);
        else if (!strcmp(words[i], "--missing"))
            counts_missing = sscanf(words[i + 1], "%d,%d,%d,%d,%d", &peg_cost, &spoilt_cost, &watched_cost,
                                    &setup_cost, &tempo) > 0;
        else return fprintf(stderr, "unknown: %s\n", words[i]), 2;
    }
    prepare_crossings();
    prepare_keys();
    new_game();
    while (fgets(line, sizeof line, stdin) && answer(line)) continue;
    return 0;
}
