"""cuda_triton.py PART FOLDER - tunes with Triton, for cuda.sh.

matmul          FP16 matrix product: seconds to tune with all kernels compiled and loaded, launches, picks, time of a known call.
                Leaves the kernels in FOLDER, with kernels.tsv that says how they are launched
softmax         rows of 8192: seconds to tune from nothing, if TRITON_CACHE_DIR is an empty folder
softmax-ahead   the same, with all kernels compiled beforehand by a pool of threads

Appends lines "name <tab> value" to FOLDER/figures.tsv."""
import itertools
import os
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import torch
import triton
import triton.language as tl

N, ROWS, COLUMNS, RUNS, CALLS = 4096, 2048, 8192, 3, 200
folder = sys.argv[2]


def tell(name, value):
    with open(os.path.join(folder, "figures.tsv"), "a") as file:
        file.write(f"{name}\t{value}\n")


def seconds(call):
    torch.cuda.synchronize()
    start = time.perf_counter()
    call()
    torch.cuda.synchronize()
    return time.perf_counter() - start


@triton.autotune(key=["n"], configs=[
    triton.Config(dict(BLOCK_M=m, BLOCK_N=n, BLOCK_K=k, GROUP=8), num_warps=warps, num_stages=stages)
    for m, n, k, warps, stages in itertools.product((64, 128), (64, 128, 256), (32, 64), (4, 8), (3, 4))])
@triton.jit
def matmul(a, b, c, n: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr):
    """A tile of C = A B in each program; GROUP rows of tiles are made column by column, so that they share B in the second-level cache."""
    group = tl.program_id(0) // (GROUP * (n // BLOCK_N))
    inside = tl.program_id(0) % (GROUP * (n // BLOCK_N))
    row = (group * GROUP + inside % GROUP) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = inside // GROUP * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    at_a = a + row[:, None] * n + k[None, :]
    at_b = b + k[:, None] * n + column[None, :]
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for _ in range(n // BLOCK_K):
        total = tl.dot(tl.load(at_a), tl.load(at_b), total)
        at_a += BLOCK_K
        at_b += BLOCK_K * n
    tl.store(c + row[:, None] * n + column[None, :], total.to(tl.float16))


@triton.autotune(key=["n"], configs=[
    triton.Config(dict(BLOCK=32 * warps * vector, STAGES=stages), num_warps=warps)
    for warps, vector, stages in itertools.product((4, 8, 16, 32), (1, 2, 4, 8), (1, 2, 4))])
@triton.jit
def softmax(x, y, n: tl.constexpr, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    """The kernel of cuda.c: a row in each program, in two passes; maximum and sum are kept together while the first one runs."""
    row = tl.program_id(0).to(tl.int64) * n
    lane = tl.arange(0, BLOCK)
    most = tl.full((BLOCK,), float("-inf"), tl.float32)
    total = tl.zeros((BLOCK,), tl.float32)
    for k in tl.range(0, n, BLOCK, num_stages=STAGES):
        v = tl.load(x + row + k + lane)
        m = tl.maximum(most, v)
        total = total * tl.exp(most - m) + tl.exp(v - m)
        most = m
    m = tl.max(most, 0)
    scale = 1 / tl.sum(total * tl.exp(most - m), 0)
    for k in tl.range(0, n, BLOCK, num_stages=STAGES):
        tl.store(y + row + k + lane, tl.exp(tl.load(x + row + k + lane) - m) * scale)


@triton.jit
def copy(x, y, n: tl.constexpr, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    tl.store(y + tl.arange(0, BLOCK), tl.load(x + tl.arange(0, BLOCK)))


def tune_matmul():
    a, b = (torch.randn(N, N, device="cuda", dtype=torch.float16) for _ in range(2))
    c = torch.empty_like(a)
    grid = lambda meta: (N // meta["BLOCK_M"] * (N // meta["BLOCK_N"]),)
    with open(os.path.join(folder, "kernels.tsv"), "w") as table:
        for i, (config, kernel) in enumerate(zip(matmul.configs, matmul.warmup(a, b, c, N, grid=grid))):
            assert kernel.metadata.global_scratch_size == 0
            with open(os.path.join(folder, f"{i}.cubin"), "wb") as file:
                file.write(kernel.asm["cubin"])
            print(f"{i}.cubin", kernel.metadata.name, 32 * kernel.metadata.num_warps, kernel.metadata.shared, *grid(config.kwargs),
                  sep="\t", file=table)
    matmul[grid](a, b, c, N)                # loads the kernels; what is timed from here on is tuning alone
    assert torch.allclose(c, a @ b, rtol=1e-2, atol=1e-1)
    times = []
    for run in range(RUNS):
        matmul.cache.clear()
        times.append(seconds(lambda: matmul[grid](a, b, c, N)))
        tell(f"pick {run}", matmul.configs.index(matmul.best_config))
    tell("matmul seconds", statistics.median(times))

    calls = []
    for _ in range(21):                     # fewer than a stream takes before a launch has to wait for room
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(CALLS):
            matmul[grid](a, b, c, N)
        calls.append((time.perf_counter() - start) / CALLS)
    tell("call us", 1e6 * statistics.median(calls))

    launches = 0

    def count(arguments, reset_only=False):
        nonlocal launches
        launches += 1

    matmul.pre_hook = count
    matmul.cache.clear()
    matmul[grid](a, b, c, N)
    tell("matmul launches", launches)


def tune_softmax(ahead):
    x = torch.randn(ROWS, COLUMNS, device="cuda")
    y = torch.empty_like(x)
    copy[(1,)](x, y, COLUMNS, 32, 1)        # Triton builds its launcher, which is no part of tuning

    def tune():
        if ahead:
            with ThreadPoolExecutor(min(8, max(1, os.cpu_count() - 1))) as pool, triton.AsyncCompileMode(pool):
                softmax.warmup(x, y, COLUMNS, grid=(ROWS,))
        softmax[(ROWS,)](x, y, COLUMNS)

    tell("softmax ahead seconds" if ahead else "softmax seconds", seconds(tune))
    tell("softmax ahead us" if ahead else "softmax us", 1e3 * softmax.configs_timings[softmax.best_config][0])
    assert torch.allclose(y, torch.softmax(x, 1), rtol=1e-3, atol=1e-6)


if sys.argv[1] == "matmul":
    tune_matmul()
else:
    tune_softmax(sys.argv[1] == "softmax-ahead")
