/* The floor mpi: its rooms, in their order. */
#pragma once
#include "site.h"
#include "exchange.h"
#include "communicators.h"
