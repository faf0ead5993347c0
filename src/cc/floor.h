/* The floor cc: its rooms, in their order. */
#pragma once
#include "site.h"
#include "words.h"
#include "command.h"
#include "dependencies.h"
#include "compile.h"
#include "load.h"
#include "session.h"
#include "call.h"
