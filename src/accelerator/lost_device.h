/* A device that is lost: an error left its context unusable, or a launch there does not end. If that launch ends after
   all, the device works again, as a later statement finds out. Until then nothing is done with this context any more:
   each statement there ends with AUTOTUNE_ERR_DEVICE and the reason. Nothing is freed there either, since what runs on
   the device may still use it: whoever frees events, memory or kernels asks here before. Other contexts of the device
   may work. The driver's judge() tells which errors mean this. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../statement/floor.h"
#include "accelerator.h"

/* Why nothing may be done there any more. NULL: it works. */
static const char *autotune__lost_accelerator(const autotune__accelerator *accelerator) {
    return __atomic_load_n(&accelerator->lost, __ATOMIC_ACQUIRE);
}
/* AUTOTUNE_ERR_DEVICE: it is lost, and the reason was told. */
static autotune_status autotune__check_lost(const autotune__accelerator *accelerator) {
    const char *why = autotune__lost_accelerator(accelerator);
    if (!why) return AUTOTUNE_OK;
    autotune_explain("%s", why);
    return AUTOTUNE_ERR_DEVICE;
}
/* It is lost from now on. tuning: the statement that worked there, whose trial is named in the reason; NULL: none
   did. */
static void autotune__declare_lost(autotune__accelerator *accelerator, const autotune__tuning *tuning,
                                   const char *why) {
    const autotune__driver_interface *driver = accelerator->driver;
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    const char *lost;
    if (autotune__lost_accelerator(accelerator)) return;
    autotune__append(&text, "%s", driver->lost);
    if (autotune__is_trying(tuning)) {
        autotune__append(&text, ", since ");
        autotune__append_trial(&text, tuning);
    }
    autotune__append(&text, " (%s)", why);
    lost = text.broken ? NULL : autotune__copy_string(autotune__string(&text));
    if (driver->keep) driver->keep(accelerator);
    __atomic_store_n(&accelerator->lost, lost ? lost : driver->lost, __ATOMIC_RELEASE);
}
