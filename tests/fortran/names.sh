#!/bin/sh
# names.sh REPOSITORY: does fortran/autotune.f90 have every enumerator that options and results can have? Enumerators of
# backends and of the log are left out, since Fortran programs do not need them.
set -eu
cd "$1"
awk '
{ while (match($0, /\/\*/)) {                   # without comments
      rest = substr($0, RSTART + 2); $0 = substr($0, 1, RSTART - 1)
      while (!match(rest, /\*\//)) getline rest
      $0 = $0 substr(rest, RSTART + 2) } }
/enum/ || /define AUTOTUNE_STATUSES/ { inside = 1 }
inside { line = $0; while (match(line, /AUTOTUNE_[A-Z0-9][A-Z0-9_]*/)) {
             print substr(line, RSTART, RLENGTH); line = substr(line, RSTART + RLENGTH) } }
/}/ { inside = 0 }' src/api/types.h src/api/options.h src/api/ranks.h src/api/backend.h | sort -u |
    grep -v -e '^AUTOTUNE_STATUSES$' -e '^AUTOTUNE_MAX_POINTS$' -e '^AUTOTUNE_MOST_' -e '^AUTOTUNE_ERROR_' \
        -e '^AUTOTUNE_LOG_' -e '^AUTOTUNE_WRITE_POISON$' -e '^AUTOTUNE_FIND_' | {
    found=0 missing=0
    while read -r name; do
        found=$((found + 1))
        grep -qw "$name" fortran/autotune.f90 || { missing=1; echo "fortran/autotune.f90 has no $name" >&2; }
    done
    [ "$found" -gt 50 ] || { echo "only $found enumerators were found" >&2; exit 1; }
    exit "$missing"
}
