"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = id => document.getElementById(id);

  /** An element with attributes and children; text is never read as markup. */
  function element(name, attributes, ...children) {
    const svg = ["svg", "g", "line", "rect", "circle", "text", "title"].includes(name);
    const made = svg
      ? document.createElementNS("http://www.w3.org/2000/svg", name)
      : document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  /** Goes to an element, opening whatever hides it. */
  function go(target) {
    for (let up = target; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
    target.scrollIntoView({ block: "center" });
  }

  // The matrix: each cell shows its evidence.

  function targetOf(name) {
    const type = name.split("#")[0];
    return ["model-" + name, "mutant-" + name, "jcstress-" + name, "test-" + type]
      .map(byId).find(found => found);
  }

  function evidenceItem(evidence) {
    const item = element("li");
    const target = targetOf(evidence.name);
    if (target) {
      const link = element("a", { href: "#" + encodeURIComponent(target.id) }, element("code", {}, evidence.name));
      link.addEventListener("click", event => { event.preventDefault(); byId("cell").close(); go(target); });
      item.append(link);
    } else {
      item.append(element("code", {}, evidence.name));
    }
    if (evidence.detail && evidence.detail.includes("\n")) item.append(element("pre", {}, evidence.detail));
    else if (evidence.detail) item.append(" ", element("span", { class: "what" }, evidence.detail));
    return item;
  }

  function showCell(row, column) {
    const cell = data.matrix[row].columns[column];
    byId("cell-title").textContent = data.matrix[row].invariant + " · " + column;
    const body = byId("cell-body");
    body.replaceChildren();
    if (cell.reason) {
      body.append(element("p", { class: cell.state === "red" ? "problem" : "intro" }, cell.reason));
    }
    body.append(element("ul", {}, ...cell.evidence.map(evidenceItem)));
    byId("cell").showModal();
  }

  document.querySelectorAll("button.cell").forEach(button =>
    button.addEventListener("click", () => showCell(button.dataset.row, button.dataset.column)));
  byId("cell").addEventListener("click", event => { if (event.target === byId("cell")) byId("cell").close(); });

  // Counterexamples: a lane for each thread and group of variables, a row for each step.

  const ROW = 34, HEAD = 34, LEFT = 40;
  let chart = 0, step = 0;

  const laneWidth = lanes => Math.max(98, Math.floor((byId("chart").clientWidth - LEFT - 8) / lanes));
  const middle = (lane, width) => LEFT + width * lane + width / 2;

  function drawStep(current, index, width, lanes, isLast) {
    const y = HEAD + ROW * index + ROW / 2;
    const own = current.actor >= 0 ? current.actor : -1;
    const row = element("g", { class: "row" + (isLast ? " last" : "") + (own >= 0 && !lanes[own].isThread ? " group" : "") });
    row.append(element("rect", { class: "hit", x: 0, y: y - ROW / 2, width: LEFT + width * lanes.length, height: ROW }));
    row.append(element("text", { class: "number", x: 12, y: y + 4 }, String(current.number)));
    const from = own >= 0 ? middle(own, width) : LEFT;
    for (const lane of current.touched) {
      if (lane === own) continue;
      row.append(element("line", { class: "reach", x1: from, y1: y, x2: middle(lane, width), y2: y }));
      row.append(element("circle", { class: "touch", cx: middle(lane, width), cy: y, r: 4 }));
    }
    const label = current.action;
    const size = label.length * 7.3 + 16;
    const x = own >= 0 ? Math.max(LEFT - 6, from - size / 2) : LEFT + 4;
    if (own >= 0) row.append(element("rect", { class: "box", x, y: y - 12, width: size, height: 24, rx: 5 }));
    row.append(element("text", { x: x + 8, y: y + 4 }, label));
    row.addEventListener("click", () => choose(index));
    return row;
  }

  function drawChart() {
    const { lanes, steps } = data.charts[chart];
    const width = laneWidth(lanes.length);
    const height = HEAD + ROW * steps.length + 8;
    const svg = element("svg", { width: LEFT + width * lanes.length + 4, height, role: "img",
      "aria-label": "Lanes " + lanes.map(lane => lane.name).join(", ") + "; " + steps.length + " steps" });
    const rows = steps.map((one, index) => drawStep(one, index, width, lanes, index === steps.length - 1));
    const backs = rows.map(row => row.firstChild);
    lanes.forEach((lane, index) => {
      const x = middle(index, width);
      svg.append(element("text", { class: "lane-name" + (lane.isThread ? " thread" : ""), x, y: 20, "text-anchor": "middle" }, lane.name));
    });
    rows.forEach(row => svg.append(row));
    // The lanes lie over the rows' backgrounds and under what happens in them.
    rows.forEach((row, index) => lanes.forEach((lane, at) => {
      const x = middle(at, width), y = HEAD + ROW * index;
      row.insertBefore(element("line", { class: "lane", x1: x, y1: y, x2: x, y2: y + ROW, "pointer-events": "none" }), backs[index].nextSibling);
    }));
    byId("chart").replaceChildren(svg);
  }

  function changed(change) {
    const value = element("dd");
    if (change.before !== null) value.append(element("del", {}, change.before));
    if (change.before !== null && change.after !== null) value.append(" → ");
    if (change.after !== null) value.append(element("ins", {}, change.after));
    return [element("dt", {}, change.path), value];
  }

  function showStep() {
    const { steps, property } = data.charts[chart];
    const current = steps[step];
    const last = step === steps.length - 1;
    const panel = byId("step");
    panel.replaceChildren(element("h3", {}, current.number + ". " + current.action));
    if (last && property) panel.append(element("p", { class: "problem" }, property + " is violated here."));
    if (current.changes.length) panel.append(element("dl", {}, ...current.changes.flatMap(changed)));
    else panel.append(element("p", { class: "intro" }, step === 0 ? "The first state." : "Nothing changes."));
    const variables = Object.entries(current.state);
    if (variables.length) {
      const all = element("dl", {}, ...variables.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
      const details = element("details", {}, element("summary", {}, "The whole state"), all);
      details.open = step === 0;
      panel.append(details);
    }
    byId("chart").querySelectorAll(".row").forEach((row, index) => {
      row.classList.toggle("current", index === step);
      if (index !== step) return;
      const box = byId("chart"), y = HEAD + ROW * index;
      if (y < box.scrollTop + HEAD) box.scrollTop = y - HEAD;
      if (y + ROW > box.scrollTop + box.clientHeight) box.scrollTop = y + ROW - box.clientHeight;
    });
  }

  function choose(index) {
    step = Math.min(Math.max(index, 0), data.charts[chart].steps.length - 1);
    showStep();
  }

  function openChart(index) {
    chart = index;
    byId("chart-choice").value = String(index);
    drawChart();
    choose(0);
  }

  if (byId("chart")) {
    const keys = {
      ArrowDown: () => choose(step + 1), ArrowRight: () => choose(step + 1),
      ArrowUp: () => choose(step - 1), ArrowLeft: () => choose(step - 1),
      Home: () => choose(0), End: () => choose(Infinity),
    };
    byId("chart").addEventListener("keydown", event => {
      if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
    });
    byId("step-first").addEventListener("click", keys.Home);
    byId("step-back").addEventListener("click", keys.ArrowUp);
    byId("step-on").addEventListener("click", keys.ArrowDown);
    byId("step-last").addEventListener("click", keys.End);
    byId("chart-choice").addEventListener("change", event => openChart(Number(event.target.value)));
    document.querySelectorAll(".show-chart").forEach(link => link.addEventListener("click", () =>
      openChart(data.charts.findIndex(one => one.config === link.dataset.config))));
    window.addEventListener("resize", () => { drawChart(); showStep(); });
    openChart(0);
  }

  // Tests: filter by name.

  if (byId("test-filter")) {
    byId("test-filter").addEventListener("input", event => {
      const wanted = event.target.value.toLowerCase();
      document.querySelectorAll(".test-class").forEach(one =>
        one.toggleAttribute("hidden", !one.textContent.toLowerCase().includes(wanted)));
    });
  }

  document.querySelectorAll(".copy").forEach(button => button.addEventListener("click", () =>
    navigator.clipboard.writeText(button.dataset.copy).then(() => { button.textContent = "Copied"; })));
})();
