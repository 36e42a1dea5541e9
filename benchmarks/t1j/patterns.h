/* Patterns, read from a file in T1's language as this project writes it. */

enum { KINDS = 10, CONDITIONS = 16, PATTERNS = 400 };
enum { C_OWN, C_OPP, C_FREE, C_POSSIBLE, C_EXISTS, C_STRONG, C_WEAK, C_ROW, C_SET, C_UNKNOWN };

static const char *const WORDS[] = {"Own", "Opp", "Free", "BPoss", "BExist", "Strong", "NStrong", "Row", "Set"};

typedef struct { int kind, n[4]; } Condition;

typedef struct {
    bool attack, symmetric;
    int set_x, set_y, count;
    Condition condition[CONDITIONS];
} Pattern;

static Pattern pattern[PATTERNS];
static int patterns;

static int kind_of(const char *word) {
    for (int i = 0; i < C_UNKNOWN; i++)
        if (!strcmp(word, WORDS[i])) return i;
    return C_UNKNOWN;
}

static void read_condition(Pattern *p, const char *line) {
    char word[16];
    Condition c = {0};
    if (sscanf(line, "%15s %d %d %d %d", word, &c.n[0], &c.n[1], &c.n[2], &c.n[3]) < 2) return;
    c.kind = kind_of(word);
    if (c.kind == C_SET) {
        p->set_x = c.n[0];
        p->set_y = c.n[1];
    } else if (c.kind != C_UNKNOWN && p->count < CONDITIONS)
        p->condition[p->count++] = c;
}

/* Heads, priorities and examples are skipped; what `Use` names is not read. */
static void read_patterns(const char *path) {
    char line[512], word[16];
    FILE *f = fopen(path, "r");
    if (!f) {
        perror(path);
        exit(2);
    }
    while (fgets(line, sizeof line, f)) {
        char *comment = strchr(line, '#');
        if (comment) *comment = 0;
        if (sscanf(line, "%15s", word) != 1) continue;
        bool attack = !strncmp(word, "Off", 3), defence = !strncmp(word, "Def", 3);
        if (attack || defence) {
            if (patterns == PATTERNS) break;
            pattern[patterns++] = (Pattern){.attack = attack, .symmetric = word[3] == 'S'};
        } else if (patterns)
            read_condition(&pattern[patterns - 1], line);
    }
    fclose(f);
}

/* A reference point as a frame: left and ahead in the view of its owner. */
typedef struct { const View *v; int x, y, left, ahead; bool attack; } Frame;

static int frame_x(const Frame *f, int x) { return f->x + f->left * x; }
static int frame_y(const Frame *f, int y) { return f->y + f->ahead * y; }

static bool link_possible(const Frame *f, const int *n, bool set) {
    int x = frame_x(f, n[0]), y = frame_y(f, n[1]);
    int d = way(frame_x(f, n[2]) - x, frame_y(f, n[3]) - y);
    return set ? LINKS(f->v, x, y) >> d & 1 : open_link(f->v, x, y, d);
}

static bool holds(const Frame *f, const Condition *c) {
    int x = frame_x(f, c->n[0]), y = frame_y(f, c->n[1]);
    int own = f->attack ? OWN : ENEMY;
    switch (c->kind) {
    case C_OWN: return PEG(f->v, x, y) == own;
    case C_OPP: return PEG(f->v, x, y) == OWN + ENEMY - own;
    case C_FREE: return x >= 0 && x < f->v->width && y >= 0 && y < f->v->height && PEG(f->v, x, y) == FREE;
    case C_POSSIBLE: return link_possible(f, c->n, false);
    case C_EXISTS: return link_possible(f, c->n, true);
    case C_STRONG: return LINKS(f->v, x, y) != 0;
    case C_WEAK: return LINKS(f->v, x, y) == 0;
    default: return c->n[0] == (f->ahead < 0 ? f->y : f->v->height - 1 - f->y);
    }
}

static bool fires(const Frame *f, const Pattern *p) {
    for (int i = 0; i < p->count; i++)
        if (!holds(f, &p->condition[i])) return false;
    return true;
}
