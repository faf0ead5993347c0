/* text.js - numbers as people read them, and elements of the page. Text becomes text nodes, never HTML. */
const collator = new Intl.Collator("en", {numeric: true});
const compareText = (a, b) => collator.compare(a, b);

const isTime = ns => typeof ns === "number" && ns > 0;
function timeText(ns) {
    if (!isTime(ns)) return "\u2013";
    const units = [[1e9, "s"], [1e6, "ms"], [1e3, "\u00b5s"], [1, "ns"]];
    const [unit, name] = units.find(([size]) => ns >= size) || units[3];
    const value = ns / unit;
    return (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)) + "\u00a0" + name;
}
function timesText(ratio) {
    if (!isTime(ratio)) return "\u2013";
    return (ratio >= 100 ? ratio.toFixed(0) : ratio >= 10 ? ratio.toFixed(1) : ratio.toFixed(2)) + "\u00a0\u00d7";
}
const roundText = text => text.replace(/(\.\d*?)0+\u00a0/, "$1\u00a0").replace(".\u00a0", "\u00a0"); /* 1.00 s: 1 s */
const countText = (count, one, many) =>
    (count || 0).toLocaleString("en") + " " + (count === 1 ? one : many || one + "s");
const secondsText = seconds => timeText(seconds * 1e9);
const dateText = date => /^\d{4}-\d\d-\d\dT/.test(date) ? date.slice(0, 10) : date;

/* element("td.number", {title: "...", onclick: ...}, child, ...): a child is an element, or text. */
function element(name, properties, ...children) {
    const [tag, ...classes] = name.split(".");
    const made = document.createElement(tag);
    if (classes.length) made.className = classes.join(" ");
    for (const [key, value] of Object.entries(properties || {})) {
        if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
        else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value);
    }
    made.append(...children.filter(child => child !== null && child !== undefined));
    return made;
}
const byId = id => document.getElementById(id);
const fill = (parent, ...children) => parent.replaceChildren(...children.filter(child => child !== null));

function verdictMark(record) {
    const [sign, words, meaning] = verdictOf(record);
    const known = VERDICTS[record.verdict] ? record.verdict : "other";
    return element("span.verdict." + known, {title: meaning}, element("b", {"aria-hidden": "true"}, sign), " " + words);
}

/* A table that sorts: columns are {title, text(item), order(item), cell(item), number, hint}. Items whose
   order is null come last in both directions. */
function sortedTable(table, columns, state, render) {
    const head = element("tr");
    columns.forEach((column, i) => {
        const sorted = state.column === i ? (state.down ? "descending" : "ascending") : "none";
        const arrow = state.column === i ? (state.down ? " \u25be" : " \u25b4") : "";
        head.append(element("th" + (column.number ? ".number" : ""), {scope: "col", "aria-sort": sorted},
            element("button.plain", {type: "button", title: column.hint || "Sort", onclick: () => {
                state.down = state.column === i ? !state.down : Boolean(column.number);
                state.column = i;
                render();
                table.querySelectorAll("th button")[i].focus();
            }}, column.title + arrow)));
    });
    fill(table, element("thead", {}, head), element("tbody"));
    return table.tBodies[0];
}
function inOrder(items, column, down) {
    const compare = (a, b) => {
        const x = column.order(a), y = column.order(b);
        if (x === null || y === null) return (x === null) - (y === null);
        return (typeof x === "string" ? compareText(x, y) : x - y) * (down ? -1 : 1);
    };
    return [...items].sort(compare);
}
const rowOf = (columns, item) => element("tr", {}, ...columns.map(column =>
    element("td" + (column.number ? ".number" : ""), {"data-title": column.title}, column.cell ? column.cell(item) : column.text(item))));
