/* The floor accelerator: its rooms, in their order. The header of each backend of a device has a copy of them. The
   guard makes the program's own compiler skip all copies but the first. */
#pragma once
#ifndef AUTOTUNE__ACCELERATORS_IMPLEMENTED
#define AUTOTUNE__ACCELERATORS_IMPLEMENTED
#include "accelerator.h"
#include "lost_device.h"
#include "session.h"
#include "clock.h"
#include "launch.h"
#endif
