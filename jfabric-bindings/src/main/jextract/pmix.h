/* What jextract reads for PMIx: what a process of a job calls. */
#include <pmix.h>
