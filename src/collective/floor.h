/* The floor collective: its rooms, in their order. */
#pragma once
#include "join.h"
#include "launches.h"
#include "group_end.h"
#include "meet.h"
#include "races.h"
#include "divide.h"
#include "end.h"
#include "peers.h"
