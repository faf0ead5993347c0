#!/usr/bin/env bash
# Checks src/, and the headers that are made from it.
#
#   check.sh REPOSITORY CHECK ARGUMENT ...
#
# The checks are the functions below the line "checks". The comment of a check names its arguments. The exit status is
# 77 if a compiler that the check needs is not installed.
set -euo pipefail
export LC_ALL=C

cd "$1"
shift
readonly warnings=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-unused-function -Wno-unused-variable)
readonly first_short_subject=2c44853c6c777d0cca67dffe52733c794f6a6550
failed=0

complain() { echo "$*" >&2; failed=1; }

floors() { sed 's/ .*//' src/floors; }

# rooms FLOOR ...: the paths of their files
rooms() { for floor in "$@"; do ls "src/$floor"/*.h | grep -v '/floor\.h$'; done; }

# ---- checks ----

# headers FOLDER: are the committed headers those that src/ makes?
check_headers() {
    local header
    src/headers.sh "$1" || exit 1
    for header in autotune.h autotune_cuda.h autotune_opencl.h autotune_mpi.h autotune_cc.h; do
        cmp -s "$header" "$1/$header" ||
            complain "$header is not what src/ makes of it: edit src/, run cmake --build build --target headers, and commit both"
    done
}

# Is every file on a floor of src/floors, and a part of a header? Has it at most 500 lines (windows.h: 600)? Does it
# include only files of its own floor, or of floors below? (headers.sh finds files of one floor that include each other
# in a circle.)
check_floors() {
    awk '
    function complain(sentence) { print sentence; failed = 1 }
    function path_of(room, name) {              # the path of an included file
        if (sub(/^\.\.\//, "", name)) return "src/" name
        sub(/[^\/]*$/, "", room)
        return room name
    }
    function floor_of(room) { split(room, part, "/"); return part[2] }

    FILENAME == "src/floors" { height[$1] = FNR; next }
    FILENAME ~ /^autotune/ { if (/^\/\* ---- src\//) copied[$3] = 1; next }
    FILENAME ~ /\/floor\.h$/ { next }
    { lines[FILENAME] = FNR }
    /^#include "/ { split($0, quoted, "\""); user[++includes] = FILENAME; used[includes] = path_of(FILENAME, quoted[2]) }

    END {
        for (room in lines) {
            if (!(floor_of(room) in height)) complain(floor_of(room) " is no floor: add it to src/floors, above all that it uses")
            if (!(room in copied)) complain(room " is part of no header: include it in src/autotune.h")
            most = room == "src/system/windows.h" ? 600 : 500
            if (lines[room] > most) complain(room " has " lines[room] " lines: divide it, " most " are the most")
        }
        for (i = 1; i <= includes; i++) {
            if (used[i] ~ /\/floor\.h$/) continue
            if (!(used[i] in lines)) complain(user[i] " includes " used[i] ", which is not there")
            else if (height[floor_of(used[i])] > height[floor_of(user[i])])
                complain(user[i] " includes " used[i] ", which is on a higher floor: see src/floors")
        }
        exit failed
    }' src/floors autotune.h autotune_cuda.h autotune_opencl.h autotune_mpi.h autotune_cc.h src/*/*.h >&2 || failed=1
}

# Does a room include the lists of floors below its own, in their order, and rooms of its own floor, and nothing else?
# And is each room in the list of its floor? There are two exceptions: higher floors include kernels/site.h and
# statement/for_backends.h without the list of their floor. src/autotune.h has the order of the rooms of the floors api
# and site.
check_includes() {
    awk '
    function complain(sentence) { print sentence; failed = 1 }
    FILENAME == "src/floors" { height[$1] = FNR; next }
    FNR == 1 { split(FILENAME, part, "/"); floor = part[2]; last = 0 }
    { room[FILENAME] = 1 }
    /^#include "/ {
        split($0, quoted, "\"")
        name = quoted[2]
        if (FILENAME ~ /\/floor\.h$/) listed["src/" floor "/" name] = 1
        if (name !~ /\//) { last = height[floor]; next }
        if (floor == "api" || floor == "site") next
        split(name, part, "/")
        if (part[3] != "floor.h" && name != "../kernels/site.h" && name != "../statement/for_backends.h")
            complain(FILENAME " includes " name ": include the list of that floor, ../" part[2] "/floor.h")
        else if (height[part[2]] >= height[floor])
            complain(FILENAME " includes " name ", which is no lower floor: see src/floors")
        else if (height[part[2]] < last) complain(FILENAME " includes " name " too late: lower floors come first")
        last = height[part[2]]
    }
    END {
        for (r in room)
            if (!(r in listed) && r !~ /\/floor\.h$/)
                complain(r " is not in the list of its floor, floor.h beside it")
        exit failed
    }' src/floors src/*/*.h >&2 || failed=1
}

# Do all files that name the version agree with the header?
check_version() {
    local version released
    version=$(sed -n 's/^#define AUTOTUNE_VERSION_[MP][A-Z]* //p' src/api/language.h | paste -sd .)
    released=$(sed -n 's/^## \[\([0-9.]*\)\] - .*/\1/p' CHANGELOG.md | head -n 1)
    [ "$version" = "$released" ] || grep -q "^The next version is $version[:.]" CHANGELOG.md ||
        complain "CHANGELOG.md has no version $version, and does not say that it is the next one"
    grep -qx "version: $released" CITATION.cff || complain "CITATION.cff is not of the version $released"
    grep -qF "version: '$version'" meson.build || complain "meson.build is not of the version $version"
    grep -qF "version(\"$version\")" packaging/spack/package.py || complain "Spack's recipe is not of the version $version"
    grep -qF "\"$version\"" packaging/vcpkg/autotune/vcpkg.json || complain "vcpkg.json is not of the version $version"
}

# Is the recipe for Spack valid Python? Does CMake have each option that the recipe sets?
check_spack() {
    local option
    command -v python3 >/dev/null || { echo 'python3: not found, NOT TRIED'; exit 77; }
    python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' packaging/spack/package.py || failed=1
    for option in $(grep -o 'AUTOTUNE_[A-Z_]*' packaging/spack/package.py); do
        grep -qF "option($option " CMakeLists.txt cmake/*.cmake || complain "CMake has no option $option, which Spack sets"
    done
}

# Does src/README.md show the floors of src/floors, and a line for every room? Do the files and private names exist that
# CONTRIBUTING.md tells newcomers to change?
check_readme() {
    local room name
    while read -r line; do
        grep -qF -- "$line" src/README.md || complain "src/README.md does not show this line of src/floors: $line"
    done <src/floors
    for room in $(rooms $(floors)); do
        grep -qF "| \`${room#src/}\` |" src/README.md || complain "src/README.md has no line for $room in its map"
    done
    for room in $(grep -o '^| `[a-z_]*/[a-z_]*\.h`' src/README.md | tr -d '|` '); do
        [ -f "src/$room" ] || complain "src/README.md shows $room, which is not there"
    done
    for name in $(grep -oE '`[a-z_./]+/[a-z_0-9]+\.[a-z0-9]+`' CONTRIBUTING.md | tr -d '`' | sort -u); do
        [ -f "$name" ] || [ -f "src/$name" ] || complain "CONTRIBUTING.md names $name, which is not there"
    done
    for name in $(grep -oE '`(autotune|AUTOTUNE)__[A-Za-z_]+' CONTRIBUTING.md | tr -d '`' | sort -u); do
        grep -qrF "$name" src || complain "CONTRIBUTING.md names $name, which is not in src/"
    done
}

# Does README.md show examples/first.c, and the run of docs/matmul.svg? Is README.md short?
check_shown() {
    local lines
    awk '/^```/ { if (inside) exit; inside = $0 == "```c"; next } inside' README.md | cmp -s - examples/first.c ||
        complain "the first program in README.md is not examples/first.c"
    sed -n '/^    winner/,/^$/ { s/^    //; /./p }' README.md |
        cmp -s - <(sed -n '/^<desc>/,/^<\/desc>/ { /desc>/d; p }' docs/matmul.svg) ||
        complain "README.md and docs/matmul.svg show two runs: docs/matmul.sh draws a run, whose lines stand in <desc>"
    lines=$(wc -l <README.md)
    [ "$lines" -le 160 ] || complain "README.md has $lines lines, 160 are the most"
}

# Do the contents of the manual, before its first chapter, lead to each of its chapters?
check_manual() {
    local contents title anchor
    contents=$(sed '/^## /q' docs/manual.md)
    while read -r title; do
        anchor=$(tr 'A-Z ' 'a-z-' <<<"$title" | tr -cd 'a-z0-9-')
        grep -qF "](#$anchor)" <<<"$contents" ||
            complain "the contents of docs/manual.md do not have the chapter '$title'"
    done < <(sed -n 's/^## //p' docs/manual.md)
}

# Do only library.c and text.h of the command autotune include rooms of the library?
check_command() {
    local outside
    outside=$(grep -n '^#include "\.\./' tools/autotune/*.[ch] |
              grep -v -e '^tools/autotune/library\.c:.*/src/' -e '^tools/autotune/text\.h:.*/src/base/' \
                      -e '^tools/autotune/version\.c:.*/autotune\.h"') || return 0
    complain "the library's files are for library.c, those of src/base for text.h, too:"$'\n'"$outside"
}

# Does only the floor system know the operating system? Every other room may include only headers of ISO C and of
# libraries, and may name no type or function of POSIX or Windows. (The floors api and site stand before the
# implementation, and include no header of a system.)
check_system() {
    awk '
    function complain(sentence) { print sentence; failed = 1 }
    BEGIN {
        split("assert ctype errno float inttypes limits locale math setjmp stdarg stdbool stddef stdint stdio stdlib string", iso)
        for (i in iso) known[iso[i] ".h"] = 1
        known["type_traits"] = known["cuda.h"] = known["nvrtc.h"] = known["nvtx3/nvToolsExt.h"] = known["CL/cl.h"] = known["mpi.h"] = known["stb_ds.h"] = known["stb/stb_ds.h"] = 1
        split("open close read write pread pwrite stat fstat lstat unlink mkdir fcntl fsync nanosleep clock_gettime getpid dlopen " \
              "dlsym sysconf isatty opendir readdir", functions)
        for (i in functions) posix[functions[i]] = 1
        split("_WIN32 _MSC_VER HANDLE DWORD WCHAR WINAPI GetLastError near far", names)       # its headers have macros near and far
        for (i in names) windows[names[i]] = 1
        split("stat timespec dirent flock", structs)
        for (i in structs) posix_struct[structs[i]] = 1
    }
    FNR == 1 { commented = 0 }
    {
        line = $0                               # without its comments
        if (commented) { if (!sub(/^.*\*\//, "", line)) next; commented = 0 }
        gsub(/\/\*([^*]|\*[^\/])*\*\//, "", line)
        if (sub(/\/\*.*/, "", line)) commented = 1
        gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
    }
    line ~ /^ *#include </ {
        header = line
        sub(/.*</, "", header)
        sub(/>.*/, "", header)
        if (!(header in known)) complain(FILENAME " includes <" header ">: only rooms of src/system may")
    }
    {
        before = last = ""
        while (match(line, /[A-Za-z_][A-Za-z0-9_]*/)) {
            word = substr(line, RSTART, RLENGTH)
            before = RSTART > 1 ? substr(line, RSTART - 1, 1) : ""
            line = substr(line, RSTART + RLENGTH)
            if (word ~ /^(pthread_|PTHREAD_|(O_(RDONLY|WRONLY|RDWR|CREAT|EXCL|APPEND)|S_I[A-Z]+|(dev|ino|off|mode|pid|ssize)_t)$)/ ||
                ((word in posix) && line ~ /^\(/ && before != "." && before != ">") || (last == "struct" && (word in posix_struct)))
                complain(FILENAME ":" FNR " names " word ", of POSIX: only rooms of src/system may")
            if (word in windows) complain(FILENAME ":" FNR " names " word ", of Windows: only rooms of src/system may")
            last = word
        }
    }
    END { exit failed }' $(rooms $(floors | grep -vx -e system -e api -e site)) >&2 || failed=1
}

# limit NAME: the number of NAME in the file limits
limit() { awk -v name="$1" '$1 == name { print $2 }' tests/source/limits; }

# at_most LIMIT NUMBER SENTENCE
at_most() { [ "$2" -le "$1" ] || complain "$3: $2, and tests/source/limits has $1"; }

# Do only rooms of src/store read and write the data that the store keeps for a statement? Rooms of other floors must
# call its functions, and at most as many functions as the file limits says.
check_store() {
    local others
    others=$(grep -hoE '^(static|AUTOTUNE__INLINE)[^(]*[ *]autotune__[a-z0-9_]+\(' src/store/*.h |
             sed 's/.*[ *]//; s/($//' | sort -u |
             comm -12 - <(ls src/*/*.h | grep -v -e '^src/store/' -e '^src/statement/guessed' | xargs grep -ohE 'autotune__[a-z0-9_]+' | sort -u))
    at_most "$(limit store_functions)" "$(wc -l <<<"$others")" \
        "functions of src/store that others call ($(tr '\n' ' ' <<<"$others"))"
    others=$(grep -nE '(\.|->|[^a-z_])store(\.|->)[a-z_]' src/*/*.h | grep -vE '^src/store/|#include') || return 0
    complain "members of a store are for src/store alone; what others need is a function of the store, or in what it"\
" fills for the statement, autotune__recalled and autotune__prior:"$'\n'"$others"
}

# Does only one room read the environment? A process with more rights than its user must ignore it. Does
# base/environment.h have all variables that the manual and other rooms name? It needs them to find misspelt names.
check_environment() {
    local others known named
    known=$(grep -ohE '"AUTOTUNE_[A-Z_]+[A-Z]"' src/base/environment.h | tr -d '"' | sort -u)
    named=$(sed -n '/^## The environment/,/^## P/s/^| `\(AUTOTUNE_[A-Z_]*\)` .*/\1/p' docs/manual.md | sort)
    others=$(grep -ohE 'autotune__variable\("AUTOTUNE_[A-Z_]+' src/*/*.h | sed 's/.*"//' | sort -u)
    others=$(comm -3 <(echo "$named") <(echo "$known"); comm -23 <(echo "$others") <(echo "$known"))
    [ -z "$others" ] || complain "not in base/environment.h, or not in docs/manual.md: "$others
    others=$(files_named 'src/*.h' 'tools/*.[ch]' 'fortran/*' | xargs -0 grep -nwiE '(secure_)?getenv(_s)?|environ|get_environment_variable' |
             grep -v '^src/system/portable\.h:') || return 0
    complain "variables of the environment are read by autotune__variable() in src/system/portable.h alone:"$'\n'"$others"
}

# Does all code check the result of snprintf()? A name that is cut is another name. For other texts,
# autotune__put_text() marks a text that is cut.
check_snprintf() {
    local unseen
    unseen=$(files_named 'src/*.h' 'tools/*.[ch]' | xargs -0 grep -nE 'snprintf\([^)]' |
             grep -vE '(=|return|\?|\(size_t\)) ?v?snprintf\(') || return 0
    complain "look at the results of snprintf(), or call autotune__put_text():"$'\n'"$unseen"
}

# Does only one room change the phase of a statement?
check_phase() {
    local others
    others=$(grep -nE '(->|\.)phase *=[^=]' src/*/*.h | grep -v '^src/statement/phase\.h:') || return 0
    complain "the phase of a statement is switched in src/statement/phase.h alone:"$'\n'"$others"
}

# Does only one room make the plan of a call? All ranks take over the whole plan of the first rank.
check_plan() {
    local others
    others=$(grep -nE '(->|\.)(plan\.[a-z_]+|(recalled(\.|->))?restricts|recalled(\.|->)duel|subject(\.|->)mode) *=[^=]' src/*/*.h |
             grep -vE '^src/(statement/plan|store/[a-z_]+)\.h:') || return 0
    complain "the plan of a call is made in src/statement/plan.h alone:"$'\n'"$others"
}

# Is src/ within the limits of the file limits: its size, and the lines outside of a door that depend on the door?
check_limits() {
    local door name most words rooms found
    at_most "$(limit code_lines)" "$(tests/source/code_lines.sh src | awk 'END { print $1 }')" "code lines of src/"
    while read -r door name most words rooms; do
        [ "$door" = door ] || continue
        found=$(tests/source/code_lines.sh src "$words" "$rooms")
        at_most "$most" "$(tail -n 1 <<<"$found" | cut -d ' ' -f 1)" \
            "lines that ask for $name outside of its rooms (tests/source/code_lines.sh src '$words' '$rooms')"
    done <tests/source/limits
}

# way FOLDER STB: how many functions does the first call of a key run, in how many rooms? How many of them are in rooms
# that such a call does not need: ranks, child processes, guesses, pins, audits, verification?
check_way() {
    local kind name functions="$1/way" unneeded='^(ranks|collective|isolated)/|/(ranks|guess|pin|audit|parts|verif)[a-z_]*\.h$'
    command -v addr2line >/dev/null && command -v gcc >/dev/null || { echo "gcc, addr2line: not found, NOT TRIED"; exit 77; }
    mkdir -p "$1"
    gcc -std=gnu11 -O0 -g -no-pie -finstrument-functions -w -I. -isystem "$2" tests/source/way.c -o "$functions" -lm -pthread
    rm -rf "$1/cache"
    for kind in race known; do
        env -i XDG_CACHE_HOME="$1/cache" "$functions" >"$functions.$kind"
        addr2line -f -e "$functions" <"$functions.$kind" | paste - - |
            awk 'FILENAME == "autotune.h" { if (/^\/\* ---- src\//) at = substr($3, 5); room[FNR] = at; next }
                 $2 ~ /\/autotune\.h:/ { sub(/.*:/, "", $2); print room[$2 + 0], $1 }' autotune.h - | sort >"$functions.$kind.rooms"
        name=way_$kind
        at_most "$(limit "${name}_functions")" "$(wc -l <"$functions.$kind.rooms")" "functions that a first call passes ($kind)"
        at_most "$(limit "${name}_rooms")" "$(cut -d ' ' -f 1 "$functions.$kind.rooms" | sort -u | wc -l)" "rooms that a first call passes ($kind)"
        at_most "$(limit "${name}_unneeded")" "$(grep -cE "$unneeded" <(cut -d ' ' -f 1 "$functions.$kind.rooms") || true)" \
            "functions that a first call has no need of ($kind): $(grep -E "${unneeded//\$/ }" "$functions.$kind.rooms" | tr '\n' ' ')"
    done
}

# machine_code LIBRARY: is the implementation, as gcc 12 -O2 makes it for x86-64, no larger than the file limits says?
check_machine_code() {
    command -v size >/dev/null || { echo "size: not found, NOT TRIED"; exit 77; }
    at_most "$(limit machine_code)" \
        "$(size -A "$1" | awk '/^\.(text|rodata|data\.rel\.ro)/ { sum += $2 } END { print sum + 0 }')" "bytes of machine code"
}

# Does each private name differ from each public name by more than an underscore? Else readers would confuse them.
check_names() {
    local name
    for name in $(grep -ohE '\bautotune__?[a-z][a-z0-9_]*' autotune.h autotune_cuda.h autotune_opencl.h autotune_mpi.h autotune_cc.h | sort -u | sed 's/__/_/' | sort | uniq -d); do
        complain "there are $name and ${name/_/__}: give the private one a name of its own"
    done
}

# Prints the files of the project with these names: those that git tracks, and new files that git does not ignore.
# Without git, as in the archive of a release: all files outside of folders named build.
files_named() {
    local name file
    if [ -e .git ] && git rev-parse 2>/dev/null; then git ls-files -z --cached --others --exclude-standard -- "$@"
    else
        for name in "$@"; do find . -name build -prune -o -type f -path "$name" -print0; done
    fi | while IFS= read -r -d '' file; do
        [ ! -f "$file" ] || printf '%s\0' "$file"      # git still lists a removed file before the commit
    done
}

# Has each line at most 120 columns: in C, C++, CUDA and CMake, in comments of scripts, in sentences of Markdown?
# Characters are counted, not bytes. Longer lines may be: lines with an address, lines of tables and examples in
# Markdown, and expected messages of tests/fail.
check_width() {
    files_named '*.[ch]' '*.cpp' '*.cu' '*.cmake' '*CMakeLists.txt' '*.md' '*.f90' '*.sh' '*.py' '*.ci/run' |
        xargs -0 awk '
        { characters = $0; gsub(/[\200-\277]/, "", characters) }      # keeps the first byte of a character
        FNR == 1 { fenced = 0 }
        FILENAME ~ /\.md$/ && /^```/ { fenced = !fenced }
        FILENAME ~ /\.md$/ && (fenced || /^(    | *\|)/) { next }
        FILENAME ~ /(\.(sh|py)|\/run)$/ && !/^ *# [^ ]/ { next }
        length(characters) > 120 && !/https?:/ && !/^\/\* (expect|flags|elsewhere)/ {
            print FILENAME ":" FNR ": this line has " length(characters) " columns: divide it, 120 are the most"
            failed = 1
        }
        END { exit failed }' >&2 || failed=1
}

# Is each sentence of comments and of Markdown easy to read? words.sh finds hard sentences, and the file limits says how
# many of each kind may exist. Have the commits of this checkout, since this check exists, short subjects?
check_words() {
    local hard kind subjects
    hard=$(files_named '*.[ch]' '*.cpp' '*.cu' '*.md' | grep -zvE '(^|/)autotune(_[a-z]+)?\.h$' | xargs -0 tests/source/words.sh)
    for kind in long opening leading bool; do
        at_most "$(limit "words_$kind")" "$(grep -c "^$kind" <<<"$hard" || true)" "sentences of the kind '$kind' (tests/source/words.sh)"
    done
    [ "$failed" = 0 ] || head -n 20 <<<"$hard" >&2
    git cat-file -e "$first_short_subject" 2>/dev/null || return 0
    subjects=$(git log "$first_short_subject..HEAD" --format=%s | awk 'length > 72')
    [ -z "$subjects" ] || complain "these subjects of commits have more than 72 characters:"$'\n'"$subjects"
}

# Does no line of src/ begin with a word of C++20 modules, such as import? nvcc takes even a line of a comment for it.
check_modules() {
    if grep -nrE '^ *(module|import|export)([^a-z_]|$)' src --include='*.h'; then
        complain "these lines begin with module, import or export: divide them elsewhere"
    fi
}

# not_included ROOM ...: the rooms that no other room of the list includes
not_included() {
    awk '
    FNR == 1 { room[++rooms] = FILENAME }
    /^#include "/ {
        split($0, quoted, "\"")
        folder = FILENAME
        sub(/[^\/]*$/, "", folder)
        if (sub(/^\.\.\//, "", quoted[2])) folder = "src/"
        included[folder quoted[2]] = 1
    }
    END { for (i = 1; i <= rooms; i++) if (!(room[i] in included)) print room[i] }' "$@"
}

# alone COMPILER FLOORS FOLDER ...: can every file of these floors be compiled alone, and without warnings? The folders
# have headers of libraries. `all` stands for the floors that only need the header of stb_ds. gcc compiles every room.
# Other compilers compile only rooms that no other room includes, since these include all other rooms.
check_alone() {
    local compiler=$1 floors=$2 room said rooms
    command -v "$compiler" >/dev/null || { echo "$compiler: not found, NOT TRIED"; exit 77; }
    shift 2
    [ "$floors" != all ] || floors=$(floors | grep -vxF -e cuda -e opencl -e mpi)
    rooms=$(rooms $floors | grep -vx src/system/windows.h)
    [ "$compiler" = gcc ] || rooms=$(not_included $rooms)
    for room in $rooms; do
        said=$(printf '#include "%s"\ntypedef int unit;\n' "$room" |
               "$compiler" -std=c11 -D_POSIX_C_SOURCE=200809L -DCL_TARGET_OPENCL_VERSION=120 "${warnings[@]}" -I. "${@/#/-isystem}" \
                   -fsyntax-only -x c - 2>&1) || true
        [ -z "$said" ] || complain "$room does not stand alone with $compiler:"$'\n'"$(head -n 12 <<<"$said")"
    done
}

"check_$@"
exit $failed
