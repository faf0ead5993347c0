#!/bin/sh
# headers.sh FOLDER: makes the headers of the project in FOLDER from the files beside this script.
#
# It starts from src/autotune*.h. A room (a file of a floor) is copied to where it is first
# included, and never again; its path and its first comment become the banner above it. What a product includes of the
# other stays an include.
set -eu
src=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
# The version, and a checksum of all sources: two headers of one revision are the same, whoever made them.
number_of() { sed -n "s/^#define AUTOTUNE_VERSION_$1 //p" "$src/api/language.h"; }
version=$(number_of MAJOR).$(number_of MINOR).$(number_of PATCH)
revision=$(cd "$src" && find . -name '*.h' | LC_ALL=C sort | xargs cat | cksum | cut -d ' ' -f 1)

make_header() {
    LC_ALL=C awk -v src="$src" -v product="$1" \
        -v origin="$(printf 'autotune %s, revision %08x of src/' "$version" "$revision")" '
    function fail(sentence) { print "src/headers.sh: " sentence > "/dev/stderr"; failed = 1; exit 1 }
    function emit(line) { if (!silent) print line }

    # The name between the quotes or angle brackets of an #include.
    function name_in(line) {
        sub(/^#include [<"]/, "", line)
        sub(/[>"].*/, "", line)
        return line
    }
    # The path below src/ of what the file at `path` includes as `name`.
    function path_of(path, name) {
        if (sub(/^\.\.\//, "", name)) return name
        sub(/[^\/]*$/, "", path)
        return path name
    }

    # The list of a floor. From a product: its rooms that were not copied yet. From a room: they must have been.
    function include_floor(path, user,    file, line, room) {
        file = src "/" path
        while ((getline line < file) > 0) {
            if (line ~ /^#include "/) {
                room = path_of(path, name_in(line))
                if (user !~ /\//) include_room(room, user)
                else if (!(room in state)) fail("src/" product " has src/" user " above src/" room ", which it uses: move it below")
            }
            else if (user !~ /\// && line ~ /^#(if|else|define|endif)/) emit(line)
        }
        close(file)
    }
    function include_room(path, user) {
        if (path ~ /\/floor\.h$/) { include_floor(path, user); return }
        if (state[path] == "open") fail("src/" path " includes itself, by way of src/" user)
        if (state[path] == "copied") return
        if (user in state)       # the lines of the user would stand below the banner of the other room
            fail("src/" product " has src/" user " above src/" path ", which it includes: move it below")
        state[path] = "open"
        copy_room(path)
        state[path] = "copied"
    }
    function copy_room(path,    file, line, part) {
        file = src "/" path
        part = "heading"
        emit("")
        emit(sprintf("/* ---- src/%s %s", path, substr(rule, length(path) + 15)))
        while ((getline line < file) > 0) {
            if (part == "heading") {
                sub(/^\/\* /, "   ", line)
                if (line ~ /\*\/$/) part = "includes"
                emit(line)
            }
            else if (line == "#pragma once") continue
            else if (line ~ /^#include "/) include_room(path_of(path, name_in(line)), path)
            else if (part == "includes" && line ~ /^#include </) {      # they stand once, in the product
                if (!(name_in(line) in of_system))
                    fail("src/" path " includes <" name_in(line) ">, which src/" product " does not: add it there")
            }
            else if (part == "includes" && line ~ /^#(if|else|endif)/) continue      # around headers of a system
            else if (part == "includes" && line == "") { part = "code"; emit("") }
            else emit(line)
        }
        close(file)
        if (part == "heading")
            fail("src/" path ", which src/" product " needs, is not there or does not begin with a comment")
    }
    function copy_product(path,    file, line) {
        file = src "/" path
        while ((getline line < file) > 0) {
            if (line ~ /^#include </) of_system[name_in(line)] = 1
            if (line !~ /^#include "/) emit(line)
            else if (name_in(line) ~ /\//) include_room(name_in(line), path)
            else {                                                      # of the other product its rooms are only noted
                emit(line)
                silent++
                copy_product(name_in(line))
                silent--
            }
        }
        close(file)
    }

    BEGIN {
        rule = sprintf("%120s", "")
        gsub(/ /, "-", rule)
        print "/* " origin ": made by src/headers.sh, so edit the files in src/, and not this one. */"
        copy_product(product)
        exit failed
    }' </dev/null >"$folder/$1.new" || { rm -f "$folder/$1.new"; exit 1; }
    mv "$folder/$1.new" "$folder/$1"
}

make_header autotune.h
make_header autotune_cuda.h
make_header autotune_opencl.h
make_header autotune_mpi.h
make_header autotune_cc.h
