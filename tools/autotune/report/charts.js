/* charts.js - the charts, as specifications of Vega. Each function draws into an element of the page. */

/* For each verdict: its shape on the chart and in the legend, and its colours on a light and on a dark page. */
const VERDICT_STYLE = ofNames({
    separated: ["circle", "\u25cf", "#0072b2", "#56b4e9"],
    tie: ["diamond", "\u25c6", "#009e73", "#2fc79a"],
    unresolved: ["triangle", "\u25b2", "#b87f00", "#f0b429"],
    unreliable: ["square", "\u25a0", "#d55e00", "#ff8a3d"],
});
const verdictColour = name => VERDICT_STYLE[name][isDark() ? 3 : 2];

const least = numbers => numbers.reduce((a, b) => Math.min(a, b));
const most = numbers => numbers.reduce((a, b) => Math.max(a, b));
/* Returns the ends of a logarithmic axis for these numbers: one, two or five times a power of ten. */
function endsOf(numbers) {
    const steps = [1, 2, 5, 10], [first, last] = [least(numbers), most(numbers)];
    const power = 10 ** Math.floor(Math.log10(first)), high = 10 ** Math.floor(Math.log10(last));
    return [power * [...steps].reverse().find(step => step * power <= first * 0.999 || step === 1),
            high * (steps.find(step => step * high >= last * 1.001) || 10)];
}
/* Returns the places of the labels on an axis with these ends. */
function ticksOf([first, last]) {
    const powers = Math.ceil(Math.log10(last / first) - 1e-9), start = Math.floor(Math.log10(first) + 1e-9);
    const steps = powers > 4 ? [1] : powers > 2 ? [1, 3] : [1, 2, 5];
    return Array.from({length: powers + 2}, (value, i) => steps.map(step => step * 10 ** (start + i))).flat()
        .filter(tick => tick >= first * 0.999 && tick <= last * 1.001);
}
/* Returns the ends of a scale without 0: a little below the least number, and a little above the greatest. */
function around(numbers) {
    const [first, last] = [least(numbers), most(numbers)], rest = (last - first || first * 0.01) * 0.15;
    return [first - rest, last + rest];
}
/* Shows a time with an SI prefix: 0.0002 is 200 µs. */
const TIME_LABELS = {labels: {update: {text: {signal: "format(datum.value / 1e9, '.3~s') + 's'"}}}};
const TIMES_LABELS = {labels: {update: {text: {signal: "format(datum.value, '.3~g') + ' \u00d7'"}}}};
/* Titles with names of the program are passed as data, since Vega fails on a title such as "constructor", the name of
   a member of every object. */
const names = (table, axes) => ({name: "names", values: axes.map(axis => ({text: table.axes[axis][0]}))});
const nameOf = i => ({signal: "data('names')[" + i + "].text"});
const timeScale = (name, range, numbers) => ({name, type: "log", range, domain: endsOf(numbers)});
const timeAxis = (numbers, more) => ({scale: "time", grid: true, values: ticksOf(endsOf(numbers)), labelOverlap: true,
                                      encode: TIME_LABELS, ...more});
const rankScale = last => ({name: "rank", type: "linear", range: "width", domain: [0, last + 1], zero: true});
const rankAxis = title => ({orient: "bottom", scale: "rank", title, tickMinStep: 1, labelOverlap: true, format: "~d"});
const points = (size, x, more) => ({
    type: "symbol", from: {data: "rows"},
    encode: {update: {x: {scale: "rank", field: x}, y: {scale: "time", field: "row.ns"}, fill: {field: "colour"},
                      size: {value: size}, tooltip: {signal: "datum"}, ...more}},
});

const isFinalist = row => row.stage === "duel" || row.stage === "winner";
const rowColour = row => row.stage === "winner" ? colours().winner : isFinalist(row) ? colours().finalist
                                                                                  : colours().other;
const rowWords = (table, row) => [configOf(table, row), timeText(row.ns) + (row.median ? ", the median of its duel"
                                                                                     : ", the least of its launches"),
    isTime(table.winnerNs) ? timesText(row.ns / table.winnerNs) + " the winner's time" : "",
    countText(row.launches, "launch", "launches")];

/* ---- The overview ---- */

function drawGains(place, records, choose) {
    const known = records.filter(record => record.speedup && VERDICT_STYLE[record.verdict]);
    const times = known.map(record => record.ns), gains = known.map(record => record.speedup);
    const gainEnds = [Math.min(1, endsOf(gains)[0]), endsOf([1, Math.max(2, most(gains))])[1]];
    draw(place, "Speed-up over time per call, a point for each key; the table below has the figures.", () => ({
        data: [{name: "rows", values: known.map(record => ({record, ns: record.ns, gain: record.speedup,
            shape: VERDICT_STYLE[record.verdict][0], colour: verdictColour(record.verdict)}))}],
        scales: [timeScale("time", "width", times), {name: "gain", type: "log", range: "height", domain: gainEnds}],
        axes: [timeAxis(times, {orient: "bottom", title: "time of a call with the winner"}),
               {orient: "left", scale: "gain", title: "speed-up", grid: true, values: ticksOf(gainEnds),
                encode: TIMES_LABELS}],
        marks: [{type: "symbol", from: {data: "rows"}, encode: {update: {
            x: {scale: "time", field: "ns"}, y: {scale: "gain", field: "gain"}, shape: {field: "shape"},
            fill: {field: "colour"}, stroke: {value: colours().panel}, size: {value: 90}, opacity: {value: 0.85},
            cursor: {value: "pointer"}, tooltip: {signal: "datum"}}}}],
    }), ({record}) => [record.tuner, record.keyText, record.winnerText, timeText(record.ns) + " instead of " +
        timeText(record.default_ns) + ": " + timesText(record.speedup), verdictOf(record)[1]],
    ({record}) => record && choose(record.number));
}

/* ---- One key ---- */

const ALIKE = 1.25; /* up to this ratio bars from 0 look alike, so the chart has points on a scale without 0 */
/* Draws the fastest configurations, the winner first: as bars, or as points if all times are alike. Names stand before
   the bars; on a narrow page they stand above the bars. A line across the winner shows its time in use. */
function drawBars(place, table, rows, axes) {
    const uses = isTime(table.inUseNs) ? [{at: 0, ns: table.inUseNs}] : [];
    const times = [...rows, ...uses].map(row => row.ns), alike = most(times) < ALIKE * least(times);
    const labels = rows.map(row => axes.map(axis => valueOf(table, row, axis)).join(", "));
    const length = most(labels.map(label => label.length));
    draw(place, "Times of the fastest configurations; the table below has the figures.", width => {
        const above = width < 520, step = above ? 44 : rows.length > 8 ? 22 : 34;
        const room = above ? 4 : Math.min(300, 16 + 7 * length), bar = above ? 18 : step * 0.74;
        const middle = {scale: "place", field: "at", offset: above ? 33 : step / 2};
        const text = {y: middle, baseline: {value: "middle"}, fontSize: {value: 11.5}};
        const mark = alike
            ? {type: "symbol", encode: {size: {value: 90}, x: {scale: "ns", field: "row.ns"}, y: middle}}
            : {type: "rect", encode: {x: {value: 0}, x2: {scale: "ns", field: "row.ns"}, yc: middle,
                height: {value: bar}, cornerRadiusTopRight: {value: 3}, cornerRadiusBottomRight: {value: 3}}};
        return {
            autosize: "none", padding: {left: room, right: 122, top: 2, bottom: alike ? 26 : 4},
            width: width - room - 122, height: step * rows.length,
            data: [{name: "uses", values: uses},
                   {name: "rows", values: rows.map((row, at) => ({row, at, name: labels[at], colour: rowColour(row),
                end: most([row.ns, ...uses.filter(use => use.at === at).map(use => use.ns)]),
                words: timeText(row.ns) + "  " + timesText(row.ns / (table.winnerNs || rows[0].ns))}))}],
            scales: [{name: "place", type: "band", range: "height", domain: rows.map((row, at) => at)},
                     {name: "ns", type: "linear", range: "width", zero: !alike,
                      domain: alike ? around(times) : [0, most(times)]}],
            axes: alike ? [{orient: "bottom", scale: "ns", grid: true, tickCount: 4, labelOverlap: true,
                            encode: TIME_LABELS}] : [],
            marks: [
                {type: mark.type, from: {data: "rows"}, encode: {update: {fill: {field: "colour"},
                    tooltip: {signal: "datum"}, ...mark.encode}}},
                {type: "text", from: {data: "rows"}, encode: {update: {...text, text: {field: "name"},
                    fill: {value: colours().text}, tooltip: {signal: "datum"},
                    ...(above ? {x: {value: 0}, y: {scale: "place", field: "at", offset: 13}, limit: {value: width - 8}}
                              : {x: {value: -8}, align: {value: "right"}, limit: {value: room - 12}})}}},
                {type: "text", from: {data: "rows"}, encode: {update: {...text, text: {field: "words"},
                    fill: {value: colours().quiet}, x: alike ? {signal: "width", offset: 10}
                                                            : {scale: "ns", field: "end", offset: 6}}}},
                {type: "rect", from: {data: "uses"}, interactive: false, encode: {update: {
                    fill: {value: colours().text}, xc: {scale: "ns", field: "ns"}, width: {value: 3}, yc: middle,
                    height: {value: bar + 4}}}},
            ],
        };
    }, ({row}) => rowWords(table, row));
}
/* Draws all configurations, sorted by time. */
function drawSorted(place, table, rows) {
    const times = rows.map(row => row.ns);
    draw(place, "Times of all configurations, sorted.", () => ({
        data: [{name: "rows", values: rows.map((row, i) => ({row, rank: i + 1, colour: rowColour(row)}))}],
        scales: [rankScale(rows.length), timeScale("time", "height", times)],
        axes: [rankAxis("configurations, the fastest first"), timeAxis(times, {orient: "left"})],
        marks: [points(rows.length > 500 ? 12 : 40, "rank")],
    }), ({row}) => rowWords(table, row));
}
/* Draws the search: the first launch of each configuration, and the best so far. Times are from the end of the race. */
function drawSearch(place, table, rows) {
    const tried = rows.filter(row => row.trial).sort((a, b) => a.trial - b.trial);
    const times = rows.map(row => row.ns);
    let best = Infinity;
    const line = tried.map(row => ({trial: row.trial, ns: best = Math.min(best, row.ns)}));
    draw(place, "Times of the configurations in the order in which they were tried, and the best so far.", () => ({
        data: [{name: "rows", values: tried.map(row => ({row, colour: rowColour(row)}))}, {name: "best", values: line}],
        scales: [rankScale(tried[tried.length - 1].trial), timeScale("time", "height", times)],
        axes: [rankAxis("trial"), timeAxis(times, {orient: "left"})],
        marks: [points(tried.length > 500 ? 9 : 36, "row.trial", {opacity: {value: 0.75}}),
            {type: "line", from: {data: "best"}, interactive: false, encode: {update: {
                x: {scale: "rank", field: "trial"}, y: {scale: "time", field: "ns"},
                interpolate: {value: "step-after"}, stroke: {value: colours().winner}, strokeWidth: {value: 2.5}}}}],
    }), ({row}) => ["Trial " + row.trial, ...rowWords(table, row)]);
}
/* Draws the least time for each pair of values of two axes. */
function drawHeatMap(place, table, rows, x, y) {
    const valuesOf = axis => [...table.axes[axis][1]].sort(compareText), fastest = new Map();
    for (const row of rows) {
        if (row.at[x] < 0 || row.at[y] < 0) continue;
        const cell = row.at[x] + "," + row.at[y];
        if (!fastest.has(cell) || row.ns < fastest.get(cell).ns) fastest.set(cell, row);
    }
    const cells = [...fastest.values()], times = cells.map(row => row.ns), columns = valuesOf(x), lines = valuesOf(y);
    const [low, high] = [least(times), Math.max(most(times), least(times) * 1.000001)];
    draw(place, "Least times for the values of two axes, as a heat map.", width => ({
        height: Math.min(700, Math.max(318, 24 * lines.length + 80)),
        data: [{name: "rows", values: cells.map(row => ({row, x: valueOf(table, row, x), y: valueOf(table, row, y),
            ns: row.ns, words: timeText(row.ns), ink: row.ns * row.ns < low * high ? "#10151c" : "#ffffff"}))},
               {name: "none", values: []}, names(table, [x, y])],
        scales: [{name: "x", type: "band", range: "width", domain: columns, padding: 0.02},
                 {name: "y", type: "band", range: "height", domain: lines, reverse: true, padding: 0.02},
                 {name: "heat", type: "log", domain: [low, high], range: {scheme: "cividis"}, reverse: true}],
        axes: [{orient: "bottom", scale: "x", title: nameOf(0), labelOverlap: true, labelLimit: 90},
               {orient: "left", scale: "y", title: nameOf(1), labelLimit: Math.min(180, width / 4)}],
        legends: [{fill: "heat", type: "gradient", gradientLength: 120, encode: TIME_LABELS,
                   values: [low, Math.sqrt(low * high), high]}],
        marks: [
            {type: "rect", from: {data: "rows"}, encode: {update: {
                x: {scale: "x", field: "x"}, width: {scale: "x", band: 1}, y: {scale: "y", field: "y"},
                height: {scale: "y", band: 1}, fill: {scale: "heat", field: "ns"}, tooltip: {signal: "datum"}}}},
            {type: "text", from: {data: cells.length <= 120 && columns.length <= width / 64 ? "rows" : "none"},
             interactive: false, encode: {update: {
                x: {scale: "x", field: "x", band: 0.5}, y: {scale: "y", field: "y", band: 0.5}, text: {field: "words"},
                fill: {field: "ink"}, align: {value: "center"}, baseline: {value: "middle"}, fontSize: {value: 11}}}}],
    }), ({row}) => [table.axes[x][0] + "=" + valueOf(table, row, x) + ", " + table.axes[y][0] + "=" +
        valueOf(table, row, y), "at best " + timeText(row.ns) + ", with", configOf(table, row)]);
}
const sorted = numbers => [...numbers].sort((a, b) => a - b);

/* The range that the user selects on axis i of the chart of all axes: dragging sets both ends, a click removes the
   range. */
const brush = i => ({name: "brush_" + i, value: [0, 0], on: [
    {events: "@room_" + i + ":mousedown", update: "[y(), y()]"},
    {events: "[@room_" + i + ":mousedown, window:mouseup] > window:mousemove!",
     update: "[brush_" + i + "[0], clamp(y(), 0, height)]"},
    {events: "@room_" + i + ":touchstart", update: "[y(), y()]"},
    {events: "[@room_" + i + ":touchstart, window:touchend] > window:touchmove!",
     update: "[brush_" + i + "[0], clamp(y(), 0, height)]"},
]});
/* Draws each configuration as a line from axis to axis, which ends at its time. */
function drawParallel(place, table, rows, axes) {
    const orders = axes.map(axis => [...table.axes[axis][1]].sort(compareText));
    const times = rows.map(row => row.ns), ends = endsOf(times), nearly = sorted(times)[Math.floor(rows.length / 10)];
    /* Returns the height at which a row's line meets each axis: 0 is the top, 1 the bottom. The last axis is time. */
    const downs = row => [...axes.map((axis, i) => row.at[axis] < 0 ? 1 : (orders[i].length -
        orders[i].indexOf(valueOf(table, row, axis)) - 0.5) / orders[i].length),
        1 - Math.log(row.ns / ends[0]) / Math.log(ends[1] / ends[0])];
    /* Fast configurations are drawn above slow ones, and the winner above all. */
    const lines = [...rows].sort((a, b) => (a.stage === "winner") - (b.stage === "winner") || b.ns - a.ns);
    const styleOf = row => row.stage === "winner" ? {colour: colours().winner, width: 3.5, opacity: 1}
        : row.ns <= nearly ? {colour: colours().finalist, width: 1.6, opacity: 0.7}
                           : {colour: colours().other, width: 1, opacity: lines.length > 200 ? 0.2 : 0.4};
    draw(place, "All configurations as lines through the values of their axes to their times.", width => {
        const inner = width - 126, height = 280, numbers = [...axes.keys(), axes.length];
        const across = i => inner * i / axes.length;
        const pathOf = down => down.map((part, i) => (i ? "L" : "M") + across(i) + "," + part * height).join("");
        const passes = numbers.map(i => "(brush_" + i + "[0] == brush_" + i + "[1] || inrange(datum.down[" + i +
            "] * height, brush_" + i + "))").join(" && ");
        const inWords = {zindex: 1, labelColor: colours().text, domainColor: colours().quiet, labelLimit: 110,
            titleColor: colours().text, titleAngle: 0, titleAnchor: "end", titleAlign: "center", titleX: 0, titleY: -12};
        const verticals = [...axes.map((axis, i) => ({...inWords, orient: "left", scale: "axis_" + i,
            offset: -across(i), title: nameOf(i), encode: {labels: {update: {}}}})),
            timeAxis(times, {...inWords, orient: "right", grid: false, title: "time"})];
        /* The labels of each axis get a wide edge, so that lines do not strike them through. */
        const haloOf = axis => ({...axis, title: "", encode: {labels: {update: {...axis.encode.labels.update,
            stroke: {value: colours().panel}, strokeWidth: {value: 4}}}}});
        return {
            autosize: "none", padding: {left: 50, right: 76, top: 34, bottom: 16}, width: inner, height,
            data: [{name: "rows", values: lines.map(row => ({row, down: downs(row), ...styleOf(row)}))
                .map(line => ({...line, path: pathOf(line.down)}))}, names(table, axes)],
            signals: numbers.map(brush),
            scales: [...axes.map((axis, i) => ({name: "axis_" + i, type: "band", range: "height", domain: orders[i],
                reverse: true})), timeScale("time", "height", times)],
            axes: verticals.flatMap(axis => [haloOf(axis), axis]),
            marks: [
                {type: "path", from: {data: "rows"}, encode: {update: {path: {field: "path"},
                    stroke: {field: "colour"}, strokeWidth: {field: "width"}, tooltip: {signal: "datum"},
                    strokeOpacity: [{test: passes, field: "opacity"}, {value: 0.03}]}}},
                ...numbers.flatMap(i => [
                    {type: "rect", interactive: false, encode: {update: {xc: {value: across(i)}, width: {value: 14},
                        y: {signal: "brush_" + i + "[0]"}, y2: {signal: "brush_" + i + "[1]"},
                        fill: {value: colours().finalist}, fillOpacity: {value: 0.3}}}},
                    {type: "rect", name: "room_" + i, encode: {update: {xc: {value: across(i)}, width: {value: 22},
                        y: {value: 0}, y2: {value: height}, fill: {value: "transparent"},
                        cursor: {value: "ns-resize"}}}}]),
            ],
        };
    }, ({row}) => rowWords(table, row));
}
/* Returns the `count` axes that change the time most: the least times of their values differ most. */
function tellingAxes(rows, axes, count) {
    const effect = axis => {
        const best = new Map();
        for (const row of rows) {
            const ns = best.get(row.at[axis]);
            if (ns === undefined || row.ns < ns) best.set(row.at[axis], row.ns);
        }
        return Math.max(...best.values()) / Math.min(...best.values());
    };
    const effects = new Map(axes.map(axis => [axis, effect(axis)]));
    return [...axes].sort((a, b) => effects.get(b) - effects.get(a)).slice(0, count);
}
