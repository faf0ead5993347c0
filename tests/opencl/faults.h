/* faults.h - functions for the programs that run on the device of icd.c. */
#ifndef FAULTS_H
#define FAULTS_H

#include "device.h"
#include "icd.h"
#include "../backends.h"
#include <CL/cl_ext.h>

static icd_control *control;

/* Finds the device of icd.c. If OCL_ICD_VENDORS does not name it, the program ends as skipped. */
static inline void find_test_device(void) {
    cl_platform_id platform;
    icd_control_of *control_of;
    void *found;
    find_device();
    MUST(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
    found = clGetExtensionFunctionAddressForPlatform(platform, "icd_control");
    if (!found) {
        puts("OCL_ICD_VENDORS names no device of the tests, NOT TRIED");
        exit(77);
    }
    memcpy(&control_of, &found, sizeof found);
    control = control_of();
}

#endif
