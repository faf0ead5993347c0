/* The cache on disk as the floors above see it: all of it, or the same functions for a program that has none. */
#pragma once
#include "../base/memory.h"
#include "session.h"

#ifndef AUTOTUNE_NO_CACHE
#include "json.h"
#include "line_head.h"
#include "machine.h"
#include "write_files.h"
#include "write_record.h"
#include "read_record.h"
#include "lines.h"
#include "folder.h"
#include "lock.h"
#include "file.h"
#include "suspects.h"
#include "journal.h"
#include "recall.h"
#include "former.h"
#include "seeds.h"
#include "process_turns.h"
#include "remember.h"
#include "save_load.h"
#include "clear_disk.h"
#else
#include "none.h"
#endif
