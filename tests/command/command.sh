#!/bin/sh
# command.sh COMMAND MANUAL - runs the command on the .jsonl files of this folder, in a temporary folder. The output
# must be the text in this script:
#   standard output, with | in the place of tabs
#   standard error, with ! before each line
#   the exit status
# Variables of the environment:
#   CC                    a C compiler
#   AUTOTUNE_CFLAGS       its options, to find the headers
#   AUTOTUNE_LIBRARIES    the implementation
#   AUTOTUNE_OBJECTS      the object files of the command
#   AUTOTUNE_LDFLAGS      options to link all of these
set -u
command=$1
manual=$2
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cp "$here"/*.jsonl "$scratch" && cd "$scratch" || exit 1
unset AUTOTUNE_CACHE AUTOTUNE_LOG XDG_CACHE_HOME
export AUTOTUNE_CACHE_DIR="$scratch/cache" LC_ALL=C
failures=0

wrong() { echo "WRONG: $1"; failures=$((failures + 1)); }
expect() { # ARGUMENT ...: runs the command with these arguments; standard input is the output that is expected
    cat >expected
    "$command" "$@" >out 2>err </dev/null
    status=$?
    { tr '\t' '|' <out; sed 's/^/!/' err; echo "$status"; } >got
    diff expected got >difference || { wrong "autotune $*"; cat difference; }
}
is() { [ "$1" = "$2" ] || wrong "$3: '$1' instead of '$2'"; }

# ---- list ------------------------------------------------------------------------------------------------------------
expect list --file sound.jsonl <<'END'
long.c:race|-|-|-|-|unfinished|2026-01-02T03:04:05Z|A processor, 16 cores
matmul.c:matmul|n=64|tile=16,unroll=1|812.5|1|tie|2026-01-02T03:04:06Z|A processor, 16 cores
matmul.c:matmul|n=512|tile=32,unroll=4|10834.5|18.37|separated|2026-01-02T03:04:05Z|A processor, 16 cores
sort <T>, "quoted"|n=1024,type=f32, \u001b[31mred,1=-3|call=radix(v, "a,b")|2500000|3.8|separated|2026-01-02T03:04:05Z|A processor, 16 cores
0
END
expect list --file ongoing.jsonl <<'END'
steps.c:advance|n=512|rows=16|1600000|1.25|ongoing|2026-01-02T03:04:05Z|A processor, 16 cores
steps.c:advance|n=1024|rows=16|-|-|ongoing|2026-01-02T03:04:05Z|A processor, 16 cores
0
END
expect list --as-pins --file sound.jsonl <<'END'
matmul.c:matmul [n=64]=tile=16, unroll=1
matmul.c:matmul [n=512]=tile=32, unroll=4
# sort <T>, "quoted" [n=1024, type=f32, \u001b[31mred, -3]=call=radix(v, "a,b")
0
END
expect list --as-pins --file pins.jsonl <<'END'
# #1=tile=32, name=x
# a=b=tile=32, name=x
text.c:text [k=a "b"]=tile=32, name=c"d
# text.c:text [k=a]=b]=tile=32, name=x
# text.c:text [k=c:\d]=tile=32, name=\\\u001b
text.c:text [k=c:\users]=tile=32, name=\" \\d
text.c:text [k=NULL]=tile=32, name=NULL
text.c:text [k=x=1, y]=tile=32, name=x
0
END
expect list --as-pins 'matmul*' --file alike.jsonl <<'END'
matmul.c:matmul [n=64]=tile=16, unroll=1
# An EPYC processor of a server, 16 cores, L1d 32 KiB, L2 512 KiB:
# matmul.c:matmul [n=64]=tile=16, unroll=1
# An EPYC processor of a server, 16 cores, L1d 32 KiB, L2 512 KiB, 2 ranks:
# matmul.c:matmul [n=64]=tile=16, unroll=1
0
END
for key in n=512 512 '{"n":512}'; do
    expect list 'matmul*' "$key" --file sound.jsonl <<'END'
matmul.c:matmul|n=512|tile=32,unroll=4|10834.5|18.37|separated|2026-01-02T03:04:05Z|A processor, 16 cores
0
END
done
is "$("$command" list --file - 'sort <T>, "quoted"' <sound.jsonl | wc -l)" 1 'list of standard input'
expect list nothing --file sound.jsonl <<'END'
!autotune: sound.jsonl: no record of the tuner 'nothing'; 'autotune list' shows the names
1
END
expect list 'matmul*' n=5 --file sound.jsonl <<'END'
!autotune: sound.jsonl: no record of the tuner 'matmul*' with the key 'n=5'; 'autotune list' shows names and keys
1
END
expect list --file broken.jsonl <<'END'
matmul.c:matmul|n=64|tile=16,unroll=1|812.5|1|tie|2026-01-02T03:04:06Z|A processor, 16 cores
matmul.c:matmul|n=512|tile=32,unroll=4|10834.5|18.37|separated|2026-01-02T03:04:05Z|A processor, 16 cores
sort <T>, "quoted"|n=1024,type=f32, \u001b[31mred,1=-3|call=radix(v, "a,b")|2500000|3.8|separated|2026-01-02T03:04:05Z|A processor, 16 cores
!autotune: broken.jsonl:2: this line is damaged or no record and is skipped
!autotune: broken.jsonl:4: this line is damaged or no record and is skipped
!autotune: broken.jsonl:5: this line was written by a later version and is skipped
!autotune: broken.jsonl:9: this line has no device and is skipped
!autotune: broken.jsonl:10: this line was cut short and is skipped
1
END
expect list --file absent.jsonl <<'END'
!autotune: absent.jsonl: No such file or directory
2
END
expect list --file . <<'END'
!autotune: .: Is a directory
2
END
expect list <<END
!autotune: $scratch/cache/results.jsonl: there is none yet
0
END
mkdir empty && : >empty/results.jsonl
expect list --dir empty <<'END'
0
END

# Control characters, which a terminal would obey, are escaped in names and in file names.
cp hostile.jsonl "$(printf 'a \033[31m\tfile')"
expect list --file hostile.jsonl <<'END'
bell\u0007\u001b[2J\u009b|n=64|tile=16,unroll=1|812.5|1|tie|2026-01-02T03:04:06Z|\udcff
it's `touch made` "$(touch made)"|n=64|tile=16,unroll=1|812.5|1|tie|2026-01-02T03:04:06Z|A processor, 16 cores
0
END
expect check "$(printf 'a \033[31m\tfile')" "$(printf '\001')" <<'END'
a \u001b[31m\u0009file: records 2, replaced by later ones 0, unsound lines 0
!autotune: \u0001: No such file or directory
2
END

# Like a program, the command does not read a file of the cache that is too large, or that is a pipe.
mkdir huge && cp sound.jsonl huge/results.jsonl && truncate -s 8G huge/results.jsonl && truncate -s 8G huge/misses.jsonl
for arguments in 'list --dir huge' 'check --dir huge' 'misses --dir huge'; do
    expect $arguments <<END
!autotune: $scratch/huge/results.jsonl: is larger than it becomes by tuning, and is not read; --file reads it all the same
2
END
done
cp sound.jsonl huge/results.jsonl
expect misses --dir huge <<END
!autotune: $scratch/huge/misses.jsonl: is larger than it becomes by tuning, and is not read; --file reads it all the same
2
END
rm huge/* && mkfifo huge/results.jsonl huge/misses.jsonl huge/verify.jsonl
for file in results misses verify; do
    case $file in results) arguments=list ;; *) arguments=$file ;; esac
    expect $arguments --dir huge <<END
!autotune: $scratch/huge/$file.jsonl: is no regular file
2
END
    rm huge/$file.jsonl
done

# ---- show ------------------------------------------------------------------------------------------------------------
expect show matmul.c:matmul 512 --file sound.jsonl <<'END'
matmul.c:matmul|n=512|tile=32,unroll=4|10834.5|10790.0|10834.5|winner|ok|61|-
matmul.c:matmul|n=512|tile=64,unroll=4|11020|10950.0|11020.0|duel|ok|61|-
matmul.c:matmul|n=512|tile=32,unroll=1|40100|40100.0|-|halving|slow|16|-
matmul.c:matmul|n=512|tile=16,unroll=1|199010|199010.0|-|screen|slow|1|-
matmul.c:matmul|n=512|tile=64,unroll=1|-|-|-|screen|failed|1|needs 1 MiB, has "512" KiB
0
END
expect show 'sort*' --file sound.jsonl <<'END'
sort <T>, "quoted"|n=1024,type=f32, \u001b[31mred,1=-3|call=radix(v, "a,b")|2500000|2400000.0|2500000.0|winner|ok|30|-
sort <T>, "quoted"|n=1024,type=f32, \u001b[31mred,1=-3|call=heap(v)|2200000|2200000.0|-|screen|slow|1|-
sort <T>, "quoted"|n=1024,type=f32, \u001b[31mred,1=-3|call=merge(v)*/|9500000|9500000.0|-|screen|slow|1|-
0
END
# The resources of CUDA kernels: registers, and bytes of local and of shared memory. Other records do not have them.
expect show saxpy --file resources.jsonl <<'END'
saxpy.c:saxpy|n=512|block=256|10834.5|10790|10834.5|winner|ok|61|-|40|0|2048
saxpy.c:saxpy|n=512|block=128|11020|10950|11020|duel|ok|61|-|255|1024|2048
saxpy.c:saxpy|n=512|block=64|199010|199010|-|screen|slow|1|-|-|-|-
saxpy.c:saxpy|n=512|block=2048|-|-|-|screen|failed|1|too many threads|40|0|2048
0
END
on_terminal() { # ARGUMENTS: runs the command on a terminal. Ages depend on the day, so AGE stands for them
    cat >expected
    script -qec "stty cols ${columns:-80}; '$command' $1" /dev/null </dev/null | tr -d '\r' |
        sed 's/[0-9]* [a-z]*s\{0,1\} ago/AGE ago/; s/ *[0-9]* \(y\|mo\|d\)$/ AGE/; s/ *AGE$/ AGE/' >got
    diff expected got >difference || { wrong "on a terminal: autotune $1"; cat difference; }
}
if script -qec true /dev/null </dev/null >out 2>&1; then
    columns=130
    on_terminal 'list --file sound.jsonl' <<'END'
TUNER               KEY                                  WINNER                    TIME  SPEED-UP  VERDICT AGE
long.c:race         -                                    -                            -         -  unfinished AGE
matmul.c:matmul     n=64                                 tile=16,unroll=1      812.5 ns    1.00 x  tie AGE
matmul.c:matmul     n=512                                tile=32,unroll=4      10.83 us   18.37 x  separated AGE
sort <T>, "quoted"  n=1024,type=f32, \u001b[31mred,1=-3  call=radix(v, "a,b")  2.500 ms    3.80 x  separated AGE

unfinished: the race did not end; the next run of the program goes on with it
END
    unset columns
    on_terminal 'list --file sound.jsonl' <<'END'
TUNER
  KEY                 WINNER                   TIME  SPEED-UP  VERDICT AGE
long.c:race
  -                   -                           -         -  unfinished AGE
matmul.c:matmul
  n=64                tile=16,unroll=1     812.5 ns    1.00 x  tie AGE
  n=512               tile=32,unroll=4     10.83 us   18.37 x  separated AGE
sort <T>, "quoted"
  n=1024,...red,1=-3  call=rad..., "a,b")  2.500 ms    3.80 x  separated AGE

unfinished: the race did not end; the next run of the program goes on with it
END
    on_terminal 'list --file ongoing.jsonl' <<'END'
TUNER            KEY     WINNER       TIME  SPEED-UP  VERDICT AGE
steps.c:advance  n=512   rows=16  1.600 ms    1.25 x  ongoing AGE
steps.c:advance  n=1024  rows=16         -         -  ongoing AGE

ongoing: mode ONLINE still compares; this configuration is in use meanwhile
END
    # A list has short names of templates, unless two short names would be the same. `show` has the whole name.
    on_terminal 'list --file templates.jsonl' <<'END'
TUNER
  KEY    WINNER                                 TIME  SPEED-UP  VERDICT AGE
fit.cpp:bool (anonymous namespace)::less::operator()(int) const
  -      tile=8                            113.43 us    2.00 x  separated AGE
fit.cpp:void one::same(T) [T = int]
  n=64   tile=8                            113.43 us    2.00 x  separated AGE
fit.cpp:apply<averages, double, tile_policy<double, 32>>
  n=64   order=ijk,tile...ws=8,columns=32  113.43 us    2.00 x  separated AGE
  n=128  order=ijk,tile...ws=8,columns=32  113.43 us    2.00 x  separated AGE
fit.cpp:apply<averages, float, tile_policy<float, 16>>
  n=64   tile=8                            113.43 us    2.00 x  separated AGE
fit.cpp:void two::same(T) [T = int]
  n=64   tile=8                            113.43 us    2.00 x  separated AGE
END
    on_terminal "show double n=64 --file templates.jsonl" <<'END'
fit.cpp:void solver::kernels::stencil_operator<T, Policy>::apply(int, F) [with F = averages; T = double; Policy = solver::kernels::tile_policy<double, 32>]  n=64
  winner   order=ijk,tile=96,rows=8,columns=32, 113.43 us,
           2.00 x the first configuration's speed
  verdict  separated, the second takes the same time (95 %: -0.10 to 0.10)
  race     2 of 2 tried, 0 failed, 140 launches, 0.07 s
  made     2026-01-02T03:04:05Z, AGE ago, by g++ 12.2.0 x86_64
  device   A processor, 16 cores

CONFIGURATION                             TIME  TO BEST  SPEED  LEFT AT  LAUNCHES
order=ijk,tile=96,rows=8,columns=32  113.43 us   1.00 x  #####  winner         40
END
    on_terminal 'show race --file sound.jsonl' <<'END'
long.c:race  -
  winner   -, -
  verdict  unfinished: the race did not end; the next run of the program goes on with it
  race     5 of 5 tried, 1 failed, 140 launches, 0.071 s
  made     2026-01-02T03:04:05Z, AGE ago, by gcc 12.2.0 x86_64
  device   A processor, 16 cores

CONFIGURATION     TIME  TO BEST  SPEED                 LEFT AT  LAUNCHES
chunk=8        5.00 us   1.00 x  ####################  screen          1
END
    for file in sound alike templates verified missed; do
        case $file in verified) arguments=verify ;; missed) arguments=misses ;; *) arguments=list ;; esac
        is "$(script -qec "stty cols 80; '$command' $arguments --file $file.jsonl" /dev/null </dev/null 2>err |
              tr -d '\r' | awk 'length > 80' | grep -v '^autotune: ')" '' "$arguments in 80 columns"
    done
    on_terminal 'show matmul.c:matmul 512 --file sound.jsonl' <<'END'
matmul.c:matmul  n=512
  winner   tile=32,unroll=4, 10.83 us, 18.37 x the first configuration's speed
  verdict  separated, the second takes 1.71 % longer (95 %: 1.52 to 1.94)
  race     5 of 5 tried, 1 failed, 140 launches, 0.0712 s
  made     2026-01-02T03:04:05Z, AGE ago, by gcc 12.2.0 x86_64
  device   A processor, 16 cores

CONFIGURATION          TIME  TO BEST  SPEED                 LEFT AT  LAUNCHES  REASON
tile=32,unroll=4   10.83 us   1.00 x  ####################  winner         61  
tile=64,unroll=4   11.02 us   1.02 x  ####################  duel           61  
tile=32,unroll=1   40.10 us   3.70 x  #####                 halving        16  
tile=16,unroll=1  199.01 us  18.37 x  #                     screen          1  
tile=64,unroll=1          -                                 failed          1  needs 1 MiB, has "512" KiB
END
    on_terminal 'show saxpy --file resources.jsonl' <<'END'
saxpy.c:saxpy  n=512
  winner   block=256, 10.83 us, 18.37 x the first configuration's speed
  verdict  separated, the second takes 1.71 % longer (95 %: 1.52 to 1.94)
  race     4 of 4 tried, 1 failed, 140 launches, 0.0712 s
  made     2026-01-02T03:04:05Z, AGE ago, by gcc 12.2.0 x86_64
  device   A device, compute 9.0

CONFIGURATION       TIME  TO BEST  SPEED  LEFT AT  LAUNCHES  REGISTERS  LOCAL  SHARED  REASON
block=256       10.83 us   1.00 x  #####  winner         61         40      0    2048  
block=128       11.02 us   1.02 x  #####  duel           61        255   1024    2048  
block=64       199.01 us  18.37 x         screen          1          -      -       -  
block=2048             -                  failed          1         40      0    2048  too many threads
END
    is "$(script -qec "'$command' show 'matmul*' 64 --file sound.jsonl" /dev/null </dev/null |
          grep -c 'duels    finalists duelled again in later runs: 2')" 1 'how often finalists were duelled again'
    is "$(script -qec "'$command' show 'matmul*' 64 --file checked.jsonl" /dev/null </dev/null |
          grep -c 'checked  the program was built anew, and 16 configurations compared as before')" 1 'what was checked'
    is "$(script -qec "'$command' show 'matmul*' 64 --file sound.jsonl" /dev/null </dev/null |
          grep -c 'left out time was up before all was tried')" 1 'what is missing'
    is "$(script -qec "'$command' show 'matmul*' --file ahead.jsonl" /dev/null </dev/null | grep -c 'made     2999-01-02T03:04:05Z, by ')" 1 \
        'a date that is yet to come has no age'
    # A long device is shortened in its middle. For records of the same tuner and key the list shows how they differ.
    script -qec "stty cols 200; '$command' list --file alike.jsonl" /dev/null </dev/null | tr -d '\r' |
        sed 's/.*\(AGE\| y\| mo\| d\)  //; s/  *$//' >out
    is "$(cat out)" 'DEVICE                                    DIFFERS IN
An EPYC processor ... 32 KiB, L2 512 KiB
An EPYC processor ... 32 KiB, L2 512 KiB  call blocked(n, tile, unroll)
An EPYC processor ... 32 KiB, L2 512 KiB  call naive(n, tile, unroll)
An EPYC processor ...L2 512 KiB, 2 ranks  call naive(n, tile, unroll)' 'records of the same tuner and key'
    is "$(script -qec "stty cols 80; '$command' list --file alike.jsonl" /dev/null </dev/null | tr -d '\r' | tail -n 3 |
          sed 's/ *[0-9]* \(y\|mo\|d\)$/ AGE/')" \
        '  n=64                    tile=16,unroll=1    812.5 ns    1.00 x  tie AGE
    DEVICE  An EPYC processor ...L2 512 KiB, 2 ranks
    DIFFERS IN  call naive(n, tile, unroll)' 'the same in 80 columns'
    is "$(script -qec "'$command' list --file ahead.jsonl" /dev/null </dev/null | tr -d '\r' | grep -c 'tie        *-$')" 1 'nor in a list'
fi

# If an argument is the name of no tuner, the command takes it as a part of a name. `clear` does not.
expect show matmul 512 --file sound.jsonl <<'END'
matmul.c:matmul|n=512|tile=32,unroll=4|10834.5|10790.0|10834.5|winner|ok|61|-
matmul.c:matmul|n=512|tile=64,unroll=4|11020|10950.0|11020.0|duel|ok|61|-
matmul.c:matmul|n=512|tile=32,unroll=1|40100|40100.0|-|halving|slow|16|-
matmul.c:matmul|n=512|tile=16,unroll=1|199010|199010.0|-|screen|slow|1|-
matmul.c:matmul|n=512|tile=64,unroll=1|-|-|-|screen|failed|1|needs 1 MiB, has "512" KiB
0
END
is "$("$command" list 'fit.cpp:apply<averages, float, tile_policy<float, 16>>' --file templates.jsonl | wc -l)" 1 'a short name'
is "$("$command" list 'T = double' --file templates.jsonl | wc -l)" 2 'a part of a name'
cp sound.jsonl kept
expect clear matmul --file kept <<'END'
!autotune: kept: no record of the tuner 'matmul'; 'autotune list' shows the names
1
END
cmp kept sound.jsonl || wrong 'clear took a part of a name'

# ---- check -----------------------------------------------------------------------------------------------------------
expect check sound.jsonl later.jsonl <<'END'
sound.jsonl: records 5, replaced by later ones 1, unsound lines 0
later.jsonl: records 1, replaced by later ones 0, unsound lines 0
0
END
expect check broken.jsonl <<'END'
broken.jsonl:2: this line is damaged or no record
broken.jsonl:4: this line is damaged or no record
broken.jsonl:5: this line was written by a later version
broken.jsonl:9: this line has no device
broken.jsonl:10: this line was cut short
broken.jsonl: records 3, replaced by later ones 0, unsound lines 5
1
END
printf 'no record' >'a name with spaces'
expect check 'a name with spaces' absent.jsonl <<'END'
a name with spaces:1: this line was cut short
a name with spaces: records 0, replaced by later ones 0, unsound lines 1
!autotune: absent.jsonl: No such file or directory
2
END
expect check <<END
$scratch/cache/results.jsonl: records 0, replaced by later ones 0, unsound lines 0
!autotune: $scratch/cache/results.jsonl: there is none yet
0
END

# ---- export ----------------------------------------------------------------------------------------------------------
expect export --format csv 'matmul*' --file sound.jsonl <<'END'
date,tuner,device,verdict,key.n,config.tile,config.unroll,stage,state,launches,min_ns,median_ns,reason
2026-01-02T03:04:06Z,matmul.c:matmul,"A processor, 16 cores",tie,64,16,1,winner,ok,40,800.0,812.5,
2026-01-02T03:04:06Z,matmul.c:matmul,"A processor, 16 cores",tie,64,64,4,duel,ok,40,801.0,815.0,
2026-01-02T03:04:05Z,matmul.c:matmul,"A processor, 16 cores",separated,512,32,4,winner,ok,61,10790.0,10834.5,
2026-01-02T03:04:05Z,matmul.c:matmul,"A processor, 16 cores",separated,512,64,4,duel,ok,61,10950.0,11020.0,
2026-01-02T03:04:05Z,matmul.c:matmul,"A processor, 16 cores",separated,512,32,1,halving,slow,16,40100.0,,
2026-01-02T03:04:05Z,matmul.c:matmul,"A processor, 16 cores",separated,512,16,1,screen,slow,1,199010.0,,
2026-01-02T03:04:05Z,matmul.c:matmul,"A processor, 16 cores",separated,512,64,1,screen,failed,1,,,"needs 1 MiB, has ""512"" KiB"
0
END
# Texts that a spreadsheet would take for a formula get a quote before them. Numbers stay numbers.
expect export --format csv '=HYP*' --file alike.jsonl <<'END'
date,tuner,device,verdict,key.s,key.t,key.u,key.v,config.tile,config.unroll,stage,state,launches,min_ns,median_ns,reason
2026-01-02T03:04:06Z,"'=HYPERLINK(""http://x"")","An EPYC processor of a server, 16 cores, L1d 32 KiB, L2 512 KiB",tie,'@cmd,'-1+1,+5,-1e+300,-16,'-x,winner,ok,40,800.0,812.5,
0
END
# Records of all tuners in one file: each line has as many fields as the first. Quoted texts are removed before the
# fields are counted.
is "$("$command" export --format csv --file sound.jsonl | sed 's/"[^"]*"//g' | awk -F, '{ n[NF]++ } END { for (i in n) print i, n[i] }')" '17 12' 'fields of csv'

"$command" export --format json --file sound.jsonl >all.json || wrong 'export --format json'
"$command" export --format t4 'matmul*' n=512 --file sound.jsonl --output 'a file.json' || wrong 'export --format t4'
is "$("$command" export --format json --dir empty | tr -d '\n')" '[]' 'export --format json of nothing'
sed -n 4p sound.jsonl >line
grep -q -F -f line all.json || wrong 'export --format json: a record is not as it stands'
if command -v jq >/dev/null; then
    is "$(jq -c '.[] | [.tuner, .key.n, .winner]' all.json)" '["long.c:race",null,null]
["matmul.c:matmul",64,{"tile":16,"unroll":1}]
["matmul.c:matmul",512,{"tile":32,"unroll":4}]
["sort <T>, \"quoted\"",1024,{"call":"radix(v, \"a,b\")"}]' json
    is "$(jq -c '.schema_version, (.results[] | [.configuration.tile, .times.runtimes[0], .invalidity, .correctness,
                                                .measurements[0].unit, .objectives[0]])' 'a file.json')" '"1.0.0"
[32,0.0108345,"correct",1,"ms","time"]
[64,0.01102,"correct",1,"ms","time"]
[32,0.0401,"correct",1,"ms","time"]
[16,0.19901,"correct",1,"ms","time"]
[64,null,"runtime",0,null,"time"]' t4
fi
expect export --format t4 --file sound.jsonl <<'END'
!autotune: --format t4 holds one race, and here are 4: name a tuner and a key, as 'autotune list' shows them
2
END
expect export --format xml --file sound.jsonl <<'END'
!autotune: --format 'xml' is not known: it is c, csv, json or t4
2
END
expect export --format c --name 2winners --file sound.jsonl <<'END'
!autotune: --name '2winners' is no identifier of C
2
END
expect export --format json --file sound.jsonl --output absent/file <<'END'
!autotune: absent/file: No such file or directory
2
END

# With SOURCE_DATE_EPOCH, records that differ only by their dates give the same bytes.
SOURCE_DATE_EPOCH=1000 "$command" export --format json --file sound.jsonl | sed -n 's/^\({.*}\),*$/\1/p' >dated.jsonl
is "$("$command" check dated.jsonl)" 'dated.jsonl: records 4, replaced by later ones 0, unsound lines 0' 'other dates'
for format in c csv json; do
    for name in sound dated; do
        SOURCE_DATE_EPOCH=1700000000 "$command" export --format $format --file $name.jsonl >$name.$format || wrong $format
    done
    grep -q 23-11-14T22:13:20Z sound.$format || wrong "export --format $format: dates of SOURCE_DATE_EPOCH"
    cmp sound.$format dated.$format || wrong "export --format $format: other dates, other bytes"
done
is "$(SOURCE_DATE_EPOCH=soon "$command" export --format c --file sound.jsonl 2>&1; echo $?)" \
    'autotune: SOURCE_DATE_EPOCH=soon: it is a number of seconds since 1970
2' 'SOURCE_DATE_EPOCH=soon'

# ---- tune ------------------------------------------------------------------------------------------------------------
# One configuration ends two runs of the program, and is skipped in the third run. If the program itself fails, it is
# run until a run adds no result.
$CC -std=gnu11 -Wall -Wextra -Wpedantic -Werror $AUTOTUNE_CFLAGS -o ends "$here/ends.c" ${AUTOTUNE_LDFLAGS-} \
    $AUTOTUNE_LIBRARIES || wrong 'the program that a configuration ends'
tunes() {
    rm -rf "$AUTOTUNE_CACHE_DIR"
    AUTOTUNE_LOG=off "$command" tune "$@" >out 2>err
    status=$?
    { cat out; sed 's/after [0-9]* s/after T s/; s/^/!/' err; echo "$status"; } >got
    diff expected got || wrong "autotune tune $*"
}
cat >expected <<'END'
3 runs: 1 known, 0 open
ends [7=7]: rounds=2000 did not come back in 2 runs
!autotune: run 1 of at most 20 ended by signal 9 after T s: 0 known, 0 open, launches lost: 1
!autotune: run 2 of at most 20 ended by signal 9 after T s: 0 known, 0 open, launches lost: 2
!autotune: run 3 of at most 20 ended after T s: 1 known, 0 open, launches lost: 2
0
END
tunes ./ends
cat >expected <<'END'
4 runs: 1 known, 0 open
ends [7=7]: rounds=2000 did not come back in 2 runs
!autotune: run 1 of at most 9 ended by signal 9 after T s: 0 known, 0 open, launches lost: 1
!autotune: run 2 of at most 9 ended by signal 9 after T s: 0 known, 0 open, launches lost: 2
!autotune: run 3 of at most 9 exited with 3 after T s: 1 known, 0 open, launches lost: 2
!autotune: run 4 of at most 9 exited with 3 after T s: 1 known, 0 open, launches lost: 2
!autotune: tune: the last run exited with 3, and brought nothing new
1
END
tunes --at-most 9 -- ./ends 3
cat >expected <<'END'
1 run: 0 known, 0 open
ends [7=7]: rounds=2000 did not come back in 1 run
!autotune: run 1 of at most 1 ended by signal 9 after T s: 0 known, 0 open, launches lost: 1
!autotune: tune: the last run ended by signal 9; --at-most allows more runs
1
END
tunes --at-most 1 ./ends
expect tune ./there_is_no_such_program <<'END'
!autotune: ./there_is_no_such_program: No such file or directory
2
END
expect tune --at-most 0 ./ends <<'END'
!autotune: tune: --at-most is a number of runs, from 1 to 10000
2
END

# A program tunes, and saves its records. The command exports them as a header. Built again with this header, the
# program knows the winner without a file.
build() {
    $CC -std=gnu11 -Wall -Wextra -Wpedantic -Werror $AUTOTUNE_CFLAGS "$@" -o program "$here/program.c" \
        ${AUTOTUNE_LDFLAGS-} $AUTOTUNE_LIBRARIES
}
build && AUTOTUNE_CACHE=off ./program 'saved by it.jsonl' >tuned || wrong 'the program that tunes'
is "$(sed 's/:.*//' tuned)" tuned 'without a header'
"$command" export --format c --file 'saved by it.jsonl' --output winners.h || wrong 'export --format c'
rm -f program 'saved by it.jsonl'
build -DWINNERS='"winners.h"' -I. && AUTOTUNE_CACHE=off AUTOTUNE_MODE=require ./program >known || wrong 'the program that has its winners in it'
is "$(cat known)" "$(sed 's/^tuned/known/' tuned)" 'with a header'
"$command" export --format c --dir empty --name other --output none.h || wrong 'export --format c of nothing'
printf '#include "none.h"\nint main(void) { return sizeof other - 1; }\n' >none.c
$CC -std=c11 -Wall -Wextra -Wpedantic -Werror none.c -o none && ./none || wrong 'export --format c of nothing: its header'

# The string in a header has a record in each line. A compiler for C90 takes it without a warning, although it is long.
"$command" export --format c --file sound.jsonl --output winners.h || wrong 'export --format c of several'
printf '#include <stdio.h>\n#include "winners.h"\nint main(void) { return fputs(autotune_winners, stdout) < 0; }\n' >lines.c
$CC -std=c90 -Wall -Wextra -Wpedantic -Werror lines.c -o lines && ./lines >lines.jsonl || wrong 'export --format c of several: its header'
if script -qec true /dev/null </dev/null >out 2>&1; then
    is "$(script -qec "'$command' show matmul* 64 --file lines.jsonl" /dev/null </dev/null | grep -c 'table    none: ')" 1 \
        'show of a record without its table'
fi
is "$("$command" check lines.jsonl)" 'lines.jsonl: records 3, replaced by later ones 0, unsound lines 0' 'export --format c of several'

# ---- merge -----------------------------------------------------------------------------------------------------------
"$command" merge sound.jsonl later.jsonl >'one file' && "$command" merge later.jsonl sound.jsonl --output 'the other' || wrong merge
sort 'one file' >sorted && sort 'the other' | cmp - sorted || wrong 'merge: the order of the files matters'
{ sed -n '3p;5p;4p' sound.jsonl && cat later.jsonl; } | sort | cmp - sorted || wrong 'merge: of n=512 the latest, and all others once'
expect merge sound.jsonl absent.jsonl <<'END'
!autotune: absent.jsonl: No such file or directory
2
END
"$command" merge broken.jsonl later.jsonl >merged 2>err
is "$?" 1 'merge of a broken file'
is "$(grep -c '"autotune":2' merged)" 1 'merge keeps lines of later versions'
is "$("$command" check merged | grep -v later.version)" 'merged: records 3, replaced by later ones 0, unsound lines 1' 'what was merged of a broken file'
expect merge sound.jsonl --output some/results.jsonl <<'END'
!autotune: some/results.jsonl: programs may be writing to this cache. Add to it under its lock: autotune merge --cache --dir 'some' FILE...
2
END
expect merge sound.jsonl --cache --output all.jsonl <<'END'
!autotune: merge: --cache adds to the cache on disk, --output writes a file: give one of them
2
END
expect merge sound.jsonl --dir some <<'END'
!autotune: merge: --dir names the folder of --cache: give --cache, too, or some/results.jsonl as a FILE
2
END
expect merge --cache later.jsonl --dir some <<END
!autotune: $scratch/some/results.jsonl: there is none yet
0
END
expect merge --cache sound.jsonl later.jsonl --dir some <<'END'
0
END
sort some/results.jsonl | cmp - sorted || wrong 'merge --cache: which records'
cp some/results.jsonl before
expect merge --cache sound.jsonl --dir some <<'END'
0
END
cmp before some/results.jsonl || wrong 'merge --cache: records twice'
export AUTOTUNE_CACHE=readonly
expect merge --cache sound.jsonl --dir some <<'END'
!autotune: AUTOTUNE_CACHE is off or readonly: nothing is written to the cache on disk. Unset it, or write a file by --output FILE
2
END
unset AUTOTUNE_CACHE

# ---- launch notes ----------------------------------------------------------------------------------------------------
mkdir -p crashed/notes && cp lost.jsonl crashed/notes/5d0c6f1b2a9e4478-0f343b0931126a20.jsonl
printf 'no record' >crashed/notes/damaged
expect show 'matmul*' --dir crashed <<END
matmul.c:matmul|n=512|tile=16,unroll=8|-|-|-|screen|lost|1|did not come back
matmul.c:matmul|n=512|tile=128,unroll=8|-|-|-|screen|lost|2|did not come back
!autotune: $scratch/crashed/results.jsonl: there is none yet
0
END
expect show nothing --dir crashed <<END
!autotune: $scratch/crashed/results.jsonl: there is none yet
!autotune: $scratch/crashed/results.jsonl: no record of the tuner 'nothing'; 'autotune list' shows the names
1
END
cp sound.jsonl crashed/results.jsonl
is "$("$command" show 'matmul*' 512 --dir crashed | grep -c lost)" 2 'show of a tuner with a record'
is "$("$command" show 'matmul*' 64 --dir crashed | grep -c lost)" 0 'show of another key'
expect check --dir crashed <<END
$scratch/crashed/results.jsonl: records 5, replaced by later ones 1, unsound lines 0
$scratch/crashed/notes: matmul.c:matmul n=512 tile=16,unroll=8: did not come back from its first launch, 1 time, last 2026-01-02T03:04:06Z
$scratch/crashed/notes: matmul.c:matmul n=512 tile=128,unroll=8: did not come back from its first launch, 2 times, last 2026-01-02T03:04:07Z
0
END
expect check crashed/results.jsonl <<END
crashed/results.jsonl: records 5, replaced by later ones 1, unsound lines 0
0
END
expect clear 'matmul*' 64 --dir crashed <<'END'
1 record cleared
0
END
is "$("$command" check --dir crashed | grep -c 'did not')" 2 'the launch notes of another key stay'
expect clear 'matmul*' --dir crashed <<'END'
1 record cleared, launch notes of 1 key
0
END
is "$("$command" check --dir crashed | grep -c 'did not')" 0 'what clear left of the launch notes'
is "$(ls crashed/notes)" damaged 'what is no launch note stays'

# ---- misses ----------------------------------------------------------------------------------------------------------
mkdir missed && cp sound.jsonl missed/results.jsonl && cp missed.jsonl missed/misses.jsonl
expect misses --dir missed <<END
gpu.cu:copy|n=4096|5000000|3|2026-01-02T03:04:05Z|A processor, 16 cores
matmul.c:matmul|n=768|4000|4|2026-01-03T03:04:05Z|A processor, 16 cores
new.c:new|n=1|100|1|2026-01-02T03:04:05Z|A processor, 16 cores
matmul.c:matmul|n=512|40|1|2026-01-02T03:04:05Z|Another processor
long.c:race|-|20|1|2026-01-02T03:04:05Z|A processor, 16 cores
matmul.c:matmul|calls=7|10|1|2026-01-02T03:04:05Z|A processor, 16 cores
!autotune: $scratch/missed/misses.jsonl:6: this line is damaged or no miss and is skipped
1
END
sed 6d missed.jsonl >missed/misses.jsonl
mkdir older && cp older.jsonl older/results.jsonl && cp missed/misses.jsonl older/misses.jsonl
is "$("$command" misses --dir older)" "$("$command" misses --dir missed)" 'misses of texts with an older fingerprint'
expect misses 'matmul*' n=768 --dir missed --output worth.jsonl <<'END'
0
END
is "$(cut -d, -f 2- worth.jsonl | sed 's/.*"calls"/"calls"/; s/,"crc.*//')" '"calls":4000,"runs":4' 'one line of two'
expect misses --file worth.jsonl <<'END'
matmul.c:matmul|n=768|4000|4|2026-01-03T03:04:05Z|A processor, 16 cores
1
END
AUTOTUNE_MISSES=worth.jsonl expect misses new.c:new <<END
!autotune: $scratch/worth.jsonl: no miss of the tuner 'new.c:new'
0
END
AUTOTUNE_MISSES=off expect misses <<'END'
!autotune: AUTOTUNE_MISSES is off: --file names a file of misses
2
END
expect misses --dir empty <<END
!autotune: $scratch/empty/misses.jsonl: there is none yet
0
END
expect misses --file absent.jsonl <<'END'
!autotune: absent.jsonl: No such file or directory
2
END
is "$("$command" list --file missed.jsonl 2>&1 | grep -c 'is damaged or no record and is skipped')" 9 'a miss is no record'
if script -qec true /dev/null </dev/null >out 2>&1; then
    on_terminal 'misses --dir missed *[wu]*:*[wy]' <<'END'
TUNER        KEY       CALLS  RUNS AGE
gpu.cu:copy  n=4096  5000000     3 AGE
new.c:new    n=1         100     1 AGE
END
fi

# ---- Calls in use ----------------------------------------------------------------------------------------------------
expect verify --in-use --file in_use.jsonl <<'END'
matmul.c:matmul|n=64|812.5|850|1.046
matmul.c:matmul|n=512|10834.5|43338|4
sort <T>, "quoted"|n=1024,type=f32, \u001b[31mred,1=-3|2500000|750000|0.3
!autotune: 2 winners do not take in use what the race measured; see 'In use' in the manual
1
END
expect verify --in-use 'matmul*' n=64 --file in_use.jsonl <<'END'
matmul.c:matmul|n=64|812.5|850|1.046
0
END
expect verify --in-use --file sound.jsonl <<'END'
!autotune: no record says what its winner takes in use
2
END
if script -qec true /dev/null </dev/null >out 2>&1; then
    columns=130
    on_terminal 'list --file in_use.jsonl' <<'END'
TUNER               KEY                                  WINNER                    TIME  SPEED-UP  VERDICT      AGE  IN USE
matmul.c:matmul     n=64                                 tile=16,unroll=1      812.5 ns    1.00 x  tie        10 mo  850.0 ns
matmul.c:matmul     n=512                                tile=32,unroll=4      10.83 us   18.37 x  separated  10 mo  43.34 us !
sort <T>, "quoted"  n=1024,type=f32, \u001b[31mred,1=-3  call=radix(v, "a,b")  2.500 ms    3.80 x  separated  10 mo  750.00 us !

!: calls do not take what the race measured; see 'In use' in the manual
END
    unset columns
    script -qec "'$command' show 'matmul*' --file in_use.jsonl" /dev/null </dev/null | tr -d '\r' | grep '  in use' >got
    is "$(cat got)" "  in use   850.0 ns, 1.05 x what the race measured, on 2026-01-03T03:04:05Z
  in use   43.34 us, 4.00 x what the race measured, on 2026-01-04T03:04:05Z: see 'In use' in the manual" 'show'
fi

# ---- verify ----------------------------------------------------------------------------------------------------------
mkdir verified && cp sound.jsonl verified/results.jsonl && cp verified.jsonl verified/verify.jsonl
expect verify --dir verified <<END
matmul.c:matmul|n=64|tile=16,unroll=1|tile=16,unroll=1|0|-|5|2026-01-03T03:04:05Z|-
matmul.c:matmul|n=512|tile=32,unroll=4|tile=64,unroll=4|0.05263|0.04167|60|2026-01-03T03:04:05Z|-
near.c:near|n=0|tile=32,unroll=4|tile=64,unroll=4|0.07527|0.06383|60|2026-01-02T03:04:05Z|-
near.c:near|n=1|tile=32,unroll=4|tile=64,unroll=4|0.02041|0.0101|60|2026-01-02T03:04:05Z|-
near.c:near|n=2|tile=32,unroll=4|tile=64,unroll=4|0.25|-|60|2026-01-02T03:04:05Z|the clock is too coarse: many rounds ended in a tie
near.c:near|n=3|tile=32,unroll=4|tile=64,unroll=4|0.02041|-|4|2026-01-02T03:04:05Z|-
sort <T>, "quoted"|type=f32, \\u001b[31mred|call=radix(v, "a,b")|-|-|-|0|2026-01-02T03:04:05Z|the launch failed
!autotune: $scratch/verified/verify.jsonl:10: this line is damaged or no verification and is skipped
!autotune: 1 key was not known: nothing was verified, and the first configuration was used
!autotune: 2 winners are shown to be more than 3 % slower than what is best now, or no longer work
1
END
sed '$d' verified.jsonl >verified/verify.jsonl
cat verified_older.jsonl verified/verify.jsonl >older/verify.jsonl # only the later line counts, with any fingerprint
is "$("$command" verify --dir older 2>&1)" "$("$command" verify --dir verified 2>&1)" 'an older fingerprint verified'
expect verify 'near*' --dir verified --junit near.xml <<END
near.c:near|n=0|tile=32,unroll=4|tile=64,unroll=4|0.07527|0.06383|60|2026-01-02T03:04:05Z|-
near.c:near|n=1|tile=32,unroll=4|tile=64,unroll=4|0.02041|0.0101|60|2026-01-02T03:04:05Z|-
near.c:near|n=2|tile=32,unroll=4|tile=64,unroll=4|0.25|-|60|2026-01-02T03:04:05Z|the clock is too coarse: many rounds ended in a tie
near.c:near|n=3|tile=32,unroll=4|tile=64,unroll=4|0.02041|-|4|2026-01-02T03:04:05Z|-
0
END
expect verify 'near*' --dir verified --worse-than 1 <<END
near.c:near|n=0|tile=32,unroll=4|tile=64,unroll=4|0.07527|0.06383|60|2026-01-02T03:04:05Z|-
near.c:near|n=1|tile=32,unroll=4|tile=64,unroll=4|0.02041|0.0101|60|2026-01-02T03:04:05Z|-
near.c:near|n=2|tile=32,unroll=4|tile=64,unroll=4|0.25|-|60|2026-01-02T03:04:05Z|the clock is too coarse: many rounds ended in a tie
near.c:near|n=3|tile=32,unroll=4|tile=64,unroll=4|0.02041|-|4|2026-01-02T03:04:05Z|-
!autotune: 1 winner is shown to be more than 1 % slower than what is best now, or no longer works
1
END
expect verify --file verified/verify.jsonl --worse-than 1e3% --junit - <<'END'
matmul.c:matmul|n=64|tile=16,unroll=1|tile=16,unroll=1|0|-|5|2026-01-03T03:04:05Z|-
matmul.c:matmul|n=512|tile=32,unroll=4|tile=64,unroll=4|0.05263|0.04167|60|2026-01-03T03:04:05Z|-
near.c:near|n=0|tile=32,unroll=4|tile=64,unroll=4|0.07527|0.06383|60|2026-01-02T03:04:05Z|-
near.c:near|n=1|tile=32,unroll=4|tile=64,unroll=4|0.02041|0.0101|60|2026-01-02T03:04:05Z|-
near.c:near|n=2|tile=32,unroll=4|tile=64,unroll=4|0.25|-|60|2026-01-02T03:04:05Z|the clock is too coarse: many rounds ended in a tie
near.c:near|n=3|tile=32,unroll=4|tile=64,unroll=4|0.02041|-|4|2026-01-02T03:04:05Z|-
sort <T>, "quoted"|type=f32, \u001b[31mred|call=radix(v, "a,b")|-|-|-|0|2026-01-02T03:04:05Z|the launch failed
<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="autotune verify" tests="8" failures="1" skipped="1">
    <testcase classname="matmul.c:matmul" name="n=64"/>
    <testcase classname="matmul.c:matmul" name="n=512"/>
    <testcase classname="matmul.c:matmul" name="n=768">
      <skipped message="the key is not known"/>
    </testcase>
    <testcase classname="near.c:near" name="n=0"/>
    <testcase classname="near.c:near" name="n=1"/>
    <testcase classname="near.c:near" name="n=2"/>
    <testcase classname="near.c:near" name="n=3"/>
    <testcase classname="sort &lt;T&gt;, &quot;quoted&quot;" name="type=f32, \u001b[31mred">
      <failure message="call=radix(v, &quot;a,b&quot;): no longer works: the launch failed"/>
    </testcase>
  </testsuite>
</testsuites>
!autotune: 1 key was not known: nothing was verified, and the first configuration was used
!autotune: 1 winner is shown to be more than 1000 % slower than what is best now, or no longer works
1
END
expect verify new.c:new --dir verified <<END
!autotune: $scratch/verified/verify.jsonl: nothing was verified
2
END
expect verify --dir empty <<END
!autotune: $scratch/empty/verify.jsonl: there is none yet: a run with AUTOTUNE_MODE=verify writes it
2
END
expect verify --dir verified --worse-than nothing <<'END'
!autotune: --worse-than nothing: it is a number of per cent, as 3%
2
END
if script -qec true /dev/null </dev/null >out 2>&1; then
    on_terminal 'verify --dir verified mat*:*' <<'END'
TUNER
  KEY    WINNER            BEST NOW          SLOWER  AT LEAST AGE
matmul.c:matmul
  n=64   tile=16,unroll=1  tile=16,unroll=1       -         - AGE
  n=512  tile=32,unroll=4  tile=64,unroll=4  5.26 %    4.17 % AGE
autotune: 1 key was not known: nothing was verified, and the first configuration was used
autotune: 1 winner is shown to be more than 3 % slower than what is best now, or no longer works
END
    for folder in verified older; do # `older` also has a line with another fingerprint
        is "$(script -qec "stty cols 200; '$command' list --dir $folder mat*:*" /dev/null </dev/null | tr -d '\r' | sed 's/.*  //')" \
            'VERIFIED
the best
5.26 % slower than tile=64,unroll=4 (at least 4.17 %)' "what list says of verified winners, $folder"
    done
    columns=100
    on_terminal 'verify --file same.jsonl' <<'END'
TUNER            KEY    WINNER            BEST NOW            SLOWER  AT LEAST AGE
matmul.c:matmul  n=512  tile=32,unroll=4  tile=64,unroll=4  the same         - AGE
END
    unset columns
    cp -r verified same && cp same.jsonl same/verify.jsonl
    is "$(script -qec "'$command' show matmul 512 --dir same" /dev/null </dev/null | tr -d '\r' | grep verified)" \
        '  verified 2026-01-03T03:04:05Z: as fast as tile=64,unroll=4' 'a difference that would be shown as 0.00 %'
    cp few.jsonl same/verify.jsonl
    is "$(script -qec "'$command' show matmul 512 --dir same" /dev/null </dev/null | tr -d '\r' | grep verified)" \
        '  verified 2026-01-03T03:04:05Z: the best, which is not shown' 'rounds that are too few'
    AUTOTUNE_USE='matmul* [n=512]=first' on_terminal 'show --dir verified mat*:* 512' <<'END'
matmul.c:matmul  n=512
  winner   tile=32,unroll=4, 10.83 us, 18.37 x the first configuration's speed
  verdict  separated, the second takes 1.71 % longer (95 %: 1.52 to 1.94)
  race     5 of 5 tried, 1 failed, 140 launches, 0.0712 s
  made     2026-01-02T03:04:05Z, AGE ago, by gcc 12.2.0 x86_64
  verified 2026-01-03T03:04:05Z: 5.26 % slower than tile=64,unroll=4 (at least 4.17 %)
  pinned   AUTOTUNE_USE asks for first
  device   A processor, 16 cores

CONFIGURATION          TIME  TO BEST  SPEED                 LEFT AT  LAUNCHES  REASON
tile=32,unroll=4   10.83 us   1.00 x  ####################  winner         61  
tile=64,unroll=4   11.02 us   1.02 x  ####################  duel           61  
tile=32,unroll=1   40.10 us   3.70 x  #####                 halving        16  
tile=16,unroll=1  199.01 us  18.37 x  #                     screen          1  
tile=64,unroll=1          -                                 failed          1  needs 1 MiB, has "512" KiB
END
fi
AUTOTUNE_USE='matmul* [n=512]=tile=16, unroll=1; sort*=first' expect list --dir verified <<'END'
long.c:race|-|-|-|-|unfinished|2026-01-02T03:04:05Z|A processor, 16 cores
matmul.c:matmul|n=64|tile=16,unroll=1|812.5|1|tie|2026-01-02T03:04:06Z|A processor, 16 cores
matmul.c:matmul|n=512|tile=16,unroll=1|-|-|pinned|2026-01-02T03:04:05Z|A processor, 16 cores
sort <T>, "quoted"|n=1024,type=f32, \u001b[31mred,1=-3|first|-|-|pinned|2026-01-02T03:04:05Z|A processor, 16 cores
0
END
is "$(AUTOTUNE_USE='text* [k=c:\users]=first' "$command" list --file pins.jsonl | grep pinned | cut -f 1-3 | tr '\t' '|')" \
    'text.c:text|k=c:\\users|first' 'which winner is pinned'

# ---- clear -----------------------------------------------------------------------------------------------------------
echo 'no record' >>some/results.jsonl
expect clear 'matmul*' 512 --dir some <<END
1 record cleared
!autotune: $scratch/some/results.jsonl:5: this line is damaged or no record and is skipped; delete it to silence this
0
END
is "$(tail -n 1 some/results.jsonl)" 'no record' 'a line that clear cannot read'
is "$("$command" list --dir some 2>/dev/null | cut -f 1,2 | tr '\n\t' ';|')" \
    'long.c:race|-;matmul.c:matmul|n=64;sort <T>, "quoted"|n=1024,type=f32, \u001b[31mred,1=-3;' 'what clear left'
sed '$d' some/results.jsonl >left && cp left some/results.jsonl
expect clear nothing --dir some <<END
!autotune: $scratch/some/results.jsonl: no record of the tuner 'nothing'; 'autotune list' shows the names
1
END
expect clear --dir some <<'END'
!autotune: clear: which records? TUNER, TUNER KEY, or --all
2
END
export AUTOTUNE_CACHE=readonly
expect clear --all --dir some <<'END'
!autotune: the cache on disk is off or readonly: nothing is cleared there
2
END
unset AUTOTUNE_CACHE
# The lock of a cache cannot be made, because a folder has its name. Then the disk seems full, because `ulimit -f 0`
# forbids all writing.
needs='nothing was cleared; its folder must allow locks and new files'
mkdir unwritable unwritable/lock && cp some/results.jsonl unwritable
expect clear --all --dir unwritable <<END
!autotune: $scratch/unwritable/lock: Is a directory: processes do not wait for each other, and may race a key twice; remove what is there
!autotune: $scratch/unwritable/results.jsonl: cannot be locked: $needs
2
END
rmdir unwritable/lock
is "$( (trap '' XFSZ && ulimit -f 0 && "$command" clear 'matmul*' --dir unwritable 2>&1) || echo $?)" \
    "autotune: $scratch/unwritable/results.jsonl: File too large: $needs
2" 'clear of a cache that cannot be written'
cmp -s some/results.jsonl unwritable/results.jsonl || wrong 'clear changed a cache that it could not clear'
expect clear --all --dir some <<'END'
3 records cleared
0
END
is "$(cat some/results.jsonl)" '' 'what clear --all left'
# A damaged line stays, although its beginning is that of a record.
mkdir damaged && sed -n '3,5p' sound.jsonl | sed '2s/"verdict":"./"verdict":"Z/' >damaged/results.jsonl
sed -n 2p damaged/results.jsonl >left
expect clear --all --dir damaged <<END
2 records cleared
!autotune: $scratch/damaged/results.jsonl:2: this line is damaged or no record and is skipped; delete it to silence this
0
END
cmp left damaged/results.jsonl || wrong 'clear --all: a line that is damaged'

# With --file the file is replaced. Lines that cannot be read stay.
cat sound.jsonl broken.jsonl >both
expect clear 'matmul*' 512 --file both <<'END'
3 records cleared
0
END
is "$("$command" list --file both 2>/dev/null | grep -c n=512)" 0 'what clear left of a file'
is "$(grep -c . both)" "$(($(cat sound.jsonl broken.jsonl | grep -c .) - 3))" 'lines that clear left of a file'
cp both before
expect clear nothing --file both <<'END'
!autotune: both: no record of the tuner 'nothing'; 'autotune list' shows the names
1
END
cmp -s both before || wrong 'clear changed a file that has nothing to clear'
expect clear --all --file absent.jsonl <<'END'
!autotune: absent.jsonl: No such file or directory
2
END
expect clear --all --file - <<'END'
!autotune: clear: --file is a file, which is replaced; '-' has no place
2
END
expect clear --all --file some/results.jsonl <<'END'
!autotune: some/results.jsonl: programs may be adding to a cache on disk: --dir DIR clears it under its lock
2
END

# ---- cut files, and lack of memory -----------------------------------------------------------------------------------
# A file may be cut at any byte, and any allocation may fail. The command must exit with one of its own statuses (0, 1,
# 2), and never end by a signal.
echo 'exports.View=1; exports.parse=1; exports.expressionInterpreter=1;' >library.js # replaces Vega
all_commands() { # FILE: runs several commands on the file; prints the commands that ended with a status above 2
    for arguments in 'list' 'show *' 'check' 'export --format c' 'export --format csv' 'export --format json' 'plot --terminal * 64' 'report --library library.js --output -'; do
        set -f # the shell must not replace * by file names
        "$command" $arguments --file "$1" >out 2>err
        status=$?
        set +f
        [ $status -le 2 ] || echo "$arguments: $status"
    done
}
bytes=$(wc -c <sound.jsonl)
for cut in 0 1 2 12 13 40 $(seq 150 331 "$bytes") $((bytes - 1)); do
    head -c "$cut" sound.jsonl >cut.jsonl
    is "$(all_commands cut.jsonl)" '' "a file of $cut bytes"
done
if $CC -o failing "$here/out_of_memory.c" $AUTOTUNE_OBJECTS ${AUTOTUNE_LDFLAGS-} \
    -Wl,--wrap=malloc,--wrap=realloc,--wrap=calloc -lm -pthread 2>/dev/null; then
    for arguments in 'list' 'show *' 'check' 'export --format c' 'export --format csv' 'export --format t4 * 512' 'merge' 'report --library library.js --output -'; do
        set -f
        [ "$arguments" = merge ] && file=sound.jsonl || file=--file=sound.jsonl
        ./failing $arguments $file >healthy 2>&1 || wrong "without a failure: $arguments"
        n=0 failures_seen=0
        while [ $n -lt 4000 ]; do
            FAIL_AT=$n ./failing $arguments $file >out 2>err
            status=$?
            case $status in
            0) cmp -s out healthy || wrong "$arguments, allocation $n fails: another result"
               [ $failures_seen -gt 0 ] && break ;;
            2) failures_seen=$((failures_seen + 1))
               grep -q 'out of memory' err || wrong "$arguments, allocation $n fails: $(cat err)" ;;
            *) wrong "$arguments, allocation $n fails: status $status" ;;
            esac
            [ $n -lt 60 ] && n=$((n + 1)) || n=$((n + 13))
        done
        [ $failures_seen -gt 10 ] || wrong "$arguments: only $failures_seen allocations failed"
        set +f
    done
fi

# ---- plot ------------------------------------------------------------------------------------------------------------
expect plot 'matmul*' --file sound.jsonl --terminal <<'END'
!autotune: plot: 2 records match: name a tuner and a key, as 'autotune list' shows them
2
END
expect plot 'matmul*' 512 --file sound.jsonl <<'END'
!autotune: plot: --output FILE.png, --output FILE.svg or --terminal
2
END
expect plot 'matmul*' 512 --file sound.jsonl --output plot.jpeg <<'END'
!autotune: plot.jpeg: the name of a plot ends with .png or .svg
2
END
expect plot 'matmul*' 512 --file sound.jsonl --terminal --axes tile,warp <<'END'
!autotune: --axes 'tile,warp': there is no axis 'warp'
1
END
path=$PATH
PATH=$scratch/empty
expected=$("$command" plot 'matmul*' 512 --file sound.jsonl --terminal 2>&1)
status=$?
PATH=$path
is "$status $expected" "2 autotune: plot needs gnuplot, which is not installed; 'autotune show' draws bars without it" 'no gnuplot'

# The script for gnuplot. A stand-in for gnuplot prints it.
mkdir stand-in && printf '#!/bin/sh\ncat\n' >stand-in/gnuplot && chmod +x stand-in/gnuplot
PATH=$scratch/stand-in:$path
expect plot 'matmul*' 512 --file sound.jsonl --output "it's one.svg" <<'DONE'
set terminal svg noenhanced size 1000,600 background 'white'
set output 'it''s one.svg'
set encoding utf8
set title 'matmul.c:matmul  n=512'
$finalists << END
1 10.8345 10.79
2 11.02 10.95
END
$others << END
3 40.1 40.1
4 199.01 199.01
END
set xlabel 'configurations, sorted by time'
set ylabel 'microseconds'
set key top left
set xrange [0:5]
set yrange [8.6676:248.7625]
set logscale y
set ytics ('10' 10, '20' 20, '50' 50, '100' 100, '200' 200)
plot $finalists using 1:2:3:2 with yerrorbars pointtype 7 title 'finalists: median, least', $others using 1:2 with points pointtype 6 title 'left before: least'
0
DONE
expect plot 'matmul*' 512 --file sound.jsonl --terminal --axes tile,unroll <<'DONE'
set terminal dumb noenhanced size 79,24
set encoding utf8
set title 'matmul.c:matmul  n=512: least time of a call'
$cells << END
0 0 199.01 "199.01 us"
1 0 40.1 "40.10 us"
1 1 10.8345 "10.83 us WINNER"
2 1 11.02 "11.02 us"
END
$winner << END
1 1
END
set xlabel 'tile'
set xrange [-0.5:2.5]
set xtics ('16' 0, '32' 1, '64' 2)
set ylabel 'unroll'
set yrange [-0.5:1.5]
set ytics ('1' 0, '4' 1)
unset key
set palette defined (0 '#fff7bc', 1 '#fec44f', 2 '#d95f0e')
set cblabel 'microseconds'
set cbrange [10.726155:201.0001]
set logscale cb
set cbtics ('20' 20, '50' 50, '100' 100, '200' 200)
plot $cells using 1:2:4 with labels
0
DONE
is "$("$command" plot 'matmul*' 512 --file sound.jsonl --terminal | grep '^set title')" \
    "set title 'matmul.c:matmul  n=512: time of a call in microseconds'" 'the unit of a plot in a terminal'
is "$("$command" plot 'matmul*' 512 --file sound.jsonl --axes tile,unroll --output a.svg | sed -n 's/^plot.*\(.winner .*\), .cells.*/\1/p')" \
    "\$winner using 1:2:(0.48):(0.48) with boxxyerror linecolor 'black' linewidth 3 fillstyle empty" 'the winner has a frame'
# Even if all times are close to each other, the scale has numbers.
is "$("$command" plot 'matmul*' 64 --file sound.jsonl --terminal --axes tile,unroll | grep '^set cbtics')" \
    "set cbtics ('805' 805, '810' 810, '815' 815, '820' 820)" 'a short scale'
is "$("$command" plot "it's*" --file hostile.jsonl --terminal --axes b,b | sed -n '/cells <</,/^END/p' | tr '\n' ';')" \
    '$cells << END;0 0 812.5 "812.5 ns WINNER";END;' 'a heat map has the time of the winner where it stands'
printf '#!/bin/sh\nexit 3\n' >stand-in/gnuplot
expect plot 'matmul*' 512 --file sound.jsonl --terminal <<'END'
!autotune: gnuplot failed
2
END
PATH=$path
if command -v gnuplot >/dev/null; then
    for axes in '' "--axes=a\`touch made\`',b"; do
        "$command" plot "it's*" --file hostile.jsonl --output 'a plot.svg' ${axes:+"$axes"} || wrong "plot $axes"
        grep -q '<svg' 'a plot.svg' || wrong "plot $axes: no SVG"
        grep -q 'touch made' 'a plot.svg' || wrong "plot $axes: the name of the tuner is missing"
        rm -f 'a plot.svg'
        "$command" plot 'matmul*' n=64 --file sound.jsonl --output 'a plot.png' || wrong 'plot of a PNG'
        is "$(head -c 4 'a plot.png' | tail -c 3)" PNG 'plot of a PNG'
        is "$("$command" plot "it's*" --file hostile.jsonl --terminal ${axes:+"$axes"} 2>&1 | grep -c 'touch\|warning')" \
            "$([ "$axes" ] && echo 3 || echo 1)" "plot --terminal $axes"
    done
    [ ! -e made ] || wrong 'gnuplot ran a part of a name'
fi

# ---- The command line ------------------------------------------------------------------------------------------------
expect lst <<'END'
!autotune: 'lst' is not a command; see 'autotune --help'
2
END
expect check --format c sound.jsonl <<'END'
!autotune: check has no option --format; see 'autotune check --help'
2
END
expect show <<'END'
!autotune: show takes TUNER [KEY]; see 'autotune show --help'
2
END
expect list --file sound.jsonl --dir empty <<'END'
!autotune: --file and --dir exclude each other
2
END
"$command" >out 2>err
is "$? $(cat out)" '2 ' 'no command'
"$command" list --nothing >out 2>err
is "$? $(cat out)" '2 ' 'an unknown option'
is "$(cut -c 1-10 err | uniq)" 'autotune: ' 'whose message it is'
is "$(tail -n 1 err)" "autotune: see 'autotune list --help'" 'what there is'
is "$("$command" --version | tr -d '.0-9')" 'autotune ' '--version'
is "$("$command" fit --help | sed -n 's/^  --\(format\|name\|cache\) *//p' | tr '\n' ';')" \
    'FORMAT      json, a line for the cache, or c, a function;NAME          with --format c: what the function is called (autotune_rule);with --format json: add the line to the cache on disk;' \
    'what fit takes'
is "$("$command" merge --help | sed -n 's/^  --cache *//p')" 'add the records to the cache on disk' 'what merge takes'
names=$("$command" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p')
is "$(echo "$names" | head -n 1)" list '--help'
for name in $names; do
    "$command" "$name" --help >out || wrong "$name --help"
    is "$(sed -n 's/^\(  --.\{19\}\)[^ ].*/\1/p' out | grep -vc ' $'; grep -c '^  --.\{19\}[^ ]' out)" \
        "$(printf '0\n'; grep -c '^  --' out)" "columns of $name --help"
    grep -q "^\.B autotune $name" "$manual" || wrong "the manual does not have the command $name"
    for option in $(sed -n 's/^  --\([a-z]*\).*/\1/p' out); do
        grep -q "^\.BI* \\\\-\\\\-$option" "$manual" || wrong "the manual does not have the option --$option of $name"
    done
done

# ---- Output that cannot be written -----------------------------------------------------------------------------------
mkfifo pipe
# The command writes to a pipe only after the reader has closed it.
(trap '' PIPE; exec 4>pipe; until [ -e closed ]; do sleep 0.01; done
 "$command" export --format json --file sound.jsonl --output - >&4 2>err; echo "$?" >status) &
exec 3<pipe && exec 3<&-
touch closed
wait
is "$(cat status err)" 2 'a pipe that is closed'
if [ -c /dev/full ]; then
    "$command" list --file sound.jsonl >/dev/full 2>err
    is "$? $(cat err)" '2 autotune: standard output: No space left on device' 'a full disk'
fi

[ "$failures" = 0 ] && echo 'all right'
exit "$failures"
