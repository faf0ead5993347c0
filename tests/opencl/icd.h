/* icd.h - an OpenCL device for tests (icd.c), which can fail on request, as a real device cannot.

   Its times are virtual: a launch takes 100 us divided by the local size, plus 0.5 us. So the fastest local size is
   known. The programs reach it by the extension function "icd_control". */
#ifndef ICD_H
#define ICD_H

typedef struct icd_control {
    long launches;                              /* launches so far */
    long builds, loads;                         /* programs built from source, and from machine code */
    long kills;                                 /* a build from source kills the process */
    long hang_at, fail_at, lose_at;             /* the number of the launch that hangs, or fails with
                                                   CL_OUT_OF_RESOURCES, or also breaks the device; 0: none */
    long hang_ends;                             /* the launch that hangs ends now */
    long refuse_local;                          /* enqueues with this local size are refused; 0: none */
    long refusal;                               /* the error of these enqueues; 0: CL_OUT_OF_RESOURCES */
    long no_memory;                             /* clCreateBuffer returns CL_MEM_OBJECT_ALLOCATION_FAILURE */
    long gap_ns;                                /* from the end of a launch to the beginning of the next */
    long behind;                                /* a launch ends only after so many later launches */
    long waits, barriers;                       /* calls of clFinish and of clFlush; barriers and markers */
    long before_finish;                         /* launches before the first clFinish since this was -1 */
    long lost;                                  /* the device is lost */
    long wordy;                                 /* the name and the version of the device have 100 characters each */
    double (*time_of)(size_t local);            /* returns the time of a launch in ns; NULL: as above */
} icd_control;
typedef icd_control *icd_control_of(void);

#endif
