/* The floor space: its rooms, in their order. */
#pragma once
#include "key.h"
#include "values.h"
#include "axes.h"
#include "labels.h"
#include "describe.h"
