import os

from conan import ConanFile
from conan.tools.files import copy


class HeaderConan(ConanFile):
    """A package of one header of this system: stands for the package stb, so that nothing is downloaded."""

    package_type = "header-library"

    def package(self):
        header, folder = os.environ["AUTOTUNE_TEST_HEADER"].rsplit("/", 1)[::-1]
        copy(self, header, folder, os.path.join(self.package_folder, "include"))

    def package_info(self):
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
