/* icd.h - an OpenCL device of the tests' own (icd.c), for what a real one never does when it is asked to.

   Its times are virtual: a launch takes 100 us over the local size, and half a microsecond more; so the fastest local
   size is known. The programs reach it by the extension function "icd_control". */
#ifndef ICD_H
#define ICD_H

typedef struct icd_control {
    long launches;                              /* made so far */
    long builds, loads;                         /* programs built from source, and from machine code */
    long kills;                                 /* what is built from source kills the process */
    long hang_at, fail_at, lose_at;             /* the number of the launch that hangs, ends with CL_OUT_OF_RESOURCES,
                                                   or ends so and breaks the device; 0: none does */
    long hang_ends;                             /* what hangs was only slow, and has ended */
    long refuse_local;                          /* enqueues with this local size are refused; 0: none */
    long refusal;                               /* what they return; 0: CL_OUT_OF_RESOURCES */
    long no_memory;                             /* clCreateBuffer returns CL_MEM_OBJECT_ALLOCATION_FAILURE */
    long gap_ns;                                /* from the end of a launch to the beginning of the next */
    long behind;                                /* what stands in a queue is done when so many launches came after it */
    long waits, barriers;                       /* calls of clFinish and of clFlush; barriers and markers */
    long before_finish;                         /* launches before the first clFinish since this was -1 */
    long lost;                                  /* the device is lost */
    long wordy;                                 /* its name and version have 100 characters each */
    double (*time_of)(size_t local);            /* what a launch takes, in nanoseconds; NULL: as above */
} icd_control;
typedef icd_control *icd_control_of(void);

#endif
