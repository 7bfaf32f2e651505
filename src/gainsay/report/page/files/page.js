"use strict";
(() => {
  const main = document.getElementById("main"), state = document.getElementById("state");
  const chosen = { engine: "", kind: "", oracle: "", status: "" };
  let words = "", order = "n";
  const all = () => [...main.querySelectorAll(".finding")];
  const keys = { n: (f) => +f.dataset.n, count: (f) => -f.dataset.count };

  function apply() {
    let seen = 0;
    for (const f of all()) {
      const fits = Object.entries(chosen).every(([k, v]) => !v || f.dataset[k] === v)
        && (!words || f.textContent.toLowerCase().includes(words));
      f.hidden = !fits;
      seen += fits;
    }
    const told = document.getElementById("seen");
    if (told) told.textContent = seen === all().length ? "" : `${seen} of ${all().length}`;
  }

  function sort() {
    const list = document.getElementById("list"), key = keys[order];
    if (!list) return;
    const found = all().sort((a, b) => key ? key(a) - key(b) : a.dataset[order].localeCompare(b.dataset[order]));
    list.append(...found);
  }

  function restore() {
    const search = document.getElementById("search"), by = document.getElementById("order");
    if (search) search.value = words;
    if (by) by.value = order;
    for (const s of main.querySelectorAll("select[data-field]")) {
      if (![...s.options].some((o) => o.value === chosen[s.dataset.field])) chosen[s.dataset.field] = "";
      s.value = chosen[s.dataset.field];
    }
    sort();
    apply();
  }

  async function copy(button) {
    const body = button.closest(".body"), script = body.querySelector("pre.code code").textContent;
    const [before, after] = body.querySelector('[data-text="issue"]').textContent.split("%SCRIPT%");
    const text = button.dataset.copy === "issue" ? before + script.trim() + after : script;
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      button.textContent = document.execCommand("copy") ? "Copied" : "Press Ctrl-C";
      area.remove();
    }
    setTimeout(() => { button.textContent = label; }, 1500);
  }

  function open() {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (named && named.matches(".finding")) { named.open = true; named.scrollIntoView(); }
  }

  main.addEventListener("input", (e) => {
    if (e.target.id === "search") words = e.target.value.toLowerCase();
    else if (e.target.dataset.field) chosen[e.target.dataset.field] = e.target.value;
    else if (e.target.id === "order") { order = e.target.value; sort(); }
    apply();
  });
  main.addEventListener("click", (e) => { if (e.target.dataset.copy) copy(e.target); });
  addEventListener("hashchange", open);
  apply();
  open();

  const live = document.body.dataset.live;
  if (!live) return;
  async function renew() {
    const answer = await fetch(`${live}/sections`);
    if (!answer.ok) return;
    const opened = new Set([...main.querySelectorAll("details[open]")].map((d) => d.id || d.querySelector("summary").textContent.split(" ")[0]));
    const focus = document.activeElement && document.activeElement.id;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const section of fresh.body.querySelectorAll("section")) {
      const old = document.getElementById(section.id);
      if (!old || old.outerHTML === section.outerHTML) continue;
      for (const d of section.querySelectorAll("details")) if (opened.has(d.id)) d.open = true;
      if (old) old.replaceWith(section);
    }
    restore();
    if (focus && document.getElementById(focus)) document.getElementById(focus).focus();
  }
  const events = new EventSource(`${live}/events`);
  events.addEventListener("open", () => { state.textContent = "live"; state.classList.add("on"); });
  events.addEventListener("renew", renew);
  events.addEventListener("state", (e) => { state.textContent = e.data; });
  events.addEventListener("error", () => { state.textContent = "not connected"; state.classList.remove("on"); });
})();
