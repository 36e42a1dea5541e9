/* Checks what `generate.c` says of positions of Connect 5, against every defence.
 *
 *   gcc -O2 -o /tmp/verify verify.c && /tmp/verify NODES <positions.txt
 *
 * Out: each line again, behind "sure", "wrong" or "open" (more than NODES positions would have been
 * looked at), and at the end how many were what; status 1 if one was not sure.  "win N" is sure if
 * the player at move wins in at most N plies whatever the other one does, by fours and threats of
 * two fives at once alone; "none" if no such win was found when all were tried.
 *
 * It shares nothing with the generator: rows are walked on the board itself, and a threat that is no
 * four is answered by every empty square, not by those that look like answers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDE 17 /* 15 and a border */
#define AREA (WIDE * WIDE)
#define PLACES (1 << 20)

enum { EMPTY, CROSS, NOUGHT, BORDER };
static const int steps[4] = {1, WIDE, WIDE + 1, WIDE - 1};
static char board[AREA];
static int squares[225];
static unsigned long long names[3][AREA], name;
static struct known { unsigned long long name; short turns, threes; } *lost;
static long looked, most;
static int limited;

static int run(int s, int d, int who) {
  int n = 0;
  while (board[s += d] == who) n++;
  return n;
}

/* Whether a stone on an empty square makes five. */
static int makes_five(int s, int who) {
  for (int i = 0; i < 4; i++)
    if (1 + run(s, steps[i], who) + run(s, -steps[i], who) >= 5) return 1;
  return 0;
}

/* The squares that make five, among those on the lines through a square or, for -1, everywhere. */
static int fives(int around, int who, int *found) {
  int n = 0;
  if (around < 0) {
    for (int i = 0; i < 225; i++)
      if (!board[squares[i]] && makes_five(squares[i], who)) found[n++] = squares[i];
    return n;
  }
  for (int i = 0; i < 8; i++) {
    int d = i < 4 ? steps[i] : -steps[i - 4];
    for (int k = 1, s = around + d; k <= 4 && board[s] != BORDER; k++, s += d)
      if (!board[s] && makes_five(s, who)) found[n++] = s;
  }
  return n;
}

static void play(int s, int who) {
  board[s] = who;
  name ^= names[who][s];
}

static void undo(int s) {
  name ^= names[(int)board[s]][s];
  board[s] = EMPTY;
}

/* The most stones of a player on one line through a square, at the most four away. */
static int company(int s, int who) {
  int most_on_one = 0;
  for (int i = 0; i < 4; i++) {
    int n = 0;
    for (int side = -1; side <= 1; side += 2)
      for (int k = 1, at = s + side * steps[i]; k <= 4 && (!board[at] || board[at] == who); k++) {
        n += board[at] == who;
        at += side * steps[i];
      }
    if (n > most_on_one) most_on_one = n;
  }
  return most_on_one;
}

/* How many fives a stone on a square would threaten. */
static int threatens(int s, int who) {
  int found[64];
  if (company(s, who) < 3) return 0;
  board[s] = who;
  int n = fives(s, who, found);
  board[s] = EMPTY;
  return n;
}

static int wins(int who, int turns, int threes);

/* Whether the other player is lost, who must answer a threat that is no four: every square is tried. */
static int all_lose(int who, int turns, int threes) {
  int strong[225], n = 0;
  for (int i = 0; i < 225; i++)
    if (!board[squares[i]] && threatens(squares[i], who) > 1) strong[n++] = squares[i];
  if (!n || turns < 2) return 0;
  for (int i = 0; i < 225; i++) {
    int s = squares[i], at_once = 0;
    if (board[s]) continue;
    int four = threatens(s, 3 - who);
    play(s, 3 - who);
    for (int j = 0; j < n && !four && !at_once; j++)
      at_once = !board[strong[j]] && threatens(strong[j], who) > 1;
    int lost_too = at_once || wins(who, turns, threes);
    undo(s);
    if (!lost_too) return 0;
  }
  return 1;
}

static int by(int s, int who, int turns, int threes, int four) {
  int found[64], won;
  play(s, who);
  int n = four ? fives(s, who, found) : 0;
  if (n > 1) won = 1;
  else if (n == 1) {
    play(found[0], 3 - who);
    won = wins(who, turns - 1, threes);
    undo(found[0]);
  } else won = all_lose(who, turns - 1, threes);
  undo(s);
  return won;
}

/* Whether the player at move wins by threats in so many turns. */
static int wins(int who, int turns, int threes) {
  int found[225], held[225], kind[AREA];
  if (turns < 1) return limited = 1, 0;
  if (fives(-1, who, found)) return 1;
  int n = fives(-1, 3 - who, held);
  if (n > 1) return 0;
  if (turns < 2) return limited = 1, 0;
  struct known *k = &lost[(name * 3 + who) & (PLACES - 1)];
  if (k->name == name * 3 + who && k->turns >= turns && k->threes >= threes) {
    if (k->turns < 999) limited = 1;
    return 0;
  }
  if (++looked > most) return limited = 1, 0;
  int before = limited, won = 0;
  limited = 0;
  for (int i = 0; i < 225; i++) {
    int s = squares[i];
    kind[s] = board[s] || (n && s != held[0]) ? -1 : threatens(s, who);
  }
  if (turns > 2)
    for (int i = 0; i < 225 && !won; i++)
      if (kind[squares[i]] > 1) won = 1;
  for (int i = 0; i < 225 && !won; i++)
    if (kind[squares[i]] > 0) won = by(squares[i], who, turns, threes, 1);
  for (int i = 0; i < 225 && !won; i++)
    if (kind[squares[i]] == 0) {
      int s = squares[i];
      if (!n && company(s, who) < 2) continue;
      if (!n && threes < 1) {
        limited = 1;
        break;
      }
      won = by(s, who, turns, n ? threes : threes - 1, 0);
    }
  if (!won && looked <= most) {
    k->name = name * 3 + who;
    k->turns = limited ? turns : 999;
    k->threes = limited ? threes : 999;
  }
  limited |= before;
  return won;
}

/* 1 for a win in so many turns, 0 for none, -1 if that stays open. */
static int proven(int who, int turns) {
  looked = 0;
  for (int threes = 0; threes <= turns; threes++) {
    limited = 0;
    if (wins(who, turns, threes)) return 1;
    if (looked > most) return -1;
    if (!limited) return 0;
  }
  return 0;
}

static int read_turns(const char *at) {
  char file;
  int rank, used, who = CROSS;
  for (int i = 0; i < 225; i++) board[squares[i]] = EMPTY;
  name = 0;
  for (; sscanf(at, " %c%d%n", &file, &rank, &used) == 2; at += used, who = 3 - who)
    play((rank - 1 + 1) * WIDE + file - 'a' + 1, who);
  return who;
}

int main(int argc, char **argv) {
  char line[4096];
  int told[3] = {0}, plies;
  if (argc != 2) return fprintf(stderr, "verify NODES <positions.txt\n"), 2;
  most = atol(argv[1]);
  lost = calloc(PLACES, sizeof *lost);
  memset(board, BORDER, sizeof board);
  for (int i = 0; i < 225; i++) squares[i] = (i / 15 + 1) * WIDE + i % 15 + 1;
  srand(1);
  for (int i = 0; i < AREA; i++)
    for (int j = 1; j < 3; j++)
      for (int k = 0; k < 4; k++) names[j][i] = names[j][i] << 16 ^ (unsigned)rand();
  while (fgets(line, sizeof line, stdin)) {
    char *turns = strchr(line, ':');
    if (!turns) continue;
    int claimed = sscanf(line, "win %d", &plies) == 1, who = read_turns(turns + 1);
    int found = proven(who, claimed ? (plies + 1) / 2 : 99);
    int verdict = found < 0 ? 2 : found != claimed;
    told[verdict]++;
    printf("%s %s", (const char *[]){"sure", "wrong", "open"}[verdict], line);
    fflush(stdout);
  }
  printf("%d sure, %d wrong, %d open\n", told[0], told[1], told[2]);
  return told[1] || told[2];
}
