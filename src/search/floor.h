/* The floor search: its rooms, in their order. */
#pragma once
#include "lattice.h"
#include "points.h"
#include "model.h"
#include "proposals.h"
#include "strategies.h"
#include "create.h"
#include "ask_tell.h"
