/* The floor isolated: its rooms, in their order. */
#pragma once
#include "state.h"
#include "in_child.h"
#include "audit.h"
#include "parent.h"
#include "elsewhere.h"
