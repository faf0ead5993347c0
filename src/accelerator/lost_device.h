/* A lost device: an error made its context unusable, or a launch in the context does not end. The driver's judge() says
   which errors mean a loss. Each later statement of the context ends with AUTOTUNE_ERR_DEVICE and the reason. If the
   launch ends after all, a later statement notices this, and the device works again. A launch that hangs may still use
   events, memory and kernels. So code that frees events, memory or kernels calls autotune__lost_accelerator() first,
   and frees nothing of a lost context. Other contexts of the device may work. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../statement/floor.h"
#include "accelerator.h"

/* Returns why the context must not be used; NULL: the context works. */
static const char *autotune__lost_accelerator(const autotune__accelerator *accelerator) {
    return __atomic_load_n(&accelerator->lost, __ATOMIC_ACQUIRE);
}
/* Returns AUTOTUNE_OK if the device works. Else explains the loss, and returns AUTOTUNE_ERR_DEVICE. */
static autotune_status autotune__check_lost(const autotune__accelerator *accelerator) {
    const char *why = autotune__lost_accelerator(accelerator);
    if (!why) return AUTOTUNE_OK;
    autotune_explain("%s", why);
    return AUTOTUNE_ERR_DEVICE;
}
/* Declares the device lost, unless it is lost already. tuning: the statement that used the device; NULL: no statement
   used the device. The reason names the configuration in trial, if there is a trial. */
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
