/* charts.js - the charts, by Apache ECharts. Each function draws into an element of the page. */
const charts = new Map(); /* element: {chart, draw} */
let onPaper = false;      /* the page is being printed: light, whatever the screen is */

function isDark() {
    if (onPaper) return false;
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
/* Colours of Okabe and Ito, and of cividis for what is measured: both can be told apart by colour-blind people. */
const colours = () => isDark()
    ? {text: "#e6e9ee", quiet: "#9aa4b2", line: "#38414e", winner: "#ffb000", finalist: "#56b4e9", other: "#7d8896",
       panel: "#1f262f", best: "#ffb000"}
    : {text: "#1b2430", quiet: "#5d6b7c", line: "#dde3ea", winner: "#d55e00", finalist: "#0072b2", other: "#9aa7b5",
       panel: "#ffffff", best: "#d55e00"};
const CIVIDIS = ["#fee838", "#e1cc55", "#c3b369", "#a59c74", "#8a8678", "#707173", "#575d6d", "#3b496c", "#123570",
                 "#00224e"]; /* fast is bright */
/* The shape on the chart and in its legend; the colour on light and on dark. */
const VERDICT_STYLE = ofNames({
    separated: ["circle", "\u25cf", "#0072b2", "#56b4e9"],
    tie: ["diamond", "\u25c6", "#009e73", "#2fc79a"],
    unresolved: ["triangle", "\u25b2", "#b87f00", "#f0b429"],
    unreliable: ["rect", "\u25a0", "#d55e00", "#ff8a3d"],
});
const verdictColour = name => VERDICT_STYLE[name][isDark() ? 3 : 2];

function draw(place, words, options) {
    const old = charts.get(place);
    const chart = old ? old.chart : echarts.init(place, null, {renderer: "canvas", devicePixelRatio:
        Math.max(2, window.devicePixelRatio || 1)});
    place.setAttribute("role", "img");
    place.setAttribute("aria-label", words);
    charts.set(place, {chart, words, options});
    chart.setOption(Object.assign({animation: false, textStyle: {fontFamily: "system-ui, sans-serif"}}, options()),
        true);
    return chart;
}
function redrawCharts() {
    for (const [place, {words, options}] of charts) draw(place, words, options);
}
function dropCharts(within) {
    for (const [place, {chart}] of charts) {
        if (!within.contains(place)) continue;
        chart.dispose();
        charts.delete(place);
    }
}
new ResizeObserver(() => charts.forEach(({chart}) => chart.resize())).observe(document.body);

const axisStyle = () => ({
    axisLabel: {color: colours().quiet},
    nameTextStyle: {color: colours().quiet},
    axisLine: {lineStyle: {color: colours().line}},
    splitLine: {lineStyle: {color: colours().line}},
    axisTick: {lineStyle: {color: colours().line}},
});
const timeAxis = (name, ends) => Object.assign(axisStyle(), {
    type: "log", name, nameLocation: "middle", nameGap: 32, min: ends[0], max: ends[1],
    axisLabel: {color: colours().quiet, hideOverlap: true, formatter: ns => roundText(timeText(ns))},
    minorSplitLine: {show: false},
});
/* Round ends of a logarithmic axis around these numbers: one, two or five of a power of ten. */
function endsOf(numbers) {
    const least = numbers.reduce((a, b) => Math.min(a, b)), most = numbers.reduce((a, b) => Math.max(a, b));
    const steps = [1, 2, 5, 10];
    const power = 10 ** Math.floor(Math.log10(least)), high = 10 ** Math.floor(Math.log10(most));
    return [power * [...steps].reverse().find(step => step * power <= least * 0.999 || step === 1),
            high * (steps.find(step => step * high >= most * 1.001) || 10)];
}
/* Lines of text in a box, as an element: nothing of the data is read as HTML. */
const tip = lines => element("div", {}, ...lines.filter(Boolean).map((line, i) =>
    element(i ? "div" : "b", {}, line)));
const tooltip = lines => ({
    trigger: "item", confine: true, backgroundColor: colours().panel, borderColor: colours().line,
    textStyle: {color: colours().text, fontSize: 12}, formatter: point => tip(lines(point)),
    extraCssText: "max-width: 26rem; white-space: normal; overflow-wrap: anywhere",
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
    const known = records.filter(record => record.speedup);
    const most = Math.max(2, ...tailOf(known.map(record => record.speedup)));
    const chart = draw(place, "Speed-up over time per call, a point for each key; the table below has the figures.",
        () => ({
            grid: {left: 56, right: 24, top: 34, bottom: 48},
            tooltip: tooltip(({data: [, , number]}) => {
                const record = data.records[number];
                return [record.tuner, record.keyText, record.winnerText, timeText(record.ns) + " instead of " +
                    timeText(record.default_ns) + ": " + timesText(record.speedup), verdictOf(record)[1]];
            }),
            xAxis: timeAxis("time of a call with the winner", endsOf(known.map(record => record.ns))),
            yAxis: Object.assign(axisStyle(), {
                type: "log", name: "speed-up", nameLocation: "end",
                min: Math.min(1, endsOf(known.map(record => record.speedup))[0]), max: endsOf([1, most])[1],
                nameTextStyle: {color: colours().quiet, align: "left", padding: [0, 0, 0, -40]},
                axisLabel: {color: colours().quiet, formatter: value => roundText(timesText(value))},
            }),
            series: Object.keys(VERDICT_STYLE).map(verdict => ({
                type: "scatter", symbol: VERDICT_STYLE[verdict][0], symbolSize: verdict === "tie" ? 12 : 10,
                itemStyle: {color: verdictColour(verdict), opacity: 0.85, borderColor: colours().panel, borderWidth: 1},
                cursor: "pointer", large: known.length > 2000, largeThreshold: 1,
                data: known.filter(record => record.verdict === verdict)
                    .map(record => [record.ns, record.speedup, record.number]),
            })),
        }));
    chart.off("click");
    chart.on("click", ({data: [, , number]}) => choose(number));
}
const tailOf = numbers => [numbers.reduce((a, b) => Math.max(a, b), 0)];

/* ---- One key ---- */

/* The fastest as bars, the winner above. */
function drawBars(place, table, rows, axes) {
    const most = rows.reduce((a, row) => Math.max(a, row.ns), 0);
    const names = rows.map(row => axes.map(axis => valueOf(table, row, axis)).join(", "));
    const width = Math.min(300, 16 + 7 * names.reduce((a, name) => Math.max(a, name.length), 0));
    place.style.height = (rows.length > 8 ? 22 : 34) * rows.length + 8 + "px";
    draw(place, "Times of the fastest configurations as bars; the table below has the figures.", () => ({
        grid: {left: width, right: 116, top: 2, bottom: 6},
        tooltip: tooltip(({dataIndex}) => rowWords(table, rows[dataIndex])),
        xAxis: Object.assign(axisStyle(), {type: "value", min: 0, max: most, splitLine: {show: false},
            axisLabel: {show: false}}),
        yAxis: Object.assign(axisStyle(), {type: "category", inverse: true, splitLine: {show: false}, data: names,
            axisTick: {show: false}, axisLabel: {color: colours().text, width: width - 14, overflow: "truncate",
                interval: 0, fontSize: 11.5}}),
        series: [{type: "bar", barCategoryGap: "22%",
            data: rows.map(row => ({value: row.ns, itemStyle: {color: rowColour(row), borderRadius: [0, 3, 3, 0]}})),
            label: {show: true, position: "right", color: colours().quiet, fontSize: 11.5, formatter: ({dataIndex}) =>
                timeText(rows[dataIndex].ns) + "  " + timesText(rows[dataIndex].ns / (table.winnerNs || rows[0].ns))}}],
    }));
}
/* All of them, sorted by time. */
function drawSorted(place, table, rows) {
    draw(place, "Times of all configurations, sorted.", () => ({
        grid: {left: 64, right: 20, top: 14, bottom: 44},
        tooltip: tooltip(({data: [rank]}) => rowWords(table, rows[rank - 1])),
        xAxis: Object.assign(axisStyle(), {type: "value", minInterval: 1, min: 0, max: rows.length + 1, name:
            "configurations, the fastest first", nameLocation: "middle", nameGap: 26, splitLine: {show: false},
            axisLabel: {color: colours().quiet, showMaxLabel: false}}),
        yAxis: Object.assign(timeAxis("", endsOf(rows.map(row => row.ns)))),
        series: [{type: "scatter", symbolSize: rows.length > 500 ? 4 : 7, itemStyle: {color: ({data: [rank]}) =>
            rowColour(rows[rank - 1])}, data: rows.map((row, i) => [i + 1, row.ns])}],
    }));
}
/* The search: each first launch, and the best so far. Times are those at the end of the race. */
function drawSearch(place, table, rows) {
    const tried = rows.filter(row => row.trial).sort((a, b) => a.trial - b.trial);
    let best = Infinity;
    const line = tried.map(row => [row.trial, best = Math.min(best, row.ns)]);
    draw(place, "Times of the configurations in the order in which they were tried, and the best so far.", () => ({
        grid: {left: 64, right: 20, top: 14, bottom: 44},
        tooltip: tooltip(({data: [trial], dataIndex, seriesType}) => seriesType === "line"
            ? ["Best after trial " + trial, timeText(line[dataIndex][1])]
            : ["Trial " + trial, ...rowWords(table, tried[dataIndex])]),
        xAxis: Object.assign(axisStyle(), {type: "value", minInterval: 1, min: 0,
            max: tried[tried.length - 1].trial + 1, axisLabel: {color: colours().quiet, showMaxLabel: false},
            name: "trial", nameLocation: "middle", nameGap: 26, splitLine: {show: false}}),
        yAxis: timeAxis("", endsOf(rows.map(row => row.ns))),
        series: [
            {type: "scatter", symbolSize: tried.length > 500 ? 3 : 6, data: tried.map(row => [row.trial, row.ns]),
             itemStyle: {color: ({dataIndex}) => rowColour(tried[dataIndex]), opacity: 0.75}},
            {type: "line", step: "end", data: line, symbol: "none", lineStyle: {color: colours().best, width: 2.5},
             z: 5},
        ],
    }));
}
/* The least time for each pair of two axes' values. */
function drawHeatMap(place, table, rows, x, y) {
    const orderOf = axis => table.axes[axis][1].map((value, i) => i)
        .sort((a, b) => compareText(table.axes[axis][1][a], table.axes[axis][1][b]));
    const columns = orderOf(x), lines = orderOf(y), least = new Map();
    for (const row of rows) {
        if (row.at[x] < 0 || row.at[y] < 0) continue;
        const cell = columns.indexOf(row.at[x]) + "," + lines.indexOf(row.at[y]);
        if (!least.has(cell) || row.ns < least.get(cell).ns) least.set(cell, row);
    }
    const cells = [...least].map(([cell, row]) => [...cell.split(",").map(Number), Math.log10(row.ns), row]);
    const times = cells.map(cell => cell[2]);
    const low = times.reduce((a, b) => Math.min(a, b)), high = times.reduce((a, b) => Math.max(a, b));
    const labelled = cells.length <= 120 && columns.length <= 12;
    place.style.height = Math.min(700, Math.max(318, 24 * lines.length + 80)) + "px";
    draw(place, "Least times for the values of two axes, as a heat map.", () => ({
        grid: {left: 10, right: 96, top: 10, bottom: 40, containLabel: true},
        tooltip: tooltip(({dataIndex}) => [table.axes[x][0] + "=" + valueOf(table, cells[dataIndex][3], x) + ", " +
            table.axes[y][0] + "=" + valueOf(table, cells[dataIndex][3], y),
            "at best " + timeText(cells[dataIndex][3].ns) + ", with", configOf(table, cells[dataIndex][3])]),
        xAxis: Object.assign(axisStyle(), {type: "category", data: columns.map(i => table.axes[x][1][i]),
            name: table.axes[x][0], nameLocation: "middle", nameGap: 26, splitLine: {show: false},
            axisLabel: {color: colours().quiet, width: 90, overflow: "truncate"}}),
        yAxis: Object.assign(axisStyle(), {type: "category", data: lines.map(i => table.axes[y][1][i]),
            splitLine: {show: false}, axisLabel: {color: colours().quiet, width: 180, overflow: "truncate"}}),
        visualMap: {type: "continuous", min: low, max: high > low ? high : low + 1e-9, dimension: 2, calculable: false,
            orient: "vertical", right: 4, top: "middle", itemHeight: 120, textStyle: {color: colours().quiet},
            text: [timeText(10 ** high), timeText(10 ** low)], inRange: {color: CIVIDIS}},
        series: [{type: "heatmap", data: cells.map(cell => cell.slice(0, 3)),
            itemStyle: {borderColor: colours().panel, borderWidth: 2},
            label: {show: labelled, fontSize: 11, formatter: ({dataIndex}) => timeText(cells[dataIndex][3].ns),
                color: "inherit"},
            emphasis: {itemStyle: {borderColor: colours().text}}}].map(series => Object.assign(series, {data:
                series.data.map((value, i) => ({value, label: {color: (value[2] - low) / (high - low || 1) < 0.5
                    ? "#10151c" : "#ffffff"}}))})),
    }));
}
const sorted = numbers => [...numbers].sort((a, b) => a - b);
/* Every configuration a line, from axis to axis, and to its time. */
function drawParallel(place, table, rows, axes) {
    const orders = axes.map(axis => [...table.axes[axis][1]].sort(compareText));
    const ends = endsOf(rows.map(row => row.ns));
    const nearly = sorted(rows.map(row => row.ns))[Math.floor(rows.length / 10)];
    /* The fastest are drawn last, above the others, and the winner above all. */
    const lines = [...rows].sort((a, b) => (a.stage === "winner") - (b.stage === "winner") || b.ns - a.ns);
    draw(place, "All configurations as lines through the values of their axes to their times.", () => ({
        tooltip: tooltip(({dataIndex}) => rowWords(table, lines[dataIndex])),
        parallel: {left: 50, right: 76, top: 34, bottom: 16, parallelAxisDefault: {
            nameTextStyle: {color: colours().text, fontSize: 12}, nameGap: 12,
            axisLabel: {color: colours().text, fontSize: 11, textBorderColor: colours().panel, textBorderWidth: 3},
            axisLine: {lineStyle: {color: colours().quiet}}, axisTick: {lineStyle: {color: colours().quiet}}}},
        parallelAxis: [
            ...axes.map((axis, i) => ({dim: i, name: table.axes[axis][0], type: "category", data: orders[i],
                axisLabel: {width: 110, overflow: "truncate"}})),
            {dim: axes.length, name: "time", type: "log", min: ends[0], max: ends[1], inverse: false,
             axisLabel: {formatter: ns => roundText(timeText(ns))}},
        ],
        series: [{type: "parallel", smooth: 0.2, progressive: 1000, inactiveOpacity: 0.03, activeOpacity: 0.9,
            data: lines.map(row => ({
                value: [...axes.map(axis => valueOf(table, row, axis)), row.ns],
                lineStyle: row.stage === "winner"
                    ? {color: colours().winner, width: 3.5, opacity: 1}
                    : row.ns <= nearly ? {color: colours().finalist, width: 1.6, opacity: 0.7}
                                       : {color: colours().other, width: 1, opacity: lines.length > 200 ? 0.2 : 0.4},
            }))}],
    }));
}
/* The axes that change the time most, the first of them: the least times of their values are farthest apart. */
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
