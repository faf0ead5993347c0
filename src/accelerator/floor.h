/* The floor accelerator: its rooms, in their order. Each header of a device has a copy of them, of which the first one
   counts. */
#pragma once
#ifndef AUTOTUNE__ACCELERATORS_IMPLEMENTED
#define AUTOTUNE__ACCELERATORS_IMPLEMENTED
#include "accelerator.h"
#include "lost_device.h"
#include "session.h"
#include "clock.h"
#include "launch.h"
#endif
