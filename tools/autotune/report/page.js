/* page.js - chooses the view by the address: #N shows the record with this number, any other address the overview */
let left = 0; /* the scroll position of the overview, in pixels */

function chosenRecord() {
    return /^#\d+$/.test(location.hash) ? data.records[Number(location.hash.slice(1))] : undefined;
}
function show(moved) {
    const record = chosenRecord();
    if (record && !byId("overview").hidden) left = scrollY;
    byId("overview").hidden = Boolean(record);
    byId("detail").hidden = !record;
    document.title = (record ? record.tuner + " " + record.keyText + " \u2013 " : "") + "autotune report";
    if (record) showDetail(record);
    else showOverview();
    scrollTo(0, record ? 0 : left);
    if (moved) (record ? byId("detail").querySelector("h1") : byId("headline")).focus({preventScroll: true});
}
byId("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    redrawCharts();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawCharts);
addEventListener("beforeprint", () => { onPaper = true; redrawCharts(); });
addEventListener("afterprint", () => { onPaper = false; redrawCharts(); });
addEventListener("hashchange", () => show(true));
startOverview();
show(false);
document.documentElement.dataset.readyAfter = String(Math.round(performance.now())); /* milliseconds */
