/* The floor created: its rooms, in their order. */
#pragma once
#include "description.h"
#include "create.h"
#include "call.h"
#include "hit.h"
#include "step.h"
#include "queue.h"
#include "shutdown.h"
