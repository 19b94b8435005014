#include <jansson.h>

/* The type of a value is behind a macro, and so is letting go of one. */
static inline int perch_json_is_string(const json_t *value) { return json_is_string(value); }
static inline int perch_json_is_integer(const json_t *value) { return json_is_integer(value); }
static inline int perch_json_is_true(const json_t *value) { return json_is_true(value); }
static inline void perch_json_release(json_t *value) { json_decref(value); }
