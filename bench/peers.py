"""peers.py - runs other tuners, as they are shipped, on recorded spaces and on the matrix product.

    peers.py spaces FOLDER [--seeds N] [--only NAME]      rows for the table of bench_search: Kernel Tuner, Optuna
    peers.py matmul PROGRAM                               Kernel Tuner's C backend beside PROGRAM, examples/matmul.c
    peers.py compiled PROGRAM [--rounds N]                the same beside PROGRAM, bench/cc.c: both compile

peers.sh installs the packages that this program needs, and runs it. The first comment of bench/search.c defines spaces,
trials and figures. Kernel Tuner gets the recorded configurations as its space, from a cache, and the times from its own
simulation runner. A configuration counts as a trial when Kernel Tuner evaluates it for the first time. Optuna cannot be
limited to the recorded configurations. So each suggestion is moved to the nearest recorded configuration, and Optuna is
told the time of this configuration. If it was tried before, it is told again, and costs no trial.
"""
import argparse
import ctypes
import glob
import gzip
import importlib.metadata
import math
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy

TRIALS, FIRST_SCORED = 200, 20
STRATEGIES = ["adaptive_tabu_greywolf", "hybrid_vndx", "genetic_algorithm", "dual_annealing", "simulated_annealing",
              "pso"]


class Space:
    """A table of configurations with their times; failures have the time infinity."""

    def __init__(self, path):
        with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
            lines = [line.strip() for line in file if line[0] not in "#\n"]
        rows = [line.split(",") for line in lines]
        width = rows[0].index("status")
        self.name = os.path.basename(path).split(".")[0]
        self.titles = rows[0][:width]
        columns = [self.numbers([row[i] for row in rows[1:]]) for i in range(width)]
        self.configurations = list(zip(*columns))
        self.values = [sorted(set(column)) for column in columns]
        times = [float(row[width + 1]) if row[width] == "ok" else math.inf for row in rows[1:]]
        self.time = dict(zip(self.configurations, times))
        worked = sorted(t for t in self.time.values() if t < math.inf)
        self.optimum, self.slowest = worked[0], worked[-1]
        self.flat = worked[len(worked) // 2] < 1.2 * self.optimum
        self.random = [self.expected(worked, n) for n in range(1, TRIALS + 1)]

    @staticmethod
    def numbers(column):
        try:
            return [int(value) for value in column]
        except ValueError:
            return column

    def expected(self, worked, n):
        """Returns the expected best time of n random draws without replacement."""
        count, total, mean = len(self.time), 0.0, 0.0
        chance = n / count
        for i, t in enumerate(worked):
            if chance <= 0:
                break
            mean += chance * t
            total += chance
            chance *= (count - (i + n)) / max(count - 1 - i, 1)
        return mean / total


class Over(Exception):
    pass


class Trace:
    """The best time so far, after each trial."""

    def __init__(self, space):
        self.space, self.tried, self.curve = space, set(), []

    def add(self, configuration):
        if configuration in self.tried:
            return
        self.tried.add(configuration)
        t = self.space.time[configuration]
        best = min(t, self.curve[-1]) if self.curve else t
        self.curve.append(best)
        if len(self.curve) >= TRIALS:
            raise Over

    def whole(self):
        curve = [min(t, self.space.slowest) for t in self.curve] or [self.space.slowest]
        return curve + [curve[-1]] * (TRIALS - len(curve))


def run_kernel_tuner(space, strategy, seed):
    from kernel_tuner import util
    from kernel_tuner.interface import Options, strategy_map
    from kernel_tuner.runners.simulation import SimulationRunner
    from kernel_tuner.searchspace import Searchspace

    if not hasattr(space, "kernel_tuner"):
        parameters = dict(zip(space.titles, space.values))
        cache = {}
        for c in space.configurations:
            t = space.time[c]
            entry = dict(zip(space.titles, c), time=t if t < math.inf else util.RuntimeFailedConfig(), compile_time=0,
                         verification_time=0, benchmark_time=0)
            if t == math.inf:
                entry["__error__"] = entry["time"]
            cache[",".join(str(v) for v in c)] = entry
        space.kernel_tuner = parameters, cache
    parameters, cache = space.kernel_tuner
    if not hasattr(space, "searchspace"):
        space.searchspace = Searchspace(None, None, None, from_cache={"tune_params": parameters, "cache": cache})
    trace = Trace(space)

    class Runner(SimulationRunner):
        def run(self, configurations, tuning_options):
            configurations = list(configurations)
            results = super().run(configurations, tuning_options)
            for configuration, result in zip(configurations, results):
                if result is not None:
                    trace.add(tuple(configuration))
            return results

    options = Options(strategy_options=Options(max_fevals=TRIALS), cache=cache, objective=["time"],
                      objective_higher_is_better=[False], tune_params=parameters, metrics=None, verbose=False, restrictions=None, quiet=True,
                      budget=util.TuningBudget(None, TRIALS))
    runner = Runner(None, Options(kernel_name=space.name), Options(quiet=True), 1, None)
    random.seed(seed)
    numpy.random.seed(seed)
    try:
        strategy_map[strategy].tune(space.searchspace, runner, options)
    except Over:
        pass
    return trace.whole()


def run_optuna(space, seed):
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    ordered = [all(isinstance(v, int) for v in values) for values in space.values]
    number = [{v: i for i, v in enumerate(values)} for values in space.values]
    if not hasattr(space, "digits"):
        space.digits = numpy.array([[number[a][v] for a, v in enumerate(c)] for c in space.configurations])
    wide = numpy.array([max(len(values) - 1, 1) for values in space.values])
    distributions = {title: optuna.distributions.IntDistribution(0, len(values) - 1) if ordered[a]
                     else optuna.distributions.CategoricalDistribution(range(len(values)))
                     for a, (title, values) in enumerate(zip(space.titles, space.values))}
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed, multivariate=False))
    trace = Trace(space)
    try:
        for _ in range(4 * TRIALS):
            trial = study.ask(distributions)
            wanted = numpy.array([trial.params[title] for title in space.titles])
            apart = numpy.where(ordered, numpy.abs(space.digits - wanted) / wide, space.digits != wanted).sum(axis=1)
            nearest = int(apart.argmin())
            configuration = space.configurations[nearest]
            t = space.time[configuration]
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
            params = {title: int(d) for title, d in zip(space.titles, space.digits[nearest])}
            study.add_trial(optuna.trial.create_trial(params=params, distributions=distributions,
                                                      value=math.log(t if t < math.inf else 2 * space.slowest)))
            trace.add(configuration)
    except Over:
        pass
    return trace.whole()


def spaces(folder, seeds, only):
    tables = [Space(path) for path in sorted(glob.glob(os.path.join(folder, "*.csv*")))]
    runs = [("Kernel Tuner, " + s, lambda space, seed, s=s: run_kernel_tuner(space, s, seed)) for s in STRATEGIES]
    runs.append(("Optuna, TPE", run_optuna))
    print(f"{seeds} seeds; Kernel Tuner {importlib.metadata.version('kernel_tuner')}, "
          f"Optuna {importlib.metadata.version('optuna')}, Python {sys.version.split()[0]}")
    for name, run in runs:
        if only and only not in name:
            continue
        scores, at_100, at_200 = [], [], []
        for space in tables:
            curves = [run(space, seed) for seed in range(seeds)]
            mean = [statistics.fmean(curve[n] for curve in curves) for n in range(TRIALS)]
            scores.append(statistics.fmean((space.random[n] - mean[n]) / (space.random[n] - space.optimum)
                                           for n in range(FIRST_SCORED - 1, TRIALS)))
            at_100.append(statistics.fmean(curve[99] <= 1.05 * space.optimum for curve in curves))
            at_200.append(statistics.fmean(curve[TRIALS - 1] <= 1.05 * space.optimum for curve in curves))
        uneven = [i for i, space in enumerate(tables) if not space.flat]
        print(f"{name:<36}" + "".join(f" {score:14.2f} " for score in scores) +
              f" | {statistics.fmean(scores[i] for i in uneven):5.2f}  {min(scores[i] for i in uneven):5.2f}"
              f"  {statistics.fmean(at_100[i] for i in uneven):6.2f}"
              f"  {statistics.fmean(at_200[i] for i in uneven):6.2f}", flush=True)


# The matrix product ---------------------------------------------------------------------------------------------------

ORDERS = ["ijk", "ikj", "jik", "jki", "kij", "kji"]
TILES, ROWS, COLUMNS, N = [16, 32, 48, 96], [1, 2, 4, 8], [4, 8, 16, 32], 96


def kernel_text():
    """The kernel of examples/matmul.c, without the tuner."""
    text = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "matmul.c")).read()
    begin, end = text.index("static int smaller"), text.index("static autotune_result matmul")
    return "#include <stdbool.h>\n#include <time.h>\n" + text[begin:end]


def judge(folder, configurations, rounds=31):
    """Median microseconds of each configuration, all compiled into one library and called in turns."""
    source, library = os.path.join(folder, "judge.c"), os.path.join(folder, "judge.so")
    with open(source, "w") as file:
        file.write(kernel_text() + """
double seconds(int n, const float *x, const float *y, float *z, const char *order, int tile, int rows, int columns) {
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    product(n, x, y, z, order, tile, rows, columns);
    clock_gettime(CLOCK_MONOTONIC, &b);
    return (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
}""")
    subprocess.run(["cc", "-std=gnu11", "-O2", "-shared", "-fPIC", source, "-o", library], check=True)
    seconds = ctypes.CDLL(library).seconds
    seconds.restype = ctypes.c_double
    x, y, z = (numpy.ones((N, N), numpy.float32) for _ in range(3))
    pointers = [ctypes.c_void_p(m.ctypes.data) for m in (x, y, z)]
    times = {c: [] for c in configurations}
    for _ in range(rounds):
        for c in random.sample(configurations, len(configurations)):
            times[c].append(seconds(N, *pointers, c[0].encode(), *c[1:]))
    return {c: 1e6 * statistics.median(t) for c, t in times.items()}


def matmul(program):
    import kernel_tuner

    configurations = [(o, t, r, c) for o in ORDERS for t in TILES for r in ROWS for c in COLUMNS if c <= t]
    environment = dict(os.environ, AUTOTUNE_CACHE="off")
    printed = subprocess.run([program], env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
    raced = re.search(r"raced +\d+ of \d+, \d+ failed, ([\d.]+) s, (\d+) launches", printed)
    pick = re.search(r"order \"?(\w+)\"? tile (\d+) rows (\d+) columns (\d+)", printed)
    found = [("autotune", float(raced[1]), int(raced[2]), (pick[1], *map(int, pick.groups()[1:])))]
    # In Kernel Tuner's C backend the function itself measures its time. The values are macros, so each configuration is
    # compiled.
    source = kernel_text() + """
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
float call(const float *x, const float *y, float *z) {
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    product(96, x, y, z, TEXT(order), tile_size, row_count, column_count);
    clock_gettime(CLOCK_MONOTONIC, &b);
    return (float)(1e3 * (double)(b.tv_sec - a.tv_sec) + 1e-6 * (double)(b.tv_nsec - a.tv_nsec));
}"""
    parameters = {"order": ORDERS, "tile_size": TILES, "row_count": ROWS, "column_count": COLUMNS}
    matrices = [numpy.ones((N, N), numpy.float32) for _ in range(3)]
    iterations = 7
    for strategy in ["adaptive_tabu_greywolf", "brute_force"]:
        random.seed(1)
        start = time.perf_counter()
        results, _ = kernel_tuner.tune_kernel(
            "call", source, (1, 1), matrices, parameters, restrictions=["column_count <= tile_size"], lang="C",
            compiler="cc", compiler_options=["-std=gnu11", "-O2"], iterations=iterations, quiet=True, strategy=strategy,
            strategy_options={} if strategy == "brute_force" else {"max_fevals": 100})
        spent = time.perf_counter() - start
        different = {tuple(r[p] for p in parameters): r for r in results if isinstance(r["time"], float)}
        best = min(different, key=lambda c: different[c]["time"])
        found.append((f"Kernel Tuner, {strategy}", spent, iterations * len(different), best))
    with tempfile.TemporaryDirectory() as folder:
        times = judge(folder, configurations)
    least = min(times.values())
    print(f"\nThe matrix product's {len(configurations)} configurations\n")
    print(f"{'':36} {'seconds':>9} {'launches':>10}   its pick's time over the best's")
    for name, spent, launches, best in found:
        print(f"{name:<36} {spent:9.2f} {launches:10}   {times[best] / least:.3f}   ({' '.join(map(str, best))})")


# Functions compiled for each configuration ----------------------------------------------------------------------------

FLAGS = ["-O2", "-O2 -ffast-math", "-O3", "-O3 -ffast-math"]
CC_SPACE = {"ROWS": [1, 2, 3, 4, 6, 8], "COLUMNS": [8, 16, 32, 48]}
CC_N = 192
CC_CALL = """
#include <time.h>
float call(const float *a, const float *b, float *c) {
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    product(192, a, b, c);
    clock_gettime(CLOCK_MONOTONIC, &to);
    return (float)(1e3 * (double)(to.tv_sec - from.tv_sec) + 1e-6 * (double)(to.tv_nsec - from.tv_nsec));
}"""


def cc_kernel():
    """Returns the source that bench/cc.c compiles. It is changed so that g++ compiles it, too, since Kernel Tuner takes it
    for C++. As in bench/cc.c, the compiler does not know the size of the matrices."""
    text = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "cc.c")).read()
    begin = text.index("#define PRODUCT")
    lines = re.findall(r'"((?:[^"\\]|\\.)*)"', text[begin:text.index("static", begin)])
    text = "".join(lines).replace("\\n", "\n").replace("restrict", "__restrict")
    return text.replace("void product(", "__attribute__((noipa)) void product(", 1) + CC_CALL


def processor_seconds():
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def cc_matrices():
    one = numpy.arange(CC_N * CC_N)
    return [(one % 7).astype(numpy.float32), (one % 5).astype(numpy.float32), numpy.zeros(CC_N * CC_N, numpy.float32)]


def tune_by_kernel_tuner():
    """Kernel Tuner has the same compiler options for all configurations. So each string of flags is a separate space."""
    import kernel_tuner

    found = {}
    for flags in FLAGS:
        results, _ = kernel_tuner.tune_kernel(
            "call", cc_kernel(), (1, 1), cc_matrices(), CC_SPACE, lang="C", compiler="g++",
            compiler_options=["-march=native", *flags.split()], quiet=True)
        found.update({(r["ROWS"], r["COLUMNS"], flags): r["time"] for r in results if isinstance(r["time"], float)})
    return len(found), min(found, key=found.get)


def judge_compiled(folder, rounds=31):
    """Returns the median microseconds of each configuration: each is compiled into a library, and they are called in
    turns."""
    source, calls = os.path.join(folder, "judge.c"), {}
    with open(source, "w") as file:
        file.write(cc_kernel())
    for number, (rows, columns, flags) in enumerate(
            (r, c, f) for r in CC_SPACE["ROWS"] for c in CC_SPACE["COLUMNS"] for f in FLAGS):
        library = os.path.join(folder, f"{number}.so")
        subprocess.run(["gcc", "-march=native", *flags.split(), f"-DROWS={rows}", f"-DCOLUMNS={columns}", "-shared",
                        "-fPIC", source, "-o", library], check=True)
        calls[rows, columns, flags] = ctypes.CDLL(library).call
        calls[rows, columns, flags].restype = ctypes.c_float
    matrices = cc_matrices()
    pointers = [ctypes.c_void_p(m.ctypes.data) for m in matrices]
    times = {c: [] for c in calls}
    for _ in range(rounds):
        for c in random.sample(list(calls), len(calls)):
            times[c].append(1e3 * calls[c](*pointers))
    return {c: statistics.median(t) for c, t in times.items()}


def compiled(program, rounds):
    rows = []
    for _ in range(rounds):
        printed = subprocess.run([program, "race"], stdout=subprocess.PIPE, text=True, check=True).stdout.split("\t")
        rows.append(("autotune", float(printed[0]), float(printed[1]), int(printed[2]),
                     (int(printed[3]), int(printed[4]), printed[5].strip())))
        wall, own = time.perf_counter(), processor_seconds()
        tried, pick = tune_by_kernel_tuner()
        rows.append(("Kernel Tuner", time.perf_counter() - wall, processor_seconds() - own, tried, pick))
    with tempfile.TemporaryDirectory() as folder:
        times = judge_compiled(folder)
    least = min(times.values())
    print(f"\n{'':14} {'seconds':>8} {'of processor':>13} {'compiled':>9}   its pick's time over the best's")
    for name, wall, own, tried, pick in rows:
        print(f"{name:<14} {wall:8.2f} {own:13.2f} {tried:9}   {times[pick] / least:.3f}   ({' '.join(map(str, pick))})")


def main():
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    of_spaces = commands.add_parser("spaces")
    of_spaces.add_argument("folder")
    of_spaces.add_argument("--seeds", type=int, default=30)
    of_spaces.add_argument("--only", default="")
    commands.add_parser("matmul").add_argument("program")
    of_compiled = commands.add_parser("compiled")
    of_compiled.add_argument("program")
    of_compiled.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    if arguments.command == "spaces":
        spaces(arguments.folder, arguments.seeds, arguments.only)
    elif arguments.command == "compiled":
        compiled(arguments.program, arguments.rounds)
    else:
        matmul(arguments.program)


main()
