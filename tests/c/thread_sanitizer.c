/* rustc's code for the thread sanitizer calls these three by names that the runtime of gcc does not have; under their usual
 * names it watches them. */
#include <string.h>

void *__tsan_memcpy(void *to, const void *from, size_t count) { return memcpy(to, from, count); }
void *__tsan_memmove(void *to, const void *from, size_t count) { return memmove(to, from, count); }
void *__tsan_memset(void *to, int byte, size_t count) { return memset(to, byte, count); }
