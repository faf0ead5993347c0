/* The floor accelerator: its rooms, in their order. */
#pragma once
#include "accelerator.h"
#include "lost_device.h"
#include "session.h"
#include "clock.h"
#include "launch.h"
