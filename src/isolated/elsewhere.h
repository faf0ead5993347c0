/* The table of functions by which other floors make audits, and trials in child processes: see
   statement/elsewhere.h. */
#pragma once
#include "../base/floor.h"
#include "../statement/floor.h"
#include "in_child.h"
#include "audit.h"
#include "parent.h"

AUTOTUNE__DEFINE_TABLE(struct autotune__elsewhere, autotune__in_children, autotune__plan_isolation,
                       autotune__launches_here, autotune__was_rehearsal, autotune__is_in_child,
                       autotune__report_as_child, autotune__tell_answer, autotune__end_child_process,
                       autotune__stay_with_parent, autotune__audit_launch, autotune__freeze_memory,
                       autotune__compare_memory)
