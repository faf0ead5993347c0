/* The floor accelerator: its rooms, in their order. The header of each device has a copy of them. The compiler reads
   the first copy alone. */
#pragma once
#ifndef AUTOTUNE__ACCELERATORS_IMPLEMENTED
#define AUTOTUNE__ACCELERATORS_IMPLEMENTED
#include "accelerator.h"
#include "lost_device.h"
#include "session.h"
#include "clock.h"
#include "launch.h"
#endif
