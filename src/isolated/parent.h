/* The race of a statement in child processes, for AUTOTUNE_CHILD and for audits. The parent forks when the race asks
   for the first launch, and waits. The child goes on in the loop of the statement, and reports each answer. The
   parent gives these answers to its own race. If the child ends early, the parent knows from its race which
   configuration was launched. This configuration fails, and the race goes on in the next child. No trial changes the
   memory of the parent, except memory that processes share. In the end the parent makes the call for real. This room
   decides if a child hangs; system/child.h kills the child. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../device/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "../statement/floor.h"
#include "state.h"
#include "in_child.h"

/* True once the launches of a race have hung in child processes: see AUTOTUNE__THEY_HANG. Then later races do not
   fork. */
static bool autotune__children_fail;

/* Returns true if launches of this backend run on the CPU. A user's backend may be autotune_cpu() with another
   clock. */
static bool autotune__is_of_cpu(const autotune_backend *b) {
    return b->allocate == autotune__cpu_allocate && b->copy == autotune__cpu_copy && !b->start && !b->prepare &&
           !b->open && !b->ready && !b->classify;
}
/* Returns why the race of a statement cannot run in a child process; NULL: the race can. */
static const char *autotune__needs_this_process(const autotune__statement *statement) {
    return statement->plan.measures ? "in mode AUTOTUNE_ONLINE every launch is real"
           : autotune__team_size() > 1 ? "a child process would lack the other threads of the OpenMP team"
           : !autotune__is_of_cpu(statement->subject.backend) ? "only launches on the CPU work in a child process"
           : autotune__is_set(&autotune__children_fail)
               ? "launches in a child process of this program do not come back; they may wait for threads that only "
                 "this process has"
               : statement->trial.peers ? statement->trial.peers->bind(statement) : NULL;
}
/* Lets this process make the trials, although child processes were asked for, and logs the reason. */
static void autotune__give_up_isolation(autotune__statement *statement, const char *why) {
    const bool audits = autotune__environment.audits,
               asked = audits || statement->subject.options.isolate == AUTOTUNE_CHILD;
    if (statement->trial.isolation) statement->trial.isolation->where = AUTOTUNE__HERE;
    autotune__say_of(asked ? AUTOTUNE_LOG_ERRORS : AUTOTUNE_LOG_WINNER, &statement->subject, "%s: %s",
                     audits ? "memory that the call does not name is not compared"
                            : "AUTOTUNE_CHILD has no effect, and the launches are made in this process", why);
}
/* Decides at the beginning of a race if children make its trials. A race inside a child makes no further child. */
static void autotune__plan_isolation(autotune__statement *statement) {
    autotune__trial_state *trial = &statement->trial;
    const char *why = autotune__needs_this_process(statement);
    const autotune__statement *outer;
    for (outer = statement->outer; outer; outer = outer->outer) if (autotune__is_child(&outer->trial)) return;
    if (!why && !trial->isolation &&
        !(trial->isolation = (autotune__isolation *)autotune__allocate(sizeof *trial->isolation)))
        why = "there is no memory for it";
    if (why) { autotune__give_up_isolation(statement, why); return; }
    trial->isolation->where = AUTOTUNE__IN_CHILDREN;
    trial->isolation->known = SIZE_MAX;
}

/* Begins the race in the child. The child does not write the cache, and shows no progress. Its processor time begins at
   0. The first write to memory after a fork is slow. So the child begins with a rehearsal: it launches a configuration
   that is known to work. The .outputs of the rehearsal are the reference for the other configurations. There is no
   rehearsal if no configuration is known to work, or if the race asks for the known configuration itself. */
static void autotune__begin_in_child(autotune__statement *statement) {
    autotune__isolation *isolation = statement->trial.isolation;
    autotune__request *request = &statement->trial.request;
    isolation->where = AUTOTUNE__IN_THIS_CHILD;
    autotune__environment.progress = 0;
    autotune__begin_watch(&statement->trial);
    if (isolation->known == SIZE_MAX || isolation->known == request->index) return;
    isolation->rehearses = true;
    isolation->next = *request;
    request->index = isolation->known;
    request->launches = 2;
    request->limit_ns = 0;
    request->occasion = AUTOTUNE__FIRST_LAUNCH; /* so that its outputs are kept */
}

/* The reports of one child until its end. Only the parent writes this struct. */
typedef struct autotune__reports {
    char bytes[4 * AUTOTUNE__REPORT_BYTES];     /* received bytes that autotune__take_reports() has not taken yet */
    size_t count;                               /* how many bytes `bytes` has */
    autotune__report_kind last;                 /* the kind of the last report */
    bool other_request;                         /* the last report is not of the parent's request: the child rehearsed,
                                                   or its race differs, since a launch changed the memory of the
                                                   child */
    char reason[AUTOTUNE__REASON_BYTES + 1];    /* the text of the last report */
    bool damaged;                               /* bytes arrived that are no report */
    bool late;                                  /* no report came for too long */
    double waited;                              /* seconds since the last report */
} autotune__reports;
/* Returns how many seconds may pass without a report:
   - A first launch may take .launch_timeout. If that is 0, the launch may take 20 times the longest launch of the
     race so far, but at least 10 s.
   - All other work may take as long as a first launch, but at least 10 s. Such work prepares buffers, checks outputs,
     or calls .setup and .verify. Around a first launch, and outside of a RUN, it may take at least 60 s.
   - The launches of a RUN may take 20 times their expected time in addition.
   - A compilation may take .compile_timeout, or 60 s if that is 0. It may wait as long for other compilations. 10 s
     are added. */
static double autotune__quiet_seconds(const autotune__statement *statement, const autotune__reports *reports) {
    const autotune__request *request = &statement->trial.request;
    const bool runs = request->what == AUTOTUNE__RUN_IT;
    const double given = statement->subject.options.launch_timeout, least = 10,
                 compile = statement->subject.options.compile_timeout,
                 longest = 20 * (double)statement->turn.progress.longest_ns / 1e9,
                 launch = given > 0 ? given : longest > least ? longest : least,
                 rest = !runs || autotune__is_first_launch(request) ? 60 : 10;
    if (reports->last == AUTOTUNE__LAUNCH_BEGINS) return launch;
    if (reports->last == AUTOTUNE__LAUNCH_IS_PUT_OFF) return least + 2 * (compile > 0 ? compile : 60);
    return (launch > rest ? launch : rest) + (runs ? 20 * request->expected_ns * request->launches / 1e9 : 0);
}
/* Gives the parent's race an answer that the child's race got. Returns false if the parent's race has another
   request. */
static bool autotune__pass_answer(autotune__statement *statement, const autotune__message *message, const char *why) {
    autotune__trial_state *trial = &statement->trial;
    const autotune__answer *answer = &message->answer;
    if (message->request.what != trial->request.what || message->request.index != trial->request.index) return false;
    trial->launches = message->launches;
    trial->answer = *answer;
    trial->answer.reason = why;
    autotune__count_match(&trial->memories, answer->outputs);
    if (trial->request.what == AUTOTUNE__EVALUATE) {
        statement->judged++;
        autotune__take_judged(statement, message->seconds);
    } else {
        autotune__expect_long(&trial->turn->progress, (uint64_t)autotune__sample_ns(answer));
        autotune__take_run(statement, message->seconds, 2);
    }
    return true;
}
/* Takes a report of the child. Returns false if the report has an answer that does not belong to the parent's
   request. */
static bool autotune__take_message(autotune__statement *statement, autotune__reports *reports,
                                   const autotune__message *message) {
    autotune__trial_state *trial = &statement->trial;
    reports->last = (autotune__report_kind)message->kind;
    reports->other_request = reports->last == AUTOTUNE__IS_DONE || message->request.index != trial->request.index;
    switch (reports->last) {
    case AUTOTUNE__LAUNCH_BEGINS:
        autotune__launch_begins(trial, message->request.index);
        return true;
    case AUTOTUNE__LAUNCH_IS_PUT_OFF: (void)autotune__put_off_launch(trial); return true;
    case AUTOTUNE__LAUNCH_CAME_BACK:
        trial->isolation->launch_evidence = AUTOTUNE__THEY_COME_BACK;
        autotune__launch_came_back(trial, message->request.index);
        return true;
    case AUTOTUNE__SAYS: autotune__say_of(AUTOTUNE_LOG_ERRORS, &statement->subject, "%s", reports->reason); return true;
    case AUTOTUNE__HAS_ANSWER: return autotune__pass_answer(statement, message, reports->reason);
    default: return true;
    }
}
/* Takes all reports that have arrived completely, up to the first bytes that are no report. */
static void autotune__take_reports(autotune__statement *statement, autotune__reports *reports) {
    autotune__message message;
    size_t at = 0, length;
    while (!reports->damaged && reports->count - at >= sizeof message) {
        memcpy(&message, reports->bytes + at, sizeof message);
        length = sizeof message + message.reason_bytes;
        reports->damaged = message.magic != AUTOTUNE__MAGIC || message.kind >= AUTOTUNE__REPORT_KINDS ||
                         message.reason_bytes > AUTOTUNE__REASON_BYTES;
        if (reports->damaged || reports->count - at < length) break;
        memcpy(reports->reason, reports->bytes + at + sizeof message, message.reason_bytes);
        reports->reason[message.reason_bytes] = 0;
        reports->damaged = !autotune__take_message(statement, reports, &message);
        at += length;
    }
    memmove(reports->bytes, reports->bytes + at, reports->count - at);
    reports->count -= at;
}
/* Listens until the child ends or closes its pipe, is late, or sends bytes that are no report. The parent looks for
   reports every LOOK_MS. If each report woke the parent, the parent would disturb the measurement. Each look adds at
   most LOOK_MS to `waited`. So the time in which both processes are stopped, as by Ctrl-Z, does not count. */
static void autotune__listen(autotune__statement *statement, autotune__reports *reports) {
    enum { LOOK_MS = 2 };
    const uint64_t most = LOOK_MS * (uint64_t)1000000;
    const autotune__child *child = &statement->trial.isolation->child;
    uint64_t looked = autotune__wait_clock(), passed;
    bool ended = false;
    size_t got;
    while (!ended && !reports->damaged && !reports->late) {
        ended = autotune__await_child(child, LOOK_MS);          /* returns early on a signal */
        passed = autotune__wait_clock() - looked;
        looked += passed;
        reports->waited += (double)(passed < most ? passed : most) * 1e-9;
        while (!reports->damaged && (got = autotune__read_reports(child, reports->bytes + reports->count,
                                                                sizeof reports->bytes - reports->count)) > 0) {
            reports->count += got;
            autotune__take_reports(statement, reports);
            reports->waited = 0;
        }
        reports->late = reports->waited > autotune__quiet_seconds(statement, reports);
        autotune__count_step(&statement->turn.progress);         /* threads that wait for this race see progress */
    }
}
/* Appends how a child ended: the reason for the failure of its configuration. */
static void autotune__append_end(autotune__text *to, const autotune__reports *reports, const autotune__child_end *end) {
    if (reports->last == AUTOTUNE__HAS_LEFT) autotune__append(to, "%s", reports->reason);
    else if (reports->last == AUTOTUNE__HAS_NO_MEMORY) autotune__append(to, "left no memory to go on");
    else if (reports->damaged) autotune__append(to, "wrote to the pipe through which its process reports");
    else if (reports->late) autotune__append(to, "did not end within %.3g s", reports->waited);
    else if (end->how == AUTOTUNE__SIGNALLED)
        autotune__append(to, "killed by signal %d (%s)", end->number, autotune__signal_words(end->number));
    else if (end->how == AUTOTUNE__END_LOST || (end->how == AUTOTUNE__EXITED && end->number != AUTOTUNE__CANNOT_REPORT))
        autotune__append(to, "ended the program");
    else autotune__append(to, "closed the pipe through which its process reports");
}
/* Sets the time of the race to the time of its last answer, plus the seconds that passed since the last report of the
   child. Only a user's clock needs this, since the clock ran in the child, and stood still in the parent. watch.began
   is set to an earlier time, and may wrap below 0. */
static void autotune__set_race_clock(autotune__statement *statement, double passed) {
    if (statement->subject.backend->now == autotune__cpu_now || statement->subject.backend->start) return;
    statement->trial.watch.began =
        autotune__clock_now(&statement->subject) - (uint64_t)((statement->trial.seconds + passed) * 1e9);
}
/* Logs, once for each race, that a launch in a child does not end, if this process has several threads. The launch may
   wait for a thread that only the parent has. */
static void autotune__tell_of_threads(autotune__statement *statement) {
    const long others = autotune__thread_count() - 1;
    if (others > 0 && !statement->trial.isolation->named_threads)
        autotune__complain_of(&statement->subject,
                              "a launch in a child process does not end, and the child lacks %ld other thread%s of the "
                              "program: if launches need %s, set .isolate = AUTOTUNE_IN_PROCESS", others,
                              others > 1 ? "s" : "", others > 1 ? "them" : "it");
    statement->trial.isolation->named_threads = true;
}
/* Fails the configuration that the parent's race asked for, since the child ended during its RUN. */
static void autotune__fail_ended(autotune__statement *statement, const autotune__reports *reports,
                                 const autotune__child_end *end) {
    autotune__trial_state *trial = &statement->trial;
    autotune__text why AUTOTUNE__FREED = { NULL, false };
    autotune__append_end(&why, reports, end);
    memset(&trial->answer, 0, sizeof trial->answer);
    trial->answer.status = reports->last == AUTOTUNE__HAS_LEFT ? AUTOTUNE_ERR_LEFT : AUTOTUNE_FAILED;
    trial->answer.reason = autotune__string(&why);
    trial->answer.made = 1;
    trial->launches++;
    autotune__take_run(statement, autotune__now(trial), 0);
}
/* Decides how the race goes on after the end of a child. */
static void autotune__take_end(autotune__statement *statement, const autotune__reports *reports,
                                  const autotune__child_end *end) {
    autotune__isolation *isolation = statement->trial.isolation;
    autotune__set_race_clock(statement, reports->waited);
    if (reports->late) autotune__tell_of_threads(statement);
    if (statement->trial.request.what == AUTOTUNE__FINISH) return;
    autotune__withdraw_launch(&statement->trial);        /* closes the launch note: the record will have the outcome */
    /* One launch that hangs may be the fault of its configuration. */
    if (reports->late && isolation->launch_evidence == AUTOTUNE__UNPROVEN && !autotune__environment.audits)
        isolation->launch_evidence = AUTOTUNE__ONE_HUNG;
    else if (reports->late && isolation->launch_evidence < AUTOTUNE__THEY_HANG)
        isolation->launch_evidence = AUTOTUNE__THEY_HANG;
    if (isolation->launch_evidence == AUTOTUNE__THEY_HANG) {
        autotune__set(&autotune__children_fail);
        autotune__give_up_isolation(statement, autotune__needs_this_process(statement));
        autotune__race_anew(statement);
    } else if (reports->other_request)            /* the child was not at this request: the next does not rehearse */
        isolation->known = SIZE_MAX;
    else if (statement->trial.request.what == AUTOTUNE__RUN_IT) autotune__fail_ended(statement, reports, end);
}
/* Called before a RUN. Returns true if this process makes the launches: it is a child, or makes all trials itself.
   Returns false if a child was forked, and has ended. Then the caller looks at the request again: the race may have
   gone on, ended, or begun anew. */
static bool autotune__launches_here(autotune__statement *statement) {
    autotune__isolation *isolation = statement->trial.isolation;
    const char *why = NULL;
    autotune__child_end end;
    autotune__reports reports;
    if (isolation->where != AUTOTUNE__IN_CHILDREN) return true;
    switch (autotune__start_child(&isolation->child, &why)) {
    case AUTOTUNE__NO_FORK: autotune__give_up_isolation(statement, why); return true;
    case AUTOTUNE__IS_CHILD: autotune__begin_in_child(statement); return true;
    default: break;
    }
    memset(&reports, 0, sizeof reports);
    autotune__listen(statement, &reports);
    end = autotune__end_child(&isolation->child, reports.damaged || reports.late);
    autotune__take_end(statement, &reports, &end);
    return false;
}
