# A recipe for Spack. In a clone of the repository, run:
#
#     spack repo create autotune-repo && cp -r packaging/spack autotune-repo/packages/autotune
#     spack repo add autotune-repo && spack dev-build autotune@0.2.0
#
# A test (tests/source/check.sh, spack) checks that this file is Python, and that CMake has its options. Nobody has run
# it with Spack yet.
from spack.package import *


class Autotune(CMakePackage):
    """A tuner at every call site, for C, C++ and Fortran: headers, a library with their implementation, and the command
    autotune."""

    license("MIT")
    version("0.2.0")

    variant("cuda", default=False, description="the library has CUDA, which is opened at run time")
    variant("opencl", default=False, description="the library has OpenCL, which is opened at run time")
    variant("mpi", default=False, description="the library has the ranks of MPI programs")
    variant("fortran", default=False, description="there is a Fortran compiler for the module, which programs compile")
    variant("openmp", default=False, description="libautotune_openmp, for programs that nobody changes")
    variant("shared", default=False, description="the library is shared")

    depends_on("c", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.16:", type="build")
    depends_on("stb")
    depends_on("cuda@12:", when="+cuda")
    depends_on("opencl-headers", when="+opencl")
    depends_on("mpi", when="+mpi")

    def cmake_args(self):
        return [
            self.define("AUTOTUNE_INSTALL", True),
            self.define("AUTOTUNE_BUILD_IMPLEMENTATION", True),
            self.define("AUTOTUNE_BUILD_COMMAND", True),
            self.define("AUTOTUNE_BUILD_TESTS", False),
            self.define("AUTOTUNE_BUILD_EXAMPLES", False),
            self.define("AUTOTUNE_BUILD_BENCH", False),
            self.define_from_variant("AUTOTUNE_BUILD_OPENMP", "openmp"),
            self.define_from_variant("AUTOTUNE_WITH_CUDA", "cuda"),
            self.define_from_variant("AUTOTUNE_WITH_OPENCL", "opencl"),
            self.define_from_variant("AUTOTUNE_WITH_MPI", "mpi"),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
        ]
