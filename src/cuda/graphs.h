/* Batches of short launches, replayed as graphs. */
#pragma once
#include "../site/floor.h"
#include "../base/floor.h"
#include "../statement/for_backends.h"
#include "../accelerator/floor.h"
#include "driver.h"
#include "session.h"

/* The CPU needs some microseconds for a launch. Launches of a shorter kernel, made one by one, would show that time and
   not the kernel's. So if the call is one CUDA_LAUNCH and nothing else, all launches of a batch but the first are
   captured into a graph. This is done on a stream of the session's own, since the program's stream may be one that
   cannot be captured. The graph is launched twice. The first keeps the device busy until the second, which is timed, is
   queued behind it. For this a graph must last 32 us, several times what the CPU needs to launch it. If the launches of
   the batch take less, each is captured more than once. If any of this fails, the trial is repeated, and the session
   makes its launches one by one from then on, as hold.h says. */
/* Is the call one CUDA_LAUNCH and nothing else? Its text tells. */
static bool autotune__cuda_is_one_launch(const autotune__tuning *tuning) {
    size_t length = 0;
    const char *call = autotune__call_of(tuning, &length), *open = call ? strchr(call, '(') : NULL, *at;
    const ptrdiff_t name = open ? open - call : 0;
    int depth = 0;
    if (!(name == 11 && !memcmp(call, "CUDA_LAUNCH", 11)) && !(name == 20 && !memcmp(call, "AUTOTUNE_CUDA_LAUNCH", 20)))
        return false;
    for (at = open; at < call + length; at = autotune__past_token(at)) {
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        if (!depth) return at + 1 == call + length;
    }
    return false;
}
/* Decides, when the clock is started, whether the launches that follow are replayed. */
static void autotune__cuda_plan_replay(autotune__cuda_session *session) {
    const double enough_ns = 32e3, unknown = 32;                    /* launches, which take 1 us and more each */
    const uint32_t most = 4096;                                     /* a clock so coarse needs no graph */
    const autotune__tuning *tuning = autotune__tuning_with(&session->common.backend);
    const uint32_t batch = autotune__launches_at_once(tuning);
    autotune__cuda_replay *replay = &session->replay;
    replay->batch = replay->seen = 0;
    if (batch < 2 || batch > most || replay->given_up || !autotune__cuda_is_one_launch(tuning)) return;
    replay->batch = batch;
    replay->copies = (uint32_t)((replay->least_ns > 0 ? enough_ns / replay->least_ns : unknown) / (batch - 1)) + 1;
}
/* NULL: nothing was captured. */
static CUgraph autotune__cuda_end_capture(autotune__cuda_session *session) {
    autotune__cuda_replay *replay = &session->replay;
    CUgraph graph = NULL;
    if (replay->capturing) autotune__driver.cuStreamEndCapture_(replay->stream, &graph);
    replay->capturing = false;
    return graph;
}
/* Drops what was captured of this batch, which is no longer replayed. */
static void autotune__cuda_drop_replay(autotune__cuda_session *session) {
    CUgraph graph = autotune__cuda_end_capture(session);
    if (graph) autotune__driver.cuGraphDestroy_(graph);
    session->replay.batch = 0;
}
/* Drops it, and replays no later batch either. */
static void autotune__cuda_give_up_replays(autotune__cuda_session *session) {
    autotune__cuda_drop_replay(session);
    session->replay.given_up = true;
    autotune__void_trial(autotune__tuning_with(&session->common.backend));
}
static bool autotune__cuda_begin_capture(autotune__cuda_replay *replay) {
    if (!replay->stream && autotune__driver.cuStreamCreate_(&replay->stream, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS)
        replay->stream = NULL;
    replay->capturing = replay->stream &&
                        autotune__driver.cuStreamBeginCapture_(replay->stream, CU_STREAM_CAPTURE_MODE_RELAXED) ==
                            CUDA_SUCCESS;
    return replay->capturing;
}
/* When the clock is stopped: launches the graph twice, the second time between the event `begun` and the one that the
   caller records next. Returns false if the graph could not be launched. */
static bool autotune__cuda_replay_batch(autotune__cuda_session *session) {
    autotune__cuda_replay *replay = &session->replay;
    CUgraph graph = autotune__cuda_end_capture(session);
    CUresult result = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (graph && replay->seen == replay->batch)
        result = autotune__driver.cuGraphInstantiateWithFlags_(&replay->graph, graph, 0);
    if (result != CUDA_SUCCESS) replay->graph = NULL;
    if (graph) autotune__driver.cuGraphDestroy_(graph);
    if (result == CUDA_SUCCESS) result = autotune__driver.cuGraphUpload_(replay->graph, session->stream);
    if (result == CUDA_SUCCESS) result = autotune__driver.cuGraphLaunch_(replay->graph, session->stream);
    if (result == CUDA_SUCCESS) result = autotune__driver.cuEventRecord_(session->begun[0], session->stream);
    if (result == CUDA_SUCCESS) result = autotune__driver.cuGraphLaunch_(replay->graph, session->stream);
    return result == CUDA_SUCCESS;
}
/* The time that the launches of the batch would have taken, from the time of the graph. Counts the launches that the
   statement does not know of. */
static double autotune__cuda_take_replay(autotune__cuda_session *session, double graph_ns) {
    autotune__cuda_replay *replay = &session->replay;
    autotune__tuning *tuning = autotune__tuning_with(&session->common.backend);
    const uint32_t captured = (replay->batch - 1) * replay->copies;
    const double cost_ns = autotune__clock_in(tuning).cost_ns, ns = (graph_ns - cost_ns) / captured;
    if (ns > 0 && !(replay->least_ns <= ns && replay->least_ns > 0)) replay->least_ns = ns;
    autotune__launched_more(tuning, 1 + 2 * captured - replay->batch);
    return ns * replay->batch + cost_ns;
}
/* Until the clock is started again every launch is made. */
static void autotune__cuda_end_replay(autotune__cuda_session *session) {
    if (session->replay.graph && !autotune__lost(&session->common))
        autotune__driver.cuGraphExecDestroy_(session->replay.graph);
    session->replay.graph = NULL;
    session->replay.batch = 0;
}
