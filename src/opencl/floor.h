/* The floor opencl: its rooms, in their order. */
#pragma once
#include "site.h"
#include "driver.h"
#include "errors.h"
#include "device.h"
#include "session.h"
#include "timing.h"
#include "program.h"
#include "elements.h"
#include "backend.h"
#include "launch.h"
