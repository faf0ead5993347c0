/* overview.js - all keys: a summary, the tuners, a chart, and a table that sorts and filters */
const FIRST_ROWS = 100; /* rows of the table; a button shows the rest */
const view = {
    words: "", tuner: "", device: "", verdicts: new Set(), shown: FIRST_ROWS,
    keys: {column: 0, down: false}, tuners: {column: 3, down: true},
};

function card(number, title, words) {
    return element("div.card", {}, element("div.figure", {}, number), element("div.title", {}, title),
        words ? element("div.quiet", {}, words) : null);
}
/* The keys that production runs missed. */
const [MISSED_TUNER, MISSED_KEY, MISSED_DATE, MISSED_DEVICE, MISSED_CALLS, MISSED_RUNS] = [0, 1, 2, 3, 4, 5];
const MISSED_COLUMNS = [
    {title: "Tuner", order: miss => miss[MISSED_TUNER], text: miss => miss[MISSED_TUNER]},
    {title: "Key", order: miss => miss[MISSED_KEY], text: miss => miss[MISSED_KEY]},
    {title: "Calls", number: true, order: miss => miss[MISSED_CALLS],
     text: miss => (miss[MISSED_CALLS] || 0).toLocaleString("en")},
    {title: "Runs", number: true, order: miss => miss[MISSED_RUNS],
     text: miss => (miss[MISSED_RUNS] || 0).toLocaleString("en")},
    {title: "Last", order: miss => miss[MISSED_DATE], text: miss => dateText(miss[MISSED_DATE])},
    {title: "Device", order: miss => miss[MISSED_DEVICE], text: miss => miss[MISSED_DEVICE]},
];
function showMissed() {
    if (!data.missed.length) return;
    const table = element("table", {id: "missed"}), state = {column: 2, down: true};
    const show = () => sortedTable(table, MISSED_COLUMNS, state, show).append(
        ...inOrder(data.missed, MISSED_COLUMNS[state.column], state.down).map(miss => rowOf(MISSED_COLUMNS, miss)));
    show();
    fill(byId("extra"), element("section", {}, element("h2", {}, "What was missed"), element("p.quiet", {},
        "Calls in production of keys that nothing is known of. " +
        "A run with AUTOTUNE_MODE=missed tunes only these."),
        element("div.scroll", {}, table)));
}
function showSummary() {
    const records = data.records, won = records.filter(record => record.speedup);
    const keys = sum(tuners.map(tuner => tuner.keys));
    const unsure = records.filter(record => UNSURE.includes(record.verdict));
    const first = sum(won.map(record => record.default_ns)), now = sum(won.map(record => record.ns));
    const failed = sum(records.map(record => record.failed)), lost = data.lost.length;
    byId("headline").textContent = records.length ? "What tuning found" : "There is no record in what was read";
    const over = data.devices.length > 1 ? "on " + countText(data.devices.length, "device") : data.devices[0] || "";
    fill(byId("cards"),
        card(countText(keys, "key"), "of " + countText(tuners.length, "tuner"), over),
        won.length ? card(timesText(typical(won.map(record => record.speedup))), "typical speed-up",
            "of winners over first configurations; the geometric mean") : null,
        won.length ? card(timeText(first - now), "gained per call",
            "if each key is called once: " + timeText(now) + " instead of " + timeText(first)) : null,
        card(unsure.length ? unsure.length + " of " + records.length : "none", "not sure", unsure.length
            ? element("button.link", {type: "button", onclick: () => {
                view.verdicts = new Set(UNSURE);
                showKeys();
                byId("keys_title").scrollIntoView();
            }}, "show which")
            : "every race showed its winner, or a tie"),
        data.missed.length ? card(countText(data.missed.length, "key"), "missed", "in production, in " +
            countText(sum(data.missed.map(miss => miss[MISSED_CALLS])), "call")) : null,
        card(secondsText(sum(records.map(record => record.seconds))), "of tuning",
            countText(sum(records.map(record => record.tried)), "configuration") + " tried, " + failed + " failed" +
            (lost ? ", " + lost + " did not come back" : "")));
    byId("sources").textContent = data.files.join(", ");
    byId("version").textContent = data.version;
}

const TUNER_COLUMNS = [
    {title: "Tuner", order: tuner => tuner.name, cell: tuner => element("button.link", {type: "button",
        "aria-pressed": String(view.tuner === tuner.name), onclick: () => chooseTuner(tuner.name)}, tuner.name)},
    {title: "Keys", number: true, order: tuner => tuner.keys, text: tuner => tuner.keys.toLocaleString("en")},
    {title: "Speed-up", number: true, hint: "The geometric mean over its keys", order: tuner => tuner.speedup,
     text: tuner => timesText(tuner.speedup)},
    {title: "Gained", number: true, hint: "Time gained if each of its keys is called once",
     order: tuner => tuner.gained, text: tuner => timeText(tuner.gained)},
    {title: "Not sure", number: true, order: tuner => tuner.unsure, text: tuner => tuner.unsure || "\u2013"},
];
function showTuners() {
    const {column, down} = view.tuners;
    const body = sortedTable(byId("tuners"), TUNER_COLUMNS, view.tuners, showTuners);
    for (const tuner of inOrder(tuners, TUNER_COLUMNS[column], down)) {
        const row = rowOf(TUNER_COLUMNS, tuner);
        if (tuner.name === view.tuner) row.className = "chosen";
        body.append(row);
    }
}
function chooseTuner(name) {
    view.tuner = view.tuner === name ? "" : name;
    byId("tuner").value = view.tuner;
    view.shown = FIRST_ROWS;
    showTuners();
    showKeys();
}

/* A bar on a logarithmic scale: a bar of double length stands for the squared speedup. */
function speedupCell(record) {
    const cell = element("div.speedup", {}, element("span", {}, timesText(record.speedup)));
    if (!record.speedup) return cell;
    const bar = element("i", {"aria-hidden": "true"});
    bar.style.width = Math.max(2, 100 * Math.log(Math.max(1, record.speedup)) / Math.log(view.most)) + "%";
    cell.append(element("div.track", {}, bar));
    return cell;
}
function verdictCell(record) {
    const cell = element("div", {}, verdictMark(record));
    if (record.doubt) cell.append(element("div.quiet.small", {}, record.doubt));
    if (record.pinned) cell.append(element("div.quiet.small", {}, "pinned to " + record.pinned));
    if (record.logged_in_use) cell.append(element("div.quiet.small", {}, "in use: " + timeText(record.in_use_ns) + ", " +
        timesText(record.in_use_ns / record.ns) + " what the race measured"));
    if (record.verified) cell.append(element("div.quiet.small", {}, "verified: " + record.verified));
    return cell;
}
function keyCell(record) {
    const link = element("a", {href: "#" + record.number}, record.keyText);
    return record.apart ? element("div", {}, link, element("div.quiet.small", {}, record.apart)) : link;
}
const KEY_COLUMNS = [
    {title: "Tuner", order: record => record.tuner + "\n" + record.keyText, text: record => record.tuner},
    {title: "Key", order: record => record.keyText, cell: keyCell},
    {title: "Winner", order: record => record.winner ? record.winnerText : null, text: record => record.winnerText},
    {title: "First", number: true, hint: "The time of the first configuration of the space, per call",
     order: record => isTime(record.default_ns) ? record.default_ns : null,
     text: record => timeText(record.default_ns)},
    {title: "Winner's time", number: true, hint: "Per call", order: record => isTime(record.ns) ? record.ns : null,
     text: record => timeText(record.ns)},
    {title: "Speed-up", number: true, hint: "Of the winner over the first configuration",
     order: record => record.speedup, cell: speedupCell},
    {title: "Verdict", order: record => Object.keys(VERDICTS).indexOf(record.verdict), cell: verdictCell},
    {title: "Made", order: record => record.date, text: record => dateText(record.date)},
];
const isShown = record => (!view.tuner || record.tuner === view.tuner) &&
    (!view.device || String(record.device) === view.device) &&
    (!view.verdicts.size || view.verdicts.has(record.verdict)) &&
    view.words.toLowerCase().split(/\s+/).every(word => record.searched.includes(word));
const shownRecords = () => inOrder(data.records.filter(isShown), KEY_COLUMNS[view.keys.column], view.keys.down);

function showKeys() {
    const records = shownRecords(), body = sortedTable(byId("keys"), KEY_COLUMNS, view.keys, showKeys);
    view.most = most([2, ...records.map(record => record.speedup || 0)]);
    for (const record of records.slice(0, view.shown)) {
        const row = rowOf(KEY_COLUMNS, record);
        row.addEventListener("click", event => {
            if (!event.target.closest("a, button") && !String(getSelection())) location.hash = record.number;
        });
        body.append(row);
    }
    byId("found").textContent = records.length === data.records.length
        ? countText(records.length, "record")
        : records.length.toLocaleString("en") + " of " + countText(data.records.length, "record");
    const left = records.length - view.shown;
    fill(byId("more"), left > 0 ? element("button", {type: "button", onclick: () => showMore(1000)},
        "Show " + Math.min(1000, left).toLocaleString("en") + " of " + left.toLocaleString("en") + " more") : null);
    for (const button of byId("verdicts").children)
        button.setAttribute("aria-pressed", String(view.verdicts.has(button.dataset.verdict)));
}
function showMore(count) {
    view.shown += count;
    showKeys();
}

function showFilters() {
    const names = tuners.map(tuner => tuner.name).sort(compareText);
    const option = (value, text) => element("option", {value}, text);
    fill(byId("tuner"), option("", "every tuner"), ...names.map(name => option(name, name)));
    fill(byId("device"), option("", "every device"), ...data.devices.map((name, i) => option(i, name)));
    byId("device").hidden = data.devices.length < 2;
    const change = (id, event, member) => byId(id).addEventListener(event, () => {
        view[member] = byId(id).value;
        view.shown = FIRST_ROWS;
        showKeys();
        if (member === "tuner") showTuners();
    });
    change("words", "input", "words");
    change("tuner", "change", "tuner");
    change("device", "change", "device");
    fill(byId("verdicts"), ...Object.keys(VERDICTS).filter(name => data.records.some(record => record.verdict === name))
        .map(name => element("button.chip", {type: "button", "data-verdict": name, "aria-pressed": "false",
            title: VERDICTS[name][2], onclick: () => {
                if (!view.verdicts.delete(name)) view.verdicts.add(name);
                view.shown = FIRST_ROWS;
                showKeys();
            }}, VERDICTS[name][0] + " " + VERDICTS[name][1])));
}
function showOverview() {
    const known = data.records.some(record => record.speedup);
    byId("gains").parentNode.hidden = !known;
    if (!charts.has(byId("gains")) && known) {
        drawGains(byId("gains"), data.records, number => { location.hash = number; });
        fill(byId("gains_legend"), ...Object.keys(VERDICT_STYLE).filter(name =>
            data.records.some(record => record.verdict === name && record.speedup)).map(name =>
            element("span.verdict." + name, {}, element("b", {"aria-hidden": "true"}, VERDICT_STYLE[name][1]), " ",
                VERDICTS[name][1])));
    }
}
function startOverview() {
    showSummary();
    showFilters();
    showTuners();
    showMissed();
    showKeys();
    fill(byId("words_meaning"), ...[
        ["tuner", "A call that is tuned. It has a space of configurations to choose from."],
        ["key", "What the fastest configuration depends on, for example a size. Each key has a race of its own."],
        ["configuration", "One value for each axis of the space."],
        ["first configuration", "The first of the space: what runs where nothing is tuned."],
        ["winner", "The configuration that the race found, and that is called from then on."],
        ...Object.entries(VERDICTS).map(([name, [sign, words, meaning]]) => [sign + " " + words, meaning +
            " (" + name + ")"]),
    ].flatMap(([word, meaning]) => [element("dt", {}, word), element("dd", {}, meaning)]));
}
