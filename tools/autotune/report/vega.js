/* vega.js - Vega, the library of the charts: loads its modules, draws a specification into an element, chooses colours,
   and shows a box beside the mouse */

/* CommonJS modules of Vega: one file for each part, or one file for all. The file of vega-selections is called
   vega-selection. */
const loadedParts = {};
function libraryPart(name) {
    const file = libraryParts[name] ? name : name.replace(/s$/, "");
    if (!loadedParts[file]) {
        loadedParts[file] = {};
        libraryParts[file](loadedParts[file], {}, libraryPart);
    }
    return loadedParts[file];
}
function loadLibrary() {
    if (libraryParts.vega) return libraryPart("vega");
    Object.assign(libraryPart("vega-dataflow").transforms, libraryPart("vega-encode"), libraryPart("vega-transforms"),
        libraryPart("vega-view-transforms"));
    return {...libraryPart("vega-parser"), ...libraryPart("vega-view"), ...libraryPart("vega-interpreter")};
}
const vega = loadLibrary();

const charts = new Map(); /* element: {view, width, draw} */
let onPaper = false;      /* true while the page is printed: the colours are then those of a light page */

function isDark() {
    if (onPaper) return false;
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
/* Colours of Okabe and Ito, which colour-blind people can distinguish. */
const colours = () => isDark()
    ? {text: "#e6e9ee", quiet: "#9aa4b2", line: "#38414e", winner: "#ffb000", finalist: "#56b4e9", other: "#7d8896",
       panel: "#1f262f"}
    : {text: "#1b2430", quiet: "#5d6b7c", line: "#dde3ea", winner: "#d55e00", finalist: "#0072b2", other: "#9aa7b5",
       panel: "#ffffff"};
const look = () => ({
    text: {font: "system-ui, sans-serif"},
    axis: {labelColor: colours().quiet, titleColor: colours().quiet, domainColor: colours().line,
           gridColor: colours().line, tickColor: colours().line, labelFontSize: 11.5, titleFontSize: 12,
           titleFontWeight: "normal", labelFont: "system-ui, sans-serif", titleFont: "system-ui, sans-serif"},
    legend: {labelColor: colours().quiet, labelFontSize: 11.5, labelFont: "system-ui, sans-serif"},
});

/* Draws a chart. specificationOf(width) returns the chart for a width in pixels. linesOf(datum) returns the lines of
   the box for the datum under the mouse. Vega interprets the expressions of a specification, since the policy of the
   page forbids compiling them. */
function draw(place, words, specificationOf, linesOf, choose) {
    const old = charts.get(place), width = place.clientWidth || 600;
    if (old) old.view.finalize();
    const specification = {padding: 4, autosize: {type: "fit", contains: "padding"}, config: look(), width,
                           height: place.clientHeight, ...specificationOf(width)};
    const {top, bottom} = specification.autosize === "none" ? specification.padding : {top: 0, bottom: 0};
    place.style.height = specification.height + top + bottom + "px";
    const view = new vega.View(vega.parse(specification, null, {ast: true}),
        {renderer: "canvas", container: place, hover: true, expr: vega.expressionInterpreter, logLevel: 1,
         tooltip: (handler, event, item, datum) => showTip(event, datum ? linesOf(datum) : null)});
    view.run();
    if (choose) view.addEventListener("click", (event, item) => item && item.datum && choose(item.datum));
    place.setAttribute("role", "img");
    place.setAttribute("aria-label", words);
    charts.set(place, {view, width, again: () => draw(place, words, specificationOf, linesOf, choose)});
}
function redrawCharts() {
    for (const {again} of charts.values()) again();
}
function dropCharts(within) {
    showTip(null, null);
    for (const [place, {view}] of charts) {
        if (!within.contains(place)) continue;
        view.finalize();
        charts.delete(place);
    }
}
new ResizeObserver(() => {
    for (const [place, {width, again}] of charts)
        if (place.clientWidth && place.clientWidth !== width) again();
}).observe(document.body);

/* The box beside the mouse. Its lines are text nodes, so no data become HTML. */
const tip = element("div.tip", {hidden: true});
document.body.append(tip);
function showTip(event, lines) {
    tip.hidden = !lines;
    if (!lines) return;
    fill(tip, ...lines.filter(Boolean).map((line, i) => element(i ? "div" : "b", {}, line)));
    const {width, height} = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 4)) + "px";
    tip.style.top = Math.max(4, event.clientY + 14 + height > innerHeight ? event.clientY - 14 - height
                                                                         : event.clientY + 14) + "px";
}
