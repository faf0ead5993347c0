/* detail.js - one key: the result of its race, and charts of all configurations that were tried */
const BARS = 26;          /* how many of the fastest configurations have a bar */
const PARALLEL_AXES = 12; /* the chart of all axes has at most these axes: those that change the time most */

function sentenceOf(record) {
    if (!record.winner) return ["The race is not finished; there is no winner yet."];
    const second = record.runner_up && isTime(record.runner_up_ns);
    return [
        element("strong", {}, record.winnerText), " takes ", element("strong", {}, timeText(record.ns)), " a call",
        ...(record.speedup ? [": ", element("strong", {}, timesText(record.speedup)),
            " as fast as the first configuration, which takes " + timeText(record.default_ns)] : []), ".",
        ...(second ? [" The second, " + pairs(record.runner_up) + ", takes " + leadText(record) + "."] : []),
    ];
}
function leadText(record) {
    const sign = record.lead < 0 ? -1 : 1; /* the winner may be slower than a runner-up that is alike */
    const percent = ratio => (100 * sign * ratio).toFixed(Math.abs(ratio) < 0.1 ? 1 : 0).replace(/^-(0(\.0)?)$/, "$1");
    if (typeof record.lead !== "number") return timeText(record.runner_up_ns);
    if (Number(percent(record.lead)) === 0) return "the same time";
    const ends = sign < 0 ? [record.lead_high, record.lead_low] : [record.lead_low, record.lead_high];
    return percent(record.lead) + (sign < 0 ? " % less" : " % longer") + (typeof record.lead_low === "number"
        ? " (95 %: " + percent(ends[0]) + " to " + percent(ends[1]) + " %)" : "");
}
function factsOf(record) {
    const facts = [
        ["Race", countText(record.tried || 0, "configuration") + " of " +
            (record.space_size || 0).toLocaleString("en") + " tried, " + (record.failed || 0) + " failed"],
        ["Effort", countText(record.launches || 0, "launch", "launches") + " in " + secondsText(record.seconds)],
        ["Made", record.date.replace("T", " ").replace("Z", " UTC")],
        ["Device", data.devices[record.device]],
        ["Compiler", data.compilers[record.compiler]],
        ["Call", record.call && element("code", {}, record.call)],
        ["Version", record.version],
        ["Note", record.note],
        ["In use", isTime(record.in_use_ns) ? timeText(record.in_use_ns) + " a call, " +
            timesText(record.in_use_ns / record.ns) + " what the race measured" : null],
        ["Verified", record.verified && record.verified + ", " + dateText(record.verified_date)],
        ["Pinned", record.pinned && "AUTOTUNE_USE asks for " + record.pinned],
        ["Checked", record.checked ? "the program was built anew, and " +
            countText(record.checked, "configuration") + " compared as before" : null],
        ["Duelled again", record.duels ? "in " + countText(record.duels, "later run") : null],
        ["Left out", LEFT_OUT[record.left_out] || (record.complete === false ? "not all was tried" : null)],
    ];
    return element("dl.facts", {}, ...facts.filter(([, text]) => text).flatMap(([name, text]) =>
        [element("dt", {}, name), element("dd", {}, text)]));
}
function section(title, words, ...children) {
    return element("section", {}, element("h2", {}, title), words ? element("p.quiet", {}, words) : null, ...children);
}
const legendOf = (...words) => element("div.legend", {}, ...words.map((text, i) =>
    element("span", {}, element("i." + ["winner", "finalist", "rest", "use"][i], {"aria-hidden": "true"}), text)));
const rowLegend = table => legendOf("winner", "other finalists", "left the race before",
    ...(isTime(table.inUseNs) ? ["the winner in use: " + timeText(table.inUseNs)] : []));

/* Makes the section with the heat map of two axes, which the user chooses. */
function heatMapSection(table, rows, axes) {
    const place = element("div.chart"), chosen = tellingAxes(rows, axes, 2);
    const select = which => {
        const list = element("select", {"aria-label": which ? "Axis upwards" : "Axis to the right"},
            ...axes.map(axis => element("option", {value: axis}, table.axes[axis][0])));
        list.value = chosen[which];
        list.addEventListener("change", () => {
            const before = chosen[which];
            chosen[which] = Number(list.value);
            if (chosen[1 - which] === chosen[which]) chosen[1 - which] = before; /* exchanges both axes */
            lists.forEach((other, i) => { other.value = chosen[i]; });
            show();
        });
        return list;
    };
    const show = () => drawHeatMap(place, table, rows, chosen[0], chosen[1]);
    const lists = [];
    lists.push(select(0), select(1));
    return [section("Two axes at a time",
        "The least time for each pair of values, whatever the other axes are. Bright is fast.",
        element("div.filters", {}, lists[0], element("span", {}, "against"), lists[1]), place), show];
}

const rowColumns = (table, axes) => [
    ...axes.map(axis => ({title: table.axes[axis][0], order: row => valueOf(table, row, axis),
                          text: row => valueOf(table, row, axis)})),
    {title: "Time", number: true, order: row => row.ns, text: row => timeText(row.ns)},
    {title: "To winner", number: true, order: row => row.ns,
     text: row => row.ns && isTime(table.winnerNs) ? timesText(row.ns / table.winnerNs) : "\u2013"},
    {title: "Left at", order: row => row.stage, text: row => row.stage === "winner" ? "winner"
        : row.state === "failed" || row.state === "rejected" ? row.state : row.stage},
    {title: "Launches", number: true, order: row => row.launches, text: row => String(row.launches || 0)},
    {title: "Trial", number: true, order: row => row.trial, text: row => row.trial ? String(row.trial) : "\u2013"},
    ...(table.hasResources ? ["Registers", "Local bytes", "Shared bytes"] : []).map((title, i) => ({title, number: true,
        order: row => row.resources[i], text: row => Number.isFinite(row.resources[i]) ? String(row.resources[i]) : "\u2013"})),
    {title: "Remark", order: row => row.reason || null, text: row => row.reason || ""},
].filter(column => column.title !== "Remark" || table.hasReasons);
function tableSection(table, axes) {
    const place = element("table"), columns = rowColumns(table, axes), more = element("p.more");
    const state = {column: axes.length, down: false};
    let most = 25;
    const show = () => {
        const body = sortedTable(place, columns, state, show);
        for (const row of inOrder(table.rows, columns[state.column], state.down).slice(0, most)) {
            const line = rowOf(columns, row);
            if (row.stage === "winner") line.className = "chosen";
            body.append(line);
        }
        fill(more, table.rows.length > most ? element("button", {type: "button", onclick: () => {
            most = Infinity;
            show();
        }}, "Show all " + table.rows.length.toLocaleString("en")) : null);
    };
    show();
    return section("All configurations", table.rows.some(row => !row.ns)
        ? "Those that failed stand at the end." : null, element("div.scroll", {}, place), more);
}
function lostSection(record) {
    const lost = lostOf(record);
    if (!lost.length) return null;
    return section("Did not come back", "The program ended, hung or lost its device in the first launch of these.",
        element("ul", {}, ...lost.map(([, , config, date, times]) =>
            element("li", {}, config + ": " + countText(times, "time") + ", last " + dateText(date)))));
}

/* Returns the sections with charts, and the functions that draw the charts after the sections are on the page. */
function drawingsOf(table, axes) {
    const timed = table.rows.filter(row => isTime(row.ns)), drawings = [];
    const chart = (title, words, size, drawing, legend) => {
        const place = element("div.chart" + size);
        drawings.push(() => drawing(place));
        return section(title, words, place, legend);
    };
    if (timed.length < 2) return [[], drawings];
    const fastest = [...timed].sort((a, b) => (b.stage === "winner") - (a.stage === "winner") || a.ns - b.ns)
        .slice(0, BARS);
    const names = axes.map(axis => table.axes[axis][0]).join(", ");
    const bars = chart(timed.length > BARS ? "The fastest " + BARS : "Times",
        names + ". Of finalists the median of the duel, of others the least time.", "",
        place => drawBars(place, table, fastest, axes), rowLegend(table));
    const search = timed.filter(row => row.trial).length > 1 ? chart("The search",
        "Each configuration when it was first tried; the line is the best so far.", ".low",
        place => drawSearch(place, table, timed)) : null;
    const all = timed.length > BARS ? chart("From the fastest to the slowest", "All configurations, sorted by time.",
        ".low", place => drawSorted(place, table, timed)) : null;
    const parts = [element("div.charts", {}, bars, element("div.stack", {}, search, all))];
    if (axes.length > 1) {
        const telling = tellingAxes(timed, axes, PARALLEL_AXES);
        const [heat, drawHeat] = heatMapSection(table, timed, axes);
        drawings.push(drawHeat);
        parts.push(element("div.charts.uneven", {}, heat, chart("All axes together",
            "Each line is a configuration. Drag along an axis to keep only what passes there.", ".tall",
            place => drawParallel(place, table, timed, telling.sort((a, b) => a - b)),
            legendOf("winner", "the fastest tenth", "others"))));
    }
    return [parts, drawings];
}
function showDetail(record) {
    const order = shownRecords(), at = order.indexOf(record);
    const step = (by, text) => {
        const other = at < 0 ? undefined : order[at + by];
        return other ? element("a", {href: "#" + other.number, title: other.tuner + " " + other.keyText}, text)
                     : element("span.quiet", {}, text);
    };
    const table = tableOf(record), axes = varying(table), [parts, drawings] = drawingsOf(table, axes);
    const place = byId("detail");
    dropCharts(place);
    fill(place,
        element("nav.steps", {"aria-label": "Keys"}, element("a", {href: "#"}, "\u2190 all keys"),
            element("span", {}, step(-1, "previous"), " \u00b7 ", step(1, "next"))),
        element("h1", {tabindex: "-1"}, record.tuner, element("span.key", {}, record.keyText)),
        element("p.lead", {}, ...sentenceOf(record)),
        element("p", {}, verdictMark(record), " ", record.doubt ? element("strong", {}, record.doubt + ". ") : "",
            verdictOf(record)[2]),
        factsOf(record),
        ...parts,
        lostSection(record),
        table.rows.length ? tableSection(table, axes.length ? axes : table.axes.map((axis, i) => i)) : null);
    drawings.forEach(drawing => drawing());
}
