/* The floor device: its rooms, in their order. */
#pragma once
#include "cpu.h"
#include "clock.h"
#include "formats.h"
#include "buffers.h"
#include "elements.h"
#include "poison.h"
#include "outputs.h"
