/* Finds positions of Connect 5 (15 by 15, five or more in a row win) with and without a win by fours
 * and open threes, to measure players with.
 *
 *   gcc -O2 -o /tmp/generate generate.c && /tmp/generate SEED WINS NEAR NODES >positions.txt
 *   /tmp/generate judge NODES <positions.txt
 *
 * Out: a line for each position: "win N" or "none", then the turns played.  N is the most plies that
 * the first win takes that is found with the fewest open threes.  "none" is said of
 * positions at most six plies before one with a win, where every sequence of threats was followed
 * to its end.
 *
 * The method has nothing in common with rulewright's own: depth first by the number of open threes, over
 * counters of rows (five squares in a line) and of spans (four squares and both neighbours).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 15
#define CELLS (SIZE * SIZE)
#define TABLE (1 << 22)
#define DEEPEST 14 /* turns of the attacker: 27 plies */

static int rows[600][5], spans[600][6], n_rows, n_spans;
static int rows_of[CELLS][20], n_rows_of[CELLS];
static int8_t cell[CELLS];          /* 0 empty, 1, 2 */
static int8_t count[3][600];        /* stones of each player in each row */
static int8_t inside[3][600];       /* in the four squares of each span */
static int8_t beside[600];          /* and how many of its ends are taken */
static int with[3][6], open[3][6];  /* how many rows and spans hold so many stones of one alone */
static int spans_of[CELLS][24], n_spans_of[CELLS]; /* those of a square at an end are below 0 */
static uint64_t random_of[3][CELLS], key;
static struct entry { uint64_t key; int8_t turns, threes, won; } *table;
static long nodes, node_limit;
static int cut; /* whether a limit stopped a search */
static uint64_t chance = 88172645463325252ULL;

static uint64_t draw(void) {
  chance ^= chance << 13;
  chance ^= chance >> 7;
  chance ^= chance << 17;
  return chance;
}

static void lay_out(void) {
  static const int dx[4] = {1, 0, 1, 1}, dy[4] = {0, 1, 1, -1};
  for (int d = 0; d < 4; d++)
    for (int y = 0; y < SIZE; y++)
      for (int x = 0; x < SIZE; x++)
        for (int length = 5; length <= 6; length++) {
          int ex = x + (length - 1) * dx[d], ey = y + (length - 1) * dy[d];
          if (ex >= SIZE || ey < 0 || ey >= SIZE) continue;
          int *line = length == 5 ? rows[n_rows] : spans[n_spans];
          for (int i = 0; i < length; i++) line[i] = (y + i * dy[d]) * SIZE + x + i * dx[d];
          if (length == 6) {
            for (int i = 0; i < 6; i++)
              spans_of[line[i]][n_spans_of[line[i]]++] = i == 0 || i == 5 ? ~n_spans : n_spans;
            n_spans++;
          } else {
            for (int i = 0; i < 5; i++) rows_of[line[i]][n_rows_of[line[i]]++] = n_rows;
            n_rows++;
          }
        }
  for (int p = 0; p < 3; p++)
    for (int s = 0; s < CELLS; s++) random_of[p][s] = draw();
  table = calloc(TABLE, sizeof *table);
}

/* Counts the row or span in or out of those that one player has alone. */
static void tally(int r, int8_t (*stones)[600], int (*total)[6], int change) {
  if (!stones[2][r]) total[1][stones[1][r]] += change;
  if (!stones[1][r]) total[2][stones[2][r]] += change;
}

static void changed(int s, int p, int by) {
  for (int i = 0; i < n_rows_of[s]; i++) {
    int r = rows_of[s][i];
    tally(r, count, with, -1);
    count[p][r] += by;
    tally(r, count, with, 1);
  }
  for (int i = 0; i < n_spans_of[s]; i++) {
    int r = spans_of[s][i], end = r < 0;
    if (end) r = ~r;
    if (!beside[r]) tally(r, inside, open, -1);
    if (end) beside[r] += by;
    else inside[p][r] += by;
    if (!beside[r]) tally(r, inside, open, 1);
  }
}

static void put(int s, int p) {
  cell[s] = p;
  key ^= random_of[p][s];
  changed(s, p, 1);
}

static void take(int s) {
  int p = cell[s];
  cell[s] = 0;
  key ^= random_of[p][s];
  changed(s, p, -1);
}

/* The empty squares of rows with so many stones of a player and none of the other's; how many. */
static int squares(int p, int stones, int *found) {
  static int seen[CELLS], mark;
  int n = 0, left = with[p][stones];
  mark++;
  for (int r = 0; left > 0 && r < n_rows; r++)
    if (count[p][r] == stones && count[3 - p][r] == 0 && left--)
      for (int i = 0; i < 5; i++) {
        int s = rows[r][i];
        if (!cell[s] && seen[s] != mark) seen[s] = mark, found[n++] = s;
      }
  return n;
}

/* The empty squares within spans whose four hold so many stones of a player alone and whose ends are
 * free; with `ends` these too. */
static int within(int p, int stones, int ends, int *found) {
  static int seen[CELLS], mark;
  int n = 0, left = open[p][stones];
  mark++;
  for (int r = 0; left > 0 && r < n_spans; r++) {
    int *s = spans[r];
    if (inside[p][r] != stones || inside[3 - p][r] || beside[r]) continue;
    left--;
    for (int i = 1 - ends; i < 5 + ends; i++)
      if (!cell[s[i]] && seen[s[i]] != mark) seen[s[i]] = mark, found[n++] = s[i];
  }
  return n;
}

static int attack(int a, int turns, int threes);

/* Whether every defence fails; how many plies the longest takes, 0 where one does not fail. */
static int answered(int a, int turns, int threes) {
  int defences[CELLS], n = within(a, 3, 1, defences), more[CELLS], m = squares(3 - a, 3, more);
  int longest = 0;
  for (int i = 0; i < m; i++) {
    int known = 0;
    for (int j = 0; j < n; j++) known |= defences[j] == more[i];
    if (!known) defences[n++] = more[i];
  }
  for (int i = 0; i < n; i++) {
    put(defences[i], 3 - a);
    int plies = attack(a, turns, threes);
    take(defences[i]);
    if (!plies) return 0;
    if (plies > longest) longest = plies;
  }
  return longest + 1;
}

static int tried(int a, int s, int turns, int threes, int four) {
  int fives[CELLS], plies = 0;
  put(s, a);
  if (!four) plies = answered(a, turns - 1, threes);
  else {
    int n = squares(a, 4, fives);
    if (n > 1) plies = 2;
    else {
      put(fives[0], 3 - a);
      plies = attack(a, turns - 1, threes);
      take(fives[0]);
      if (plies) plies++;
    }
  }
  take(s);
  return plies ? plies + 1 : 0;
}

/* The plies of a win of the attacker, who is at move, in so many turns, so many of them making open
 * threes; 0 if there is none. */
static int attack(int a, int turns, int threes) {
  int found[CELLS], held[CELLS], n, plies;
  if (squares(a, 4, found)) return 1;
  int checks = squares(3 - a, 4, held);
  if (checks > 1) return 0;
  if (turns <= 1) {
    cut = 1;
    return 0;
  }
  if (!checks && within(a, 3, 0, found)) return 3;
  struct entry *e = &table[(key ^ random_of[0][a]) & (TABLE - 1)];
  if (e->key == key + a && !e->won && e->turns >= turns && e->threes >= threes) {
    if (e->turns < 100) cut = 1;
    return 0;
  }
  if (e->key == key + a && e->won && e->won <= 2 * turns - 1) return e->won;
  if (++nodes > node_limit) {
    cut = 1;
    return 0;
  }
  int before = cut;
  cut = 0;
  plies = 0;
  n = squares(a, 3, found);
  for (int i = 0; i < n && !plies; i++)
    if (!checks || found[i] == held[0]) plies = tried(a, found[i], turns, threes, 1);
  if (checks) { /* what stops it may threaten nothing, while an open three stands from before */
    int four = 0;
    for (int i = 0; i < n; i++) four |= found[i] == held[0];
    put(held[0], a);
    int stands = open[a][3] > 0;
    take(held[0]);
    if (!four && stands) plies = tried(a, held[0], turns, threes, 0);
  } else if (!plies) {
    int fours = n, four[CELLS];
    memcpy(four, found, sizeof four);
    n = within(a, 2, 0, found);
    if (n && !threes) cut = 1, n = 0;
    for (int i = 0; i < n && !plies; i++) {
      int known = 0;
      for (int j = 0; j < fours; j++) known |= four[j] == found[i];
      if (!known) plies = tried(a, found[i], turns, threes - 1, 0);
    }
  }
  if (nodes <= node_limit) {
    e = &table[(key ^ random_of[0][a]) & (TABLE - 1)];
    e->key = key + a;
    e->turns = cut ? turns : 100;
    e->threes = cut ? threes : 100;
    e->won = plies;
  }
  cut |= before;
  return plies;
}

/* The plies of the win that is found first with more and more threes; 0 if there is none, -1 if that
 * was not found out. */
static int found_first(int a, int turns, long most) {
  nodes = 0;
  node_limit = most;
  for (int threes = 0; threes <= 40; threes++) {
    cut = 0;
    int plies = attack(a, turns, threes);
    if (nodes > node_limit) return -1;
    if (plies || !cut) return plies;
  }
  return 0;
}

/* The same; shorter wins than 9 plies are looked for before longer ones. */
static int win(int a, long most) {
  int plies = found_first(a, 4, most);
  return plies > 0 ? plies : found_first(a, 40, most);
}

/* A turn as a middling player makes it, with some chance. */
static int turn(int p) {
  static const int own[5] = {1, 8, 40, 300, 100000}, his[5] = {1, 5, 30, 250, 20000};
  int best = -1;
  long most = -1;
  for (int s = 0; s < CELLS; s++) {
    if (cell[s]) continue;
    long worth = 0;
    for (int i = 0; i < n_rows_of[s]; i++) {
      int r = rows_of[s][i];
      if (!count[3 - p][r]) worth += own[count[p][r]];
      else if (!count[p][r]) worth += his[count[3 - p][r]];
    }
    worth = worth * (70 + draw() % 60);
    if (worth > most) most = worth, best = s;
  }
  return best;
}

static void tell(int plies, const int *line, int n) {
  if (plies) printf("win %d :", plies);
  else printf("none :");
  for (int i = 0; i < n; i++) printf(" %c%d", 'a' + line[i] % SIZE, line[i] / SIZE + 1);
  printf("\n");
  fflush(stdout);
}

static void clear(void) {
  memset(cell, 0, sizeof cell);
  memset(count, 0, sizeof count);
  memset(inside, 0, sizeof inside);
  memset(beside, 0, sizeof beside);
  memset(with, 0, sizeof with);
  memset(open, 0, sizeof open);
  with[1][0] = with[2][0] = n_rows;
  open[1][0] = open[2][0] = n_spans;
  key = 0;
}

/* Judges the positions of a file anew; those that stay open are left out. */
static void judge(long most) {
  char text[4096], file;
  int rank, used;
  while (fgets(text, sizeof text, stdin)) {
    char *at = strchr(text, ':');
    int line[CELLS], n = 0;
    if (!at) continue;
    clear();
    for (at++; sscanf(at, " %c%d%n", &file, &rank, &used) == 2; at += used) {
      line[n] = (rank - 1) * SIZE + file - 'a';
      put(line[n], 1 + n % 2);
      n++;
    }
    int plies = win(1 + n % 2, most);
    if (plies >= 0) tell(plies, line, n);
  }
}

int main(int argc, char **argv) {
  if (argc == 3 && !strcmp(argv[1], "judge")) return lay_out(), judge(atol(argv[2])), 0;
  if (argc != 5) return fprintf(stderr, "generate SEED WINS NEAR NODES\n"), 2;
  int wanted = atoi(argv[2]), near = atoi(argv[3]), of_length[64] = {0};
  long most = atol(argv[4]);
  chance ^= (uint64_t)atol(argv[1]) * 0x9E3779B97F4A7C15ULL;
  lay_out();
  while (wanted > 0 || near > 0) {
    int line[CELLS], n = 0, a = 1, last = -9, quiet = -9, found[CELLS];
    clear();
    while (n < 60) {
      int calm = n >= 8 && !with[a][4] && !with[3 - a][4];
      int plies = calm && squares(a, 3, found) + within(a, 2, 0, found) >= 4 ? win(a, most) : -2;
      if (plies >= 9 && plies <= 2 * DEEPEST - 1 && n >= last + 5 && wanted > 0 && of_length[plies] < 30) {
        last = n;
        wanted--, of_length[plies]++, tell(plies, line, n);
      }
      if (plies > 0 && quiet >= n - 6 && near > 0) near--, tell(0, line, quiet), quiet = -9;
      if (plies == 0) quiet = n;
      int s = n < 3 ? (int)((4 + draw() % 7) * SIZE + 4 + draw() % 7) : turn(a);
      if (s < 0 || cell[s]) break;
      line[n++] = s;
      put(s, a);
      if (with[a][5]) break;
      a = 3 - a;
    }
  }
  return 0;
}
