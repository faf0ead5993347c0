/* The words of a command line: which options there are, and what they tell. */
#pragma once
#include "../base/floor.h"
#include "../kernels/floor.h"

/* The compiled source becomes a library, whose functions call each other directly. Its code and its constants share
   pages: half as many bytes are written and mapped, and a quarter less time is taken for it. The compiler prints the
   folders that it searches for headers. No optimisation is among the options: that is the program's to choose. */
static const char autotune__cc_own_options[] =
    "-shared\0-fPIC\0-fno-semantic-interposition\0-Wl,-z,noseparate-code\0-Wp,-v\0";
static const char autotune__cc_names_compiler[] = "--cc=";

/* All other words may bring in files that no list of the compiler names. */
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
/* The values of these variables decide machine code, as options of the program do. */
static const char *const autotune__cc_variables[] = {
    "AUTOTUNE_CC", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH", "LIBRARY_PATH", "LD_RUN_PATH",
    NULL
};
