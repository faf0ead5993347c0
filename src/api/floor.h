/* The floor api: its rooms, in their order. */
#pragma once
#include "language.h"
#include "types.h"
#include "backend.h"
#include "ranks.h"
#include "options.h"
#include "functions.h"
#include "search.h"
#include "created.h"
#include "known.h"
