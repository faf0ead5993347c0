/* data.js - the data of the page, as the command writes them, and values that are computed from them.

   The first line has all data but the launch tables.

   data.records:
   - tuner, key [[name, value] ...], date, verdict, doubt, note, call, version, ns, min_ns, default_ns, slowest_ns,
     runner_up_ns, lead, lead_low, lead_high, space_size, tried, failed, launches.
   - seconds, duels, checked, complete, left_out, winner and runner_up [[axis, value] ...].
   - verified (a sentence) and verified_date, in_use_ns, logged_in_use (calls take another time than in the race).
   - pinned (the configuration that AUTOTUNE_USE asks for), device and compiler (places in data.devices and
     data.compilers).

   data.lost: [tuner, key, configuration, date, times].
   data.missed: [tuner, key, date, device, calls, runs].

   A line for the launch table of each record follows.
   - axes [[name, [value ...]] ...], reasons {row: text}, and resources {row: [registers, bytes of local memory, bytes of
     shared memory]} of kernels of CUDA.
   - rows, the winner first: [stage, state, launches, trial, least ns, median ns, a value on each axis by its number ...].
     stage and state are places in data.words.

   A member that a record does not have is missing, or null. Anybody may have written the file with the strings. So
   strings become text nodes, never HTML or code. */
const lines = byId("data").textContent.split("\n");
const data = JSON.parse(lines[0]);
const STAGE = 0, STATE = 1, LAUNCHES = 2, TRIAL = 3, LEAST = 4, MEDIAN = 5, VALUES = 6;

/* Returns a table for names from a file. A name may be that of a member of every object: constructor, __proto__. */
const ofNames = table => Object.assign(Object.create(null), table);
const VERDICTS = ofNames({
    separated: ["\u2713", "sure", "The duel showed that it is faster than every other configuration."],
    tie: ["\u2248", "a tie", "No other is faster by more than what matters; some are as fast."],
    unresolved: ["?", "not resolved", "Time or rounds ran out before the duel showed which is the fastest."],
    unreliable: ["!", "not reliable", "The times contradict each other, so the winner may be a wrong one."],
    unfinished: ["\u2026", "not finished", "The race was broken off, or still goes on. It has no winner yet."],
});
const LEFT_OUT = ofNames({
    time: "time was up before all was tried",
    trials: ".max_trials left configurations out",
    top_k: ".top_k left configurations out",
    points: "no further points of the space were found",
    skipped: "a configuration that ended an earlier run was skipped",
});
const UNSURE = ["unresolved", "unreliable", "unfinished"];
const verdictOf = record => VERDICTS[record.verdict] || ["\u00b7", record.verdict, ""];

const pairs = list => list && list.length ? list.map(([name, value]) => name + "=" + value).join(", ") : "\u2013";

data.records.forEach((record, number) => {
    record.number = number;
    record.keyText = pairs(record.key);
    record.winnerText = pairs(record.winner);
    record.speedup = isTime(record.ns) && record.default_ns >= record.ns && record.winner ? record.default_ns / record.ns
                                                                                          : null;
    record.gained = record.speedup ? record.default_ns - record.ns : null;
    record.searched = [record.tuner, record.keyText, record.winnerText].join("\n").toLowerCase();
});
/* In these members records with the same tuner and key may differ: the device (its text has the number of ranks), the
   build, the text of the call. */
const DIFFERENCES = [record => data.devices[record.device], record => data.compilers[record.compiler],
    record => record.version, record => record.call];
const byNames = new Map();
for (const record of data.records) {
    const name = record.tuner + "\n" + record.keyText;
    byNames.set(name, [...byNames.get(name) || [], record]);
}
for (const alike of byNames.values()) {
    const differing = DIFFERENCES.filter(difference => alike.some(one => difference(one) !== difference(alike[0])));
    for (const record of alike) record.apart = differing.map(difference => difference(record)).filter(Boolean).join(", ");
}
const keyAsShown = record => (record.key || []).map(([name, value]) => name + "=" + value).join(",") || "-";
const lostOf = record => data.lost.filter(([tuner, key]) => tuner === record.tuner && key === keyAsShown(record));

/* Returns the launch table of a record. The time of a row is the median of a finalist, else the least time. */
function tableOf(record) {
    const {axes, rows, reasons, resources} = JSON.parse(lines[1 + record.number]);
    const winnerNs = record.winner ? record.ns : null;
    return {axes, winnerNs, inUseNs: winnerNs && record.in_use_ns, hasReasons: Boolean(reasons),
            hasResources: Boolean(resources), rows: rows.map((row, number) => ({
        number,
        stage: data.words[row[STAGE]],
        state: data.words[row[STATE]],
        launches: row[LAUNCHES],
        trial: row[TRIAL],
        least: row[LEAST],
        median: row[MEDIAN],
        ns: ["failed", "rejected"].includes(data.words[row[STATE]]) ? null : row[MEDIAN] || row[LEAST],
        at: axes.map((axis, i) => VALUES + i < row.length ? row[VALUES + i] : -1),
        reason: reasons ? reasons[number] : undefined,
        resources: resources && Array.isArray(resources[number]) ? resources[number] : [],
    }))};
}
const valueOf = (table, row, axis) => row.at[axis] < 0 ? "\u2013" : table.axes[axis][1][row.at[axis]];
const configOf = (table, row) => table.axes.map(([name], i) => name + "=" + valueOf(table, row, i)).join(", ");
/* Returns the axes on which the configurations differ. */
const varying = table => table.axes.map((axis, i) => i).filter(i => table.axes[i][1].length > 1);

/* Returns the tuners, each with its records. */
function tunersOf(records) {
    const tuners = new Map();
    for (const record of records) {
        if (!tuners.has(record.tuner)) tuners.set(record.tuner, []);
        tuners.get(record.tuner).push(record);
    }
    return [...tuners].map(([name, list]) => ({
        name,
        records: list,
        keys: new Set(list.map(record => record.keyText)).size,
        speedup: typical(list.map(record => record.speedup)),
        gained: sum(list.map(record => record.gained)),
        unsure: list.filter(record => UNSURE.includes(record.verdict)).length,
    }));
}
const sum = numbers => numbers.reduce((total, number) => total + (number || 0), 0);
function typical(numbers) { /* the geometric mean, without missing numbers */
    const known = numbers.filter(isTime);
    return known.length ? Math.exp(sum(known.map(Math.log)) / known.length) : null;
}
const tuners = tunersOf(data.records);
