#include <zlib.h>

/* deflateInit2 is a macro that adds the version that was compiled against. */
static inline int perch_deflate_init_gzip(z_stream *stream) {
    /* 15 bits of window, and 16 more for gzip's frame instead of zlib's; 8 is the default of memory. */
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
