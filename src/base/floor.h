/* The floor base: its rooms, in their order. */
#pragma once
#include "libraries.h"
#include "memory.h"
#include "numbers.h"
#include "shortlist.h"
#include "text.h"
#include "checksum.h"
#include "files.h"
#include "tables.h"
#include "process.h"
#include "log.h"
#include "environment.h"
