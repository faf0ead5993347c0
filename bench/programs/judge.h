/* judge.h - measures all configurations of a program again, without autotune, and prints how good the pick of autotune
   is. "authors" are the people who wrote the program. */
#ifndef JUDGE_H
#define JUDGE_H

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace judge {

/* A configuration. authors: the authors chose it. picked: it is the winner of autotune. call() runs the configuration,
   and returns false if it does not work. times: in seconds, one for each round. */
struct configuration {
    std::string name;
    bool authors, picked;
    std::function<bool()> call;
    std::vector<double> times;
    double least() const { return times.empty() ? INFINITY : *std::min_element(times.begin(), times.end()); }
    double median() const {
        if (times.empty()) return INFINITY;
        std::vector<double> sorted = times;
        std::sort(sorted.begin(), sorted.end());
        return sorted[sorted.size() / 2];
    }
};

using clock = std::chrono::steady_clock;
inline double since(clock::time_point begin) { return std::chrono::duration<double>(clock::now() - begin).count(); }

/* Returns the time of a call on the CPU in seconds. INFINITY: the call fails. If a call takes less than 100 us, the
   time is the mean of several calls. */
inline double on_cpu(const std::function<bool()> &call) {
    for (int count = 1;; count *= 4) {
        const auto begin = clock::now();
        for (int i = 0; i < count; i++)
            if (!call()) return INFINITY;
        const double seconds = since(begin);
        if (seconds > 100e-6) return seconds / count;
    }
}

#ifdef __CUDACC__
/* Returns the time of a call on the default stream in seconds, with cold caches. INFINITY: the call fails. */
inline double on_gpu(const std::function<bool()> &call) {
    static void *cold;
    static cudaEvent_t begin, end;
    const size_t bytes = 256 << 20;
    if (!cold) cudaMalloc(&cold, bytes), cudaEventCreate(&begin), cudaEventCreate(&end);
    cudaMemsetAsync(cold, 0, bytes);
    cudaEventRecord(begin);
    const bool works = call();
    cudaEventRecord(end);
    const bool ends = cudaEventSynchronize(end) == cudaSuccess && cudaGetLastError() == cudaSuccess;
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    return works && ends ? milliseconds * 1e-3 : INFINITY;
}
#endif

/* Measures the configurations `all` in rounds, each once in a round. Every second round has the reverse order. From the
   fourth round on, a configuration that takes more than twice the best time is left out, unless the last line has its
   time. Prints all medians. The last line begins with ROW. The first configuration of `all` is the first of the space.
   once: on_cpu() or on_gpu(). limit: after so many
   seconds no round begins, except the first seven. */
inline int report(const char *program, const autotune_result &r, std::vector<configuration> all,
                  double (*once)(const std::function<bool()> &), double limit = 4) {
    if (r.status != AUTOTUNE_OK) return std::printf("FAILED %s: %s\n", program, autotune_last_error()), 1;
    auto begin = clock::now();
    int rounds = 0;
    for (double best = INFINITY; rounds < 101 && (rounds < 7 || since(begin) < limit); rounds++) {
        if (rounds == 1) begin = clock::now();                      /* the first round may compile kernels */
        for (size_t k = 0; k < all.size(); k++) {
            configuration &c = all[rounds % 2 ? all.size() - 1 - k : k];
            const bool reported = &c == &all[0] || c.authors || c.picked;
            if (rounds && c.times.empty()) continue;                /* c does not work */
            if (rounds > 2 && !reported && c.least() > 2 * best) continue;
            const double seconds = once(c.call);
            if (std::isfinite(seconds)) c.times.push_back(seconds);
        }
        for (const configuration &c : all) best = std::min(best, c.least());
    }
    const configuration *best = &all[0], *authors = nullptr, *picked = nullptr;
    int works = 0;
    for (const configuration &c : all) {
        works += !c.times.empty();
        if (c.median() < best->median()) best = &c;
        if (c.authors && (!authors || c.median() < authors->median())) authors = &c;
        if (c.picked && !picked) picked = &c;
        std::printf("%-34s %12.3f us  %3zu rounds%s%s\n", c.name.c_str(), c.median() * 1e6, c.times.size(),
                    c.authors ? "  authors" : "", c.picked ? "  picked" : "");
    }
    if (!picked || !authors) return std::printf("FAILED %s: the pick is not in the judge's list\n", program), 1;
    static const char *const verdicts[] = {"none", "separated", "tie", "unresolved", "unreliable"};
    const int verdict = r.verdict == AUTOTUNE_SEPARATED ? 1 : r.verdict == AUTOTUNE_TIE ? 2
                        : r.verdict == AUTOTUNE_UNRESOLVED ? 3 : r.verdict == AUTOTUNE_UNRELIABLE ? 4 : 0;
    std::printf("ROW|%s|%zu of %zu, %zu failed|%d|%.2f|%.2f|%.2f|%.2f|%+.1f %%|%.2f|%.2f|%.3f|%s|%s|%s|%s|%d\n",
                program, r.tried, r.space_size, r.failed, works, all[0].median() * 1e6, authors->median() * 1e6,
                picked->median() * 1e6, best->median() * 1e6, 100 * (picked->median() / best->median() - 1),
                all[0].median() / picked->median(), authors->median() / picked->median(), r.seconds,
                verdicts[verdict], authors->name.c_str(), picked->name.c_str(), best->name.c_str(), rounds);
    return 0;
}

/* Returns the name of a configuration of two numbers. */
inline std::string pair(const char *a, long x, const char *b, long y) {
    return std::string(a) + " " + std::to_string(x) + ", " + b + " " + std::to_string(y);
}

}  /* namespace judge */
#endif
