/* GAME, as rulewright has built it.

   One game is in progress: of two threads only one may call anything here.
   Players are PLAYERS_BY_NUMBER. */
#ifndef RULEWRIGHT_GAME_H
#define RULEWRIGHT_GAME_H

#define RW_PLAYERS HOW_MANY

#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

void rw_start(void);                 /* begin a game: call it before anything else */
int64_t rw_moves(void);              /* how many decisions there are; 0 when the game is over */
int64_t rw_play(int64_t number);     /* play one of them by its number; 1 if it was played */
int64_t rw_undo(void);               /* take the last one back; 1 if there was one */
int64_t rw_mover(void);              /* the player at move */
int64_t rw_result(void);             /* who has won, RW_PLAYERS for a draw, -1 while the game goes on */
int64_t rw_place(int64_t player);    /* a player's place at the end, from 1; 0 while the game goes on */
int64_t rw_fault(void);              /* what the rules did wrong, 0 if nothing */

int64_t rw_by_chance(void);          /* 1 where chance makes the next decision, and no player */
int64_t rw_roll(int64_t seed);       /* the number of what chance decides, the same for a seed; -1 if not */
double rw_likelihood(int64_t number);  /* how likely chance makes a decision */

int64_t rw_write(int64_t number);    /* write the text of a decision; its length in bytes */
char *rw_text(void);                 /* what was written last */
char *rw_wanted(void);               /* 512 bytes for the text that rw_find looks for */
int64_t rw_find(void);               /* the number of the decision of that text, -1 for none */

int64_t rw_perft(int64_t depth);     /* sequences of so many decisions; below 0: faults, no room */
int64_t rw_playouts(int64_t games, int64_t seed, int64_t most);  /* random games; all decisions */
int64_t rw_counted(int64_t which);   /* of these: won by each person, then draws, then faults */

int64_t rw_think(int64_t seed);      /* begin a search; then call nothing else until it is ended.
                                        How many decisions there are: 0 where no player decides */
void rw_think_within(int64_t nodes); /* say how many it may search in all: it shares them out */
int64_t rw_think_on(int64_t nodes);  /* search on for so many: 0 there is more to do, 1 it is over */
int64_t rw_nodes(void);              /* decisions that the search has played or weighed */
int64_t rw_think_end(void);          /* end it; the number of the best decision */
double rw_value(void);               /* what that is worth for the player at move */
int64_t rw_proven(void);             /* whether the result is settled by it; a personality's `must` is believed */
int64_t rw_line(void);               /* decisions of the best line */
int64_t rw_write_line(int64_t number);  /* write the text of one of them */

#ifdef __cplusplus
}
#endif

/* The text of a decision. */
static inline const char *rw_move_text(int64_t number) {
  rw_write(number);
  return rw_text();
}

/* Play a decision by its text; 1 if it was played. */
static inline int64_t rw_play_text(const char *text) {
  if (strlen(text) >= 504) return 0;
  strncpy(rw_wanted(), text, 512);
  return rw_play(rw_find());
}

/* The best decision within so many nodes; -1 where no player decides. */
static inline int64_t rw_best(int64_t nodes, int64_t seed) {
  if (rw_think(seed) == 0) return -1;
  rw_think_within(nodes);
  while (rw_nodes() < nodes && rw_think_on(nodes - rw_nodes()) == 0) {
  }
  return rw_think_end();
}

#endif
