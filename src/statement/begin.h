/* A statement begins: its name and identity, and the work that is kept until its end. */
#pragma once
#include <pthread.h>
#include <stdio.h>
#include "../api/language.h"
#include "../api/types.h"
#include "../api/backend.h"
#include "../api/options.h"
#include "../site/hit.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../base/text.h"
#include "../base/log.h"
#include "../base/environment.h"
#include "../space/key.h"
#include "../space/axes.h"
#include "../space/labels.h"
#include "../device/cpu.h"
#include "../system/processor.h"
#include "../device/buffers.h"
#include "../race/decide.h"
#include "../registry/entries.h"
#include "../registry/subject.h"
#include "work.h"
#include "../registry/thread_turns.h"
#include "../store/store.h"
#include "options.h"

/* The name of a call site, for three %s: of its file without folders, and its function. A created tuner has no file. */
#define AUTOTUNE__SITE_NAME(site) autotune__site_file(site), (site)->file ? ":" : "", (site)->function
static const char *autotune__site_file(const autotune__site *site) {
    const char *slash = site->file ? strrchr(site->file, '/') : NULL;
    return slash ? slash + 1 : site->file ? site->file : "";
}
static char *autotune__site_name(const autotune__site *site) {
    const size_t bytes = strlen(autotune__site_file(site)) + 1 + strlen(site->function) + 1;
    char *name = (char *)autotune__allocate(bytes);
    if (name) snprintf(name, bytes, "%s%s%s", AUTOTUNE__SITE_NAME(site));
    return name;
}
/* What a tuner is made of, in every process: version, compiler and target, the text of space and call, and all
   values. */
static void autotune__append_texts(autotune__text *text, const autotune__work *work) {
    const char *written = work->subject.site->text;
    size_t length = 0;
    autotune__append(text, "%s\n%s\n", work->subject.options.version ? work->subject.options.version : "",
                     work->subject.site->build);
    if (!written) autotune__append(text, "created");
    else if (autotune__is_select(&work->subject.space)) autotune__append(text, "%s", written);
    else {
        const char *part = autotune__part(written, 0, &length);
        autotune__append(text, "%.*s", (int)length, part ? part : "");
        part = autotune__call_text(&work->subject, &length);
        autotune__append(text, "\n%.*s", (int)(part ? length : 0), part ? part : "");
    }
    autotune__append_space(text, &work->subject.space);
}
static int autotune__block_line(const autotune__work *work) {       /* 0: no block */
    size_t length;
    return autotune__is_select(&work->subject.space) || autotune__call_text(&work->subject, &length)
               ? 0
               : work->subject.site->line;
}
/* What makes two call sites one tuner in this process: name, texts, backend, the addresses of functions, and of a
   block, which has no text that would tell it from another, the line. */
static void autotune__append_identity(autotune__text *text, const autotune__work *work, const autotune__text *texts) {
    autotune__append(
        text, "%s\n%s\n%s %p %d", work->subject.name, autotune__string(texts), work->subject.backend->device,
        work->subject.backend->family ? work->subject.backend->family : (const void *)work->subject.options.backend,
        autotune__block_line(work));
    autotune__append_pointers(text, &work->subject.space);
    text->broken = text->broken || texts->broken;
}
/* Finds the tuner and the key in the registry. False: no memory. */
static bool autotune__identify(autotune__work *work) {
    autotune__text texts = { NULL, false }, identity = { NULL, false }, key = { NULL, false };
    bool enrolled;
    autotune__append_texts(&texts, work);
    autotune__append_identity(&identity, work, &texts);
    autotune__append_key(&key, &work->subject.options.key, true);
    autotune__append(&key, "%s", "");           /* a key without parts is an empty string */
    enrolled = !identity.broken && !key.broken &&
               autotune__enrol(&work->subject, identity.at, key.at, autotune__hash_string(texts.at),
                               autotune__block_line(work));
    if (enrolled) autotune__identify_on_disk(&work->store, key.at);
    autotune__free_text(&texts);
    autotune__free_text(&identity);
    autotune__free_text(&key);
    return enrolled;
}

/* The life of a work. */
static void autotune__free_work(autotune__work *work) {
    autotune__unpin(&work->trial.pinned.affinity);
    autotune__end_store(&work->store);
    autotune__free_memories(&work->trial.memories, work->subject.backend);
    if (work->subject.backend && work->subject.backend->close) work->subject.backend->close(work->subject.backend);
    autotune__free_space(&work->subject.space);
    autotune__free_text(&work->trial.why);
    autotune__free_options(&work->subject.options);
    autotune__free(work->subject.own_name);
    autotune__free(work);
}
static void autotune__make_current(autotune__work *work) {
    autotune__current = work;
    if (__atomic_load_n(&autotune__ends_threads, __ATOMIC_ACQUIRE))
        autotune__set_thread_value(autotune__statements, work ? (const void *)work : (const void *)autotune__left_key);
}
static autotune__work *autotune__make_work(autotune__site *site, const autotune_options *options, autotune_mode mode) {
    autotune__work *work = (autotune__work *)autotune__allocate(sizeof *work);
    if (!work) return NULL;
    if (!autotune__copy_options(&work->subject.options, options)) { autotune__free(work); return NULL; }
    work->outer = autotune__current;
    autotune__begin_store(&work->store, &work->subject, work->outer ? &work->outer->store : NULL);
    work->subject.site = site;
    work->subject.code = site;
    if (!options->name) work->subject.own_name = autotune__site_name(site);
    work->subject.name = options->name ? work->subject.options.name : work->subject.own_name;
    work->subject.backend = options->backend ? options->backend : &autotune__cpu_backend;
    if (work->subject.backend->open)
        work->subject.backend = work->subject.backend->open(work->subject.backend, &work->subject.options);
    work->subject.mode = mode;
    work->subject.space.points = 1;
    work->subject.space.at = SIZE_MAX;
    autotune__clear_result(&work->result);
    if (!work->subject.name || !work->subject.backend) { autotune__free_work(work); return NULL; }
    work->turn.subject = &work->subject;
    work->turn.outer = work->outer ? &work->outer->turn : NULL;
    work->trial.subject = &work->subject;
    work->trial.turn = &work->turn;
    work->trial.store = &work->store;
    autotune__left_key = NULL;
    autotune__make_current(work);
    return work;
}
static autotune__work *autotune__new_work(autotune__site *site, const autotune_options *options, autotune_mode mode) {
    const int cancellation = autotune__hold_cancellation();
    autotune__work *work = autotune__make_work(site, options, mode);
    autotune__set_cancellation(cancellation);
    return work;
}

/* The cold side of the statement, whose axes are described next. */
static autotune__start autotune__begin_work(autotune__site *site, const autotune_options *options, autotune_mode mode,
                                            bool refused) {
    autotune__start start = { NULL, NULL };
    autotune_result nothing;
    autotune__work *work = autotune__new_work(site, options, mode);
    if (work) {
        work->refused = refused;
        start.tuning = &work->head;
    } else {
        autotune__complain("%s%s%s: out of memory before the space could be described; the call was not made",
                           AUTOTUNE__SITE_NAME(site));
        autotune__clear_result(&nothing);
        nothing.status = AUTOTUNE_ERR_MEMORY;
        if (options->result) *options->result = autotune__shown(&nothing);
    }
    return start;
}
AUTOTUNE__COLD autotune__start autotune__begin(autotune__site *site, const autotune_options *options) {
    const autotune_mode mode = (autotune__ready(), autotune__mode_of(options));
    autotune__start hit = { NULL, NULL };
    if (mode != AUTOTUNE_OFF && !autotune__key_problem(&options->key)) hit.slot = autotune__find_said(site, options);
    if (!hit.slot || (mode == AUTOTUNE_FORCE && !autotune__entry_of(hit.slot)->forced))
        return autotune__begin_work(site, options, mode, false);
    if (options->result) autotune__answer_hit(hit.slot, options->result);       /* a hit by the long way */
    return hit;
}
/* After a hit that WHERE refuses. */
AUTOTUNE__COLD autotune__start autotune__begin_refused(autotune__site *site, const autotune_options *options) {
    return autotune__begin_work(site, options, autotune__mode_of(options), true);
}
