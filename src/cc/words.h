/* The words of a command line: the known options, and their meaning. */
#pragma once
#include "../base/floor.h"
#include "../kernels/floor.h"

/* The options that come first. The program chooses the optimisation.
   -shared, -fPIC: the source becomes a library.
   -fno-semantic-interposition: functions of the library call each other directly.
   -Wl,-z,noseparate-code: code and constants share pages. This halves the bytes that are written and mapped, and saves
   a quarter of the time.
   -Wp,-v: the compiler prints the folders that it searches for headers. */
static const char autotune__cc_own_options[] =
    "-shared\0-fPIC\0-fno-semantic-interposition\0-Wl,-z,noseparate-code\0-Wp,-v\0";
static const char autotune__cc_names_compiler[] = "--cc=";

/* The known options. Any other word may make the compiler read files that its list of dependencies lacks. */
static const autotune__known_option autotune__cc_options[] = {
    { "I", AUTOTUNE__OPTION_FOLDER }, { "isystem", AUTOTUNE__OPTION_FOLDER }, { "iquote", AUTOTUNE__OPTION_FOLDER },
    { "idirafter", AUTOTUNE__OPTION_FOLDER }, { "fplugin", AUTOTUNE__OPTION_FILE },
    { "fprofile", AUTOTUNE__OPTION_FILE }, { "fbranch-probabilities", AUTOTUNE__OPTION_FILE },
    { "fauto-profile", AUTOTUNE__OPTION_FILE }, { "fmodule", AUTOTUNE__OPTION_FILE }, { "for-", AUTOTUNE__OPTION_FILE },
    { "Wl,", AUTOTUNE__OPTION_FILE }, { "Wa,", AUTOTUNE__OPTION_FILE }, { "Wp,", AUTOTUNE__OPTION_FILE },
    { "gcc-", AUTOTUNE__OPTION_FILE }, { "f", AUTOTUNE__OPTION_OTHER }, { "W", AUTOTUNE__OPTION_OTHER },
    { "m", AUTOTUNE__OPTION_OTHER }, { "O", AUTOTUNE__OPTION_OTHER }, { "g", AUTOTUNE__OPTION_OTHER },
    { "D", AUTOTUNE__OPTION_OTHER }, { "U", AUTOTUNE__OPTION_OTHER }, { "std=", AUTOTUNE__OPTION_OTHER },
    { "param=", AUTOTUNE__OPTION_OTHER }, { "pthread", AUTOTUNE__OPTION_OTHER }, { "cpp", AUTOTUNE__OPTION_OTHER },
    { "cc=", AUTOTUNE__OPTION_OTHER }, { "l", AUTOTUNE__OPTION_OTHER }, { NULL, AUTOTUNE__OPTION_FILE }
};
/* The values of these variables decide machine code, like options of the program. */
static const char *const autotune__cc_variables[] = {
    "AUTOTUNE_CC", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH", "LIBRARY_PATH", "LD_RUN_PATH",
    NULL
};
