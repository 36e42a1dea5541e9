/* Plays random games through an engine: play GAMES SEED. The same lines as play.mjs writes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include ENGINE

static uint64_t state;
static int64_t chance(int64_t most) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int64_t)((state >> 33) % (uint64_t)most);
}

static void moves(void) {
  printf("\"moves\": [");
  for (int64_t i = 0; i < rw_moves(); i++) printf("%s\"%s\"", i ? ", " : "", rw_move_text(i));
  printf("]");
}

int main(int count, char **words) {
  if (count < 3) return 2;
  state = strtoull(words[2], NULL, 10);
  for (int64_t game = atoi(words[1]); game > 0; game--) {
    rw_start();
    printf("{\"plies\": [");
    for (int ply = 0; rw_result() < 0 && !rw_fault() && ply < 400; ply++) {
      char text[512];
      int64_t number = chance(rw_moves());
      strcpy(text, rw_move_text(number));
      printf("%s{\"mover\": %" PRId64 ", ", ply ? ", " : "", rw_mover());
      moves();
      printf(", \"likely\": [");
      for (int64_t i = 0; rw_by_chance() && i < rw_moves(); i++) printf("%s%.17g", i ? ", " : "", rw_likelihood(i));
      printf("], \"played\": \"%s\"}", text);
      if (rw_play_text(text) != 1) {
        if (rw_fault()) break;
        return 3;
      }
      if (chance(8) == 0 && (rw_undo() != 1 || rw_play(number) != 1)) return 4;
    }
    printf("], \"result\": %" PRId64 ", \"places\": [", rw_result());
    for (int i = 0; i < RW_PLAYERS; i++) printf("%s%" PRId64, i ? ", " : "", rw_place(i));
    printf("]}\n");
    if (rw_fault()) return 5;
  }
  rw_start();
  printf("{\"perft\": [%" PRId64 ", %" PRId64 ", %" PRId64 "]", rw_perft(0), rw_perft(1), rw_perft(2));
  printf(", \"playouts\": %" PRId64, rw_playouts(20, 5, 10000));
  printf(", \"wins\": [");
  for (int i = 0; i <= RW_PLAYERS; i++) printf("%s%" PRId64, i ? ", " : "", rw_counted(i));
  printf("]");
  for (int64_t i = 0; rw_by_chance(); i++) rw_play(rw_roll(i));
  printf(", \"best\": \"%s\"", rw_move_text(rw_best(500, 0)));
  rw_start();
  printf(", \"unknown\": %" PRId64 ", ", rw_play_text("nowhere"));
  moves();
  printf("}\n");
  return 0;
}
