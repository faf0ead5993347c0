/* The floor kernels: its rooms, in their order. Each header of a backend with a compiler has a copy of them. The
   guard makes the program's own compiler skip all copies but the first. */
#pragma once
#ifndef AUTOTUNE__KERNELS_IMPLEMENTED
#define AUTOTUNE__KERNELS_IMPLEMENTED
#include "site.h"
#include "digest.h"
#include "compiler.h"
#include "includes.h"
#include "source_words.h"
#include "images.h"
#include "image_turn.h"
#include "definitions.h"
#include "program.h"
#include "compilation.h"
#include "compile.h"
#include "kernels.h"
#include "workers.h"
#include "ahead.h"
#include "find.h"
#include "free_kernels.h"
#endif
