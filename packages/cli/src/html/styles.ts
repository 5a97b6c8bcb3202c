import { HEAT_RAMP, heatGradient } from './heat-ramp.ts';

const LIGHT = `
  color-scheme: light;
  --ground: #f3f4f6; --surface: #ffffff; --raised: #f8f9fa; --line: #dcdfe4; --line-strong: #868e99;
  --text: #15181d; --muted: #545c68; --accent: #1f55cf; --accent-text: #ffffff; --accent-soft: #e6edfc;
  --contact: #cf1f2b; --contact-soft: #fdebec; --calm: #14734a; --calm-soft: #e5f5ec;
  --warn: #8a4b00; --warn-soft: #fff1da; --bar-none: #b9c0c9; --band: #f4f5f7;
  --view-top: #fbfcfd; --view-bottom: #dfe3e8; --solid: #b3bbc6; --grid: #8b95a1;`;

const DARK = `
  color-scheme: dark;
  --ground: #0d1014; --surface: #15191f; --raised: #1b2027; --line: #2a313a; --line-strong: #6b7684;
  --text: #e9ecf0; --muted: #a3adb9; --accent: #86abff; --accent-text: #0b1220; --accent-soft: #1c2a47;
  --contact: #ff666c; --contact-soft: #3a1a1e; --calm: #4cd596; --calm-soft: #12301f;
  --warn: #ffc169; --warn-soft: #35270f; --bar-none: #434c57; --band: #1a1f26;
  --view-top: #262c35; --view-bottom: #101318; --solid: #8f99a6; --grid: #5c6672;`;

/** The report's only style sheet. Theme: the reader's system, unless `data-theme` on <html> says otherwise. */
export const STYLES = `
:root {${LIGHT}
  --radius: 10px; --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
}
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) {${DARK} } }
:root[data-theme="dark"] {${DARK} }

* { box-sizing: border-box; }
html { background: var(--ground); -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; max-width: 1800px; padding: 14px 20px 24px; color: var(--text); background: var(--ground);
  font: 14px/1.45 var(--sans); font-variant-numeric: tabular-nums;
}
h1, h2, p, dl, dd, table { margin: 0; }
h1 { font-size: 27px; line-height: 1.2; font-weight: 650; letter-spacing: -0.012em; }
h2 { font-size: 14px; font-weight: 650; }
button, select { font: inherit; color: inherit; }
button { cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
[hidden] { display: none !important; }
.quiet { color: var(--muted); }
.unseen {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
.card { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); }

.button {
  display: inline-flex; align-items: center; justify-content: center; gap: 6px; min-height: 32px; padding: 3px 11px;
  background: var(--surface); border: 1px solid var(--line); border-radius: 7px; white-space: nowrap;
}
.button:hover { border-color: var(--line-strong); }
.button[aria-pressed="true"] { background: var(--accent-soft); border-color: var(--accent); color: var(--accent); }
.button:disabled { opacity: 0.45; cursor: default; }
.button svg { width: 16px; height: 16px; fill: currentColor; flex: none; }
.icon { width: 34px; padding: 0; }
.group { display: inline-flex; }
.group .button { border-radius: 0; margin-left: -1px; }
.group .button:first-child { border-radius: 7px 0 0 7px; margin-left: 0; }
.group .button:last-child { border-radius: 0 7px 7px 0; }
.group .button[aria-pressed="true"] { position: relative; z-index: 1; }
.link {
  padding: 0; border: 0; background: none; color: var(--accent); text-align: left; text-decoration: underline;
  text-decoration-color: color-mix(in srgb, var(--accent) 45%, transparent); text-underline-offset: 3px;
}
.link:hover { text-decoration-color: currentColor; }

.top { display: flex; gap: 16px; align-items: flex-start; margin-bottom: 12px; }
.top > div { flex: 1; min-width: 0; }
.files { color: var(--muted); overflow-wrap: anywhere; margin-bottom: 2px; }
.verdict { display: flex; align-items: center; gap: 12px; }
.verdict svg { width: 30px; height: 30px; flex: none; }
.touching .verdict svg { color: var(--contact); }
.calm .verdict svg { color: var(--calm); }
.touching h1 b { color: var(--contact); font-weight: inherit; }
.calm h1 b { color: var(--calm); font-weight: inherit; }
.details { margin-top: 4px; color: var(--muted); overflow-wrap: anywhere; }
.details span:not(:last-child)::after { content: "·"; margin: 0 8px; }
.notice {
  margin: 0 0 12px; padding: 8px 12px; border-radius: var(--radius); background: var(--warn-soft);
  color: var(--warn); border: 1px solid color-mix(in srgb, var(--warn) 35%, transparent);
}

main {
  display: grid; grid-template: "view side" minmax(360px, calc(100vh - 352px)) "time time" auto /
    minmax(0, 1fr) clamp(360px, 31vw, 500px); gap: 12px;
}
.view { grid-area: view; }
.side { grid-area: side; }
.time { grid-area: time; }
.view { position: relative; overflow: hidden; background: linear-gradient(var(--view-top), var(--view-bottom)); }
.view canvas { display: block; width: 100%; height: 100%; touch-action: none; cursor: grab; border-radius: inherit; }
.view canvas:active { cursor: grabbing; }
.view canvas:focus-visible { outline-offset: -3px; }
.tools { position: absolute; inset: 10px 10px auto; display: flex; flex-wrap: wrap; gap: 8px; pointer-events: none; }
.tools > * { pointer-events: auto; }
.tools .push { margin-left: auto; }
.legend, .hint, .picked {
  position: absolute; padding: 5px 10px; border-radius: 7px; font-size: 12.5px; max-width: calc(100% - 20px);
  background: color-mix(in srgb, var(--surface) 86%, transparent);
}
.legend { left: 10px; bottom: 10px; display: flex; flex-wrap: wrap; align-items: center; gap: 4px 14px; }
.legend span { display: inline-flex; align-items: center; gap: 6px; }
.swatch { display: inline-block; width: 13px; height: 13px; border-radius: 3px; flex: none; }
.swatch.contact { background: #e0333c; }
.swatch.chosen { background: #ffb224; }
.swatch.most { background: ${HEAT_RAMP[HEAT_RAMP.length - 1]}; }
.swatch.solid { background: var(--solid); }
.ramp { width: 130px; height: 11px; border-radius: 3px; background: linear-gradient(90deg, ${heatGradient()}); }
.hint { right: 10px; bottom: 10px; color: var(--muted); }
.picked { left: 10px; bottom: 48px; border: 1px solid var(--line); }
.no-view { position: absolute; inset: 0; display: grid; place-content: center; gap: 6px; padding: 24px; text-align: center; }

.side { display: flex; flex-direction: column; min-height: 0; overflow: hidden; }
.tabs { display: flex; gap: 4px; padding: 6px 8px 0; border-bottom: 1px solid var(--line); }
.tabs button {
  flex: none; padding: 6px 10px 7px; border: 0; background: none; color: var(--muted);
  border-bottom: 2px solid transparent; margin-bottom: -1px; border-radius: 6px 6px 0 0;
}
.tabs button:hover { color: var(--text); }
.tabs button[aria-selected="true"] { color: var(--text); font-weight: 650; border-bottom-color: var(--accent); }
.tabs button:focus-visible { outline-offset: -2px; }
.panel { flex: 1; min-height: 0; overflow: auto; }
.panel:focus-visible { outline-offset: -2px; }
.empty { padding: 28px 18px; text-align: center; color: var(--muted); }
.more { padding: 8px 12px; color: var(--muted); font-size: 12.5px; }

table { width: 100%; border-collapse: collapse; }
.side table { table-layout: fixed; font-size: 13px; }
.side th:nth-child(2) { width: 70px; }
.side th:nth-child(3) { width: 84px; }
.side th:nth-child(4) { width: 58px; }
.side th.wide { width: 124px; }
.side th:last-child, .side td:last-child { padding-right: 14px; }
th, td { padding: 6px 6px 6px 12px; text-align: left; vertical-align: top; }
th { position: sticky; top: 0; z-index: 1; background: var(--surface); font-weight: 600; font-size: 12.5px; color: var(--muted); }
th::after { content: ""; position: absolute; inset: auto 0 0; border-bottom: 1px solid var(--line); }
th button { padding: 0; border: 0; background: none; font-weight: 600; white-space: nowrap; }
th button:hover { color: var(--text); }
th[aria-sort] button { color: var(--text); }
th[aria-sort="descending"] button::after { content: " \\2193"; }
th[aria-sort="ascending"] button::after { content: " \\2191"; }
.number { padding-left: 4px; text-align: right; white-space: nowrap; }
tbody tr + tr td { border-top: 1px solid color-mix(in srgb, var(--line) 60%, transparent); }
tbody tr.row { cursor: pointer; }
tbody tr.row:hover { background: var(--raised); }
tbody tr.row[aria-current="true"] { background: var(--accent-soft); }
.row .link { color: inherit; text-decoration: none; overflow-wrap: anywhere; }
.row:hover .link { text-decoration: underline; text-decoration-color: var(--line-strong); }
.mesh { color: var(--muted); }
.other { display: block; }
.with { color: var(--muted); padding-right: 4px; }
.share { display: block; height: 4px; margin-top: 4px; border-radius: 2px; background: var(--contact); }

.time { padding: 8px 12px 6px; }
.transport { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; }
.now { flex: 1; min-width: 220px; }
.now strong { font-weight: 650; }
.now .count { color: var(--contact); font-weight: 650; }
.now .count.none { color: var(--muted); font-weight: 400; }
.transport label { display: inline-flex; align-items: center; gap: 6px; color: var(--muted); }
.transport select {
  min-height: 32px; max-width: 240px; padding: 2px 6px; border: 1px solid var(--line); border-radius: 7px;
  background: var(--surface); color: var(--text);
}
.tick { display: inline-block; width: 2px; height: 9px; margin-right: 7px; background: var(--accent); }
.chart { position: relative; height: 124px; margin-top: 6px; border-radius: 6px; touch-action: pan-y; cursor: pointer; }
.chart canvas { display: block; width: 100%; height: 100%; border-radius: inherit; }
.tip {
  position: absolute; top: 4px; padding: 3px 8px; border-radius: 6px; pointer-events: none; white-space: nowrap;
  background: var(--text); color: var(--surface); font-size: 12.5px; z-index: 2;
}

.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(300px, 1fr)); gap: 12px; margin-top: 12px; }
.facts section { padding: 12px 16px 14px; min-width: 0; }
.facts dl { display: grid; grid-template-columns: minmax(110px, max-content) minmax(0, 1fr); gap: 3px 18px; margin-top: 8px; }
.facts dt { color: var(--muted); }
.facts dd { overflow-wrap: anywhere; }
.facts table { margin-top: 6px; }
.facts th, .facts td { padding: 3px 0; position: static; }
.facts th::after { content: none; }
.scroll { max-height: 300px; overflow: auto; }
.foot { margin-top: 14px; color: var(--muted); font-size: 12.5px; }

@media (max-width: 960px) {
  body { padding: 12px 12px 20px; }
  h1 { font-size: 23px; }
  main { grid-template: "view" clamp(320px, 50vh, 640px) "time" auto "side" auto / minmax(0, 1fr); }
  .side { max-height: 420px; }
  .hint { display: none; }
  .button { min-height: 38px; }
  .icon { width: 40px; }
}
@media (prefers-reduced-motion: no-preference) {
  .button, tbody tr.row { transition: background-color 0.12s, border-color 0.12s; }
}
@media print {
  html:root:root:root {${LIGHT} --ground: #fff; --view-bottom: #f1f3f5; }
  body { padding: 0; max-width: none; }
  .top .button, .tools, .hint, .tip, .picked, .transport .group, .transport label, .tabs { display: none; }
  main { display: block; }
  main > * { margin-bottom: 12px; }
  .view { height: 380px; break-inside: avoid; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .side, .panel { overflow: visible; max-height: none; border: 0; }
  #panel-regions { display: block !important; }
  #panel-frame { display: none !important; }
  .time, .facts section, tr { break-inside: avoid; }
  .share, .swatch, .ramp { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  th { position: relative; }
  .scroll { max-height: none; }
}
`;
