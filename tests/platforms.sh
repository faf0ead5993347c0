#!/usr/bin/env bash
# Builds and runs suites for other C libraries, processors and systems, or only compiles the implementation for them.
#
#   tests/platforms.sh [PLATFORM ...]       musl, aarch64, arm, x87, macos, msvc; without arguments all of them
#
#   musl       built with musl-gcc and run (Debian: musl-tools)
#   aarch64    built with aarch64-linux-gnu-gcc-12 and run by qemu-aarch64 (gcc-12-aarch64-linux-gnu,
#              libc6-dev-arm64-cross, qemu-user)
#   arm        processors of 32 bits: the same with arm-linux-gnueabihf-gcc-12 and qemu-arm
#              (gcc-12-arm-linux-gnueabihf, libc6-dev-armhf-cross, qemu-user)
#   x87        processors of 32 bits without SSE, whose registers have more digits than a double: built with gcc -m32
#              and run, once with numbers rounded as in ISO C (standard), and once as in GNU C (fast) (gcc-multilib)
#   macos      compiled for both processors by zig (PyPI: ziglang), and not run
#   msvc       compiled by clang for Microsoft's ABI, in C and C++, without __GNUC__, as clang-cl does it
#              (clang, gcc-mingw-w64-x86-64, g++-mingw-w64-x86-64, wine):
#              - call sites, without any header of Windows, and not run;
#              - call sites and the implementation, with the headers of mingw-w64, and run by wine. The headers of
#                Microsoft are not free.
#
# A platform whose tools are missing is skipped, with a message. ZIG is the command of zig (default: zig).
# STB_DS_DIRECTORY is the folder of stb_ds.h (default: /usr/include/stb). The results of builds are in build/platforms.
# Exit status: 1 if a platform failed, 77 if all platforms were skipped.
set -uo pipefail
export LC_ALL=C AUTOTUNE_CACHE=off

root=$(cd "$(dirname "$0")/.." && pwd)
readonly root build=$root/build/platforms
readonly warnings=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
readonly flags=(-std=c11 -D_POSIX_C_SOURCE=200809L "-I$root" -isystem "$build/include")
readonly seconds=900            # the limit of a suite: an emulated processor is slow, and the machine may be busy
jobs=$(nproc 2>/dev/null || echo 2)
passed=0 failed=0 skipped=0

# needs PLATFORM COMMAND ...
needs() {
    local platform=$1 command
    shift
    for command in "$@"; do
        command -v "$command" >/dev/null && continue
        echo "$platform: skipped, for there is no $command"
        skipped=$((skipped + 1))
        return 1
    done
}
# verdict PLATFORM WHAT STATUS LOG
verdict() {
    if [ "$3" = 0 ]; then passed=$((passed + 1)); return; fi
    failed=$((failed + 1))
    echo "$1: $2 failed, status $3:"
    grep -vE '^\[LEFT OUT\]' "$4" | tail -n 30 | sed 's/^/    /'
}

# Uses only the headers of these two libraries, since other files of /usr/include belong to this system.
foreign_headers() {
    mkdir -p "$build/include"
    cp "${STB_DS_DIRECTORY:-/usr/include/stb}/stb_ds.h" "$build/include/"
}

# run_suite FOLDER SUITE 'RUNNER' COMPILER ...: leaves the log and the exit status of the suite in the folder. Other
# tests check the warnings about conversions in suites. Tests with hundreds of races are left out: an emulated processor
# would take minutes.
run_suite() {
    local folder=$1 suite=$2 runner=$3 log=$1/$2.log
    local -a left_out=()
    shift 3
    if [ -n "$runner" ] && [ "$suite" = race ]; then left_out=(--without 'many_races/*'); fi
    "$@" "${flags[@]}" -Wall -Wextra -Werror -O0 -isystem "$root/tests/harness" "$root/tests/suite_$suite.c" \
        "$root/tests/no_cache.c" "$folder/implementation.o" -pthread -lm -o "$folder/suite_$suite" >"$log" 2>&1 &&
        timeout $seconds $runner "$folder/suite_$suite" "${left_out[@]}" >>"$log" 2>&1
    echo $? >"$folder/$suite.status"
}
# run_suites PLATFORM 'SUITE ...' 'RUNNER' COMPILER ...: compiles the implementation once, and runs all suites with it.
run_suites() {
    local platform=$1 suites=$2 runner=$3 folder=$build/$1 suite log status
    shift 3
    rm -rf "$folder" && mkdir -p "$folder" || exit 1
    log=$folder/implementation.log
    "$@" "${flags[@]}" "${warnings[@]}" -O1 -c "$root/tests/opened.c" -o "$folder/implementation.o" >"$log" 2>&1
    status=$?
    verdict "$platform" "the implementation" $status "$log"
    [ $status = 0 ] || return
    for suite in $suites; do
        while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do wait -n; done
        run_suite "$folder" "$suite" "$runner" "$@" &
    done
    wait
    for suite in $suites; do
        verdict "$platform" "suite_$suite" "$(cat "$folder/$suite.status")" "$folder/$suite.log"
    done
    echo "$platform: of $(wc -w <<<"$suites") suites $(cat "$folder"/*.log | grep -c '^Tested: ') ran," \
        "$(awk '/^Tested: / { tests += $2 } END { print tests + 0 }' "$folder"/*.log) tests"
}

platform_musl() {
    needs musl musl-gcc && run_suites musl \
        'buffers cache call_site functions keys race' '' musl-gcc
}
platform_aarch64() {
    needs aarch64 aarch64-linux-gnu-gcc-12 qemu-aarch64 &&
        run_suites aarch64 'call_site keys race' 'qemu-aarch64 -L /usr/aarch64-linux-gnu' \
            aarch64-linux-gnu-gcc-12
}
platform_arm() {
    needs arm arm-linux-gnueabihf-gcc-12 qemu-arm &&
        run_suites arm 'keys space' 'qemu-arm -L /usr/arm-linux-gnueabihf' arm-linux-gnueabihf-gcc-12
}
platform_x87() {
    local precision
    local -a suites=(cache_memory cache_misses cache_verify functions pins race search space strategies)
    # If gcc-multilib is only partly installed, the compiler takes the headers of the kernel for the 64-bit processor.
    local -a compiler=(gcc -m32 -march=i686 -mfpmath=387 -idirafter "/usr/include/$(gcc -print-multiarch)")
    if ! echo '#include <errno.h>' | "${compiler[@]}" -x c -fsyntax-only - 2>/dev/null; then
        needs x87 'gcc -m32'
        return
    fi
    for precision in standard fast; do
        run_suites "x87-$precision" "${suites[*]}" '' "${compiler[@]}" -fexcess-precision=$precision
    done
}
platform_macos() {
    local zig target source log
    read -ra zig <<<"${ZIG:-zig}"
    needs macos "${zig[0]}" || return
    mkdir -p "$build/macos"
    export ZIG_GLOBAL_CACHE_DIR=$build/zig
    for target in aarch64-macos x86_64-macos; do
        for source in implementation.c headers/full_names.c; do
            log=$build/macos/$target.$(basename $source).log
            "${zig[@]}" cc -target $target "${flags[@]}" -D_DARWIN_C_SOURCE "${warnings[@]}" -O0 \
                -c "$root/tests/$source" -o "${log%.log}.o" >"$log" 2>&1
            verdict macos "$target, $source" $? "$log"
        done
        # On macOS the headers of OpenCL are in the folder of its framework.
        if [ -e /usr/include/CL/cl.h ]; then
            mkdir -p "$build/macos/frameworks"
            ln -sfn /usr/include/CL "$build/macos/frameworks/CL"
            ln -sfn /usr/include/CL "$build/macos/frameworks/OpenCL"
            log=$build/macos/$target.opencl.log
            "${zig[@]}" cc -target $target "${flags[@]}" -D_DARWIN_C_SOURCE "${warnings[@]}" -O0 \
                -isystem "$build/macos/frameworks" -DWITH_OPENCL -c "$root/tests/backends.c" \
                -o "${log%.log}.o" >"$log" 2>&1
            verdict macos "$target, OpenCL in backends.c" $? "$log"
        fi
    done
}

# msvc STANDARD FLAG ...: clang for Microsoft's ABI
msvc() {
    local standard=$1 language=c
    shift
    case $standard in c++*) language=c++ ;; esac
    clang --target=x86_64-pc-windows-msvc -fms-extensions -fms-compatibility-version=19.29 -x $language \
        -std="$standard" "-I$root" "$@"
}
# msvc_compiles STANDARD SOURCE FLAG ...: leaves build/msvc/SOURCE.STANDARD.o
msvc_compiles() {
    local standard=$1 source=$2 log
    shift 2
    log=$build/msvc/$(basename "$source").$standard.log
    msvc "$standard" "${warnings[@]}" -O0 -c "$root/tests/$source" "$@" -o "${log%.log}.o" >"$log" 2>&1
    verdict msvc "$source, $standard" $? "$log"
}
# msvc_runs FILE ...: links these files to a program, runs it, and checks its exit status. It uses the folder of Wine of
# the preset mingw.
msvc_runs() {
    local log=$build/msvc/run.log
    local -x WINEPREFIX=$root/build/mingw/wine WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml=
    (cd "$build/msvc" && x86_64-w64-mingw32-gcc "$@" -o program.exe && AUTOTUNE_PRESET=fast AUTOTUNE_MAX_SECONDS=0.02 \
        timeout $seconds "$root/cmake/wine.sh" wine ./program.exe) >"$log" 2>&1
    verdict msvc "$*" $? "$log"
}
# Makes the headers that call sites and a program of functions include, and that no compiler brings along.
msvc_headers() {
    mkdir -p "$build/msvc/include"
    cat >"$build/msvc/include/string.h" <<'END'
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
int strcmp(const char *a, const char *b);
size_t strlen(const char *text);
char *strstr(const char *text, const char *part);
#ifdef __cplusplus
}
#endif
END
    cat >"$build/msvc/include/stdio.h" <<'END'
#ifdef __cplusplus
extern "C"
#endif
int printf(const char *format, ...);
#define fprintf(file, ...) printf(__VA_ARGS__)
#ifdef __cplusplus
extern "C"
#endif
int remove(const char *path);
END
}
# The headers and libraries of mingw-w64 expect gcc. For Microsoft's ABI they lack a keyword. Their function that checks
# the stack has another name. They lack the function that unwinds the stack in C++: it is in a DLL of Microsoft, which
# Wine has.
msvc_libraries() {
    printf '%s\n' '#include <_mingw.h>' '#undef __MINGW_IMPORT' '#define __MINGW_IMPORT extern __declspec(dllimport)' \
        >"$build/msvc/mingw.h"
    echo '__asm__(".globl __chkstk\n__chkstk: jmp ___chkstk_ms");' >"$build/msvc/stack.c"
    printf '%s\n' 'LIBRARY vcruntime140.dll' EXPORTS __CxxFrameHandler3 _CxxThrowException __std_terminate \
        >"$build/msvc/unwinding.def"
    x86_64-w64-mingw32-dlltool -d "$build/msvc/unwinding.def" -l "$build/msvc/unwinding.lib"
}
platform_msvc() {
    local mingw standard source
    needs msvc clang x86_64-w64-mingw32-g++ wine || return
    mingw=$(x86_64-w64-mingw32-g++ -print-file-name=include/c++)
    local -a bare=(-nostdlibinc -isystem "$build/msvc/include")
    local -a of_mingw=(-fgnuc-version=4.2.1 -isystem /usr/x86_64-w64-mingw32/include -include "$build/msvc/mingw.h")
    local -A traits=([c11]='' [c++14]="-isystem $mingw -isystem $mingw/x86_64-w64-mingw32 -D__STRICT_ANSI__")
    rm -rf "$build/msvc"
    msvc_headers
    msvc_libraries

    # like clang-cl: call sites need no header of Windows
    for standard in c11 c++14; do
        for source in full_names limits; do
            msvc_compiles $standard headers/$source.c ${traits[$standard]} "${bare[@]}"
        done
        msvc_compiles $standard headers/spellings.c ${traits[$standard]} "${of_mingw[@]}"
        msvc_compiles $standard implementation.c ${traits[$standard]} "${of_mingw[@]}" -isystem "$build/include"
        msvc_runs spellings.c.$standard.o implementation.c.$standard.o stack.c unwinding.lib
    done
}

foreign_headers || exit 1
[ $# != 0 ] || set -- musl aarch64 arm x87 macos msvc
for platform in "$@"; do
    case $platform in
    musl | aarch64 | arm | x87 | macos | msvc) ;;
    *) echo "$platform: there is no such platform" >&2; exit 1 ;;
    esac
done
# Runs all platforms at once, since each compiles its implementation on one processor. Prints their output in order.
rm -f "$build"/*.counts
for platform in "$@"; do
    { "platform_$platform"; echo "$passed $failed $skipped" >"$build/$platform.counts"; } >"$build/$platform.said" 2>&1 &
done
wait
for platform in "$@"; do
    cat "$build/$platform.said"
    read -r of_it failed_of_it skipped_of_it <"$build/$platform.counts" || failed_of_it=1
    passed=$((passed + of_it)) failed=$((failed + failed_of_it)) skipped=$((skipped + skipped_of_it))
done
echo "platforms: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] || exit 1
[ $passed != 0 ] || exit 77
