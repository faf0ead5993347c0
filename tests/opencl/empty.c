/* empty.c - a libOpenCL.so.1 that has no function of OpenCL. */
int nothing_of_opencl(void);
int nothing_of_opencl(void) { return 0; }
