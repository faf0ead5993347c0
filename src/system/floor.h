/* The floor system: its rooms, in their order. */
#pragma once
#include "put_text.h"
#include "types.h"
#ifdef _WIN32
#include "windows.h"
#else
#include "rights.h"
#include "clock.h"
#include "files.h"
#include "threads.h"
#include "library.h"
#include "processor.h"
#include "child.h"
#include "named_memory.h"
#include "frozen.h"
#include "programs.h"
#include "code.h"
#endif
#include "portable.h"
