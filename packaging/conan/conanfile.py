import os
import re

from conan import ConanFile
from conan.tools.files import copy, load

required_conan_version = ">=2.0"


class AutotuneConan(ConanFile):
    """The headers of this repository, and stb_ds.h, which the implementation includes. One file of the program compiles
    the implementation."""

    name = "autotune"
    description = "A tuner at every call site, for C and C++"
    license = "MIT"
    topics = ("autotuning", "hpc", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    no_copy_source = True

    @property
    def _repository(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self._repository, "autotune.h"))
        self.version = ".".join(re.findall(r"#define AUTOTUNE_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))

    def export_sources(self):
        copy(self, "autotune*.h", self._repository, self.export_sources_folder, excludes="*/*")
        copy(self, "LICENSE", self._repository, self.export_sources_folder)

    def requirements(self):
        self.requires("stb/[>=cci.20220909]", transitive_headers=True)

    def package_id(self):
        self.info.settings.clear()

    def package(self):
        copy(self, "autotune*.h", self.source_folder, os.path.join(self.package_folder, "include"))
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["pthread", "dl"]
