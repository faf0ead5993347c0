/* The floor site: its rooms, in their order. */
#pragma once
#include "hit.h"
#include "lists.h"
#include "diagnostics.h"
#include "build.h"
#include "values.h"
#include "items.h"
#include "loops.h"
#include "statements.h"
