/** Escapes text for HTML. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);

const STYLE = `
:root{color-scheme:light dark;--fg:#1c2024;--dim:#5b6470;--bg:#fff;--line:#d5dae0;--soft:#f4f6f8;--ok:#116329;--bad:#a40e26;--run:#0550ae}
@media(prefers-color-scheme:dark){:root{--fg:#e6e9ec;--dim:#9aa4af;--bg:#14171a;--line:#363c43;--soft:#1d2226;--ok:#5fd07f;--bad:#ff8f99;--run:#7ab8ff}}
body{margin:0 auto;max-width:64rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg)}
h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.2rem;margin:2rem 0 .5rem}h3{font-size:1.05rem;margin:0}p{margin:.3rem 0}
a{color:var(--run)}article{border:1px solid var(--line);border-radius:.5rem;padding:.8rem 1rem;margin:.8rem 0}
.dim{color:var(--dim);font-size:.875rem}.why{color:var(--bad);font-size:.875rem;margin:0}.nw{white-space:nowrap}code{font-size:.875rem;overflow-wrap:anywhere}
ol.runs{list-style:none;padding:0;margin:.6rem 0 0}ol.runs>li{border-top:1px solid var(--line);padding:.5rem 0}
ol.line{display:flex;flex-wrap:wrap;gap:.25rem;list-style:none;padding:0;margin:.3rem 0 0}
ol.line li{background:var(--soft);border-left:.25rem solid var(--run);padding:.1rem .5rem;font-size:.8rem}
ol.line li.ok{border-color:var(--ok)}ol.line li.bad{border-color:var(--bad)}
details{margin:.4rem 0}summary{cursor:pointer;font-size:.875rem;color:var(--dim)}pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.8rem;margin:.3rem 0}
.bar{display:flex;height:.5rem;margin:.3rem 0;background:var(--soft)}.bar span{background:var(--run);border-right:1px solid var(--bg);min-width:1px}.bar span.ok{background:var(--ok)}.bar span.bad{background:var(--bad)}
b.ok{color:var(--ok)}b.bad{color:var(--bad)}b.run{color:var(--run)}
form{margin-bottom:.6rem;display:flex;flex-wrap:wrap;gap:.6rem;align-items:end}label{display:grid;font-size:.875rem}select{max-width:80vw}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line)}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
.rows th,.rows td{vertical-align:top}.rows code{white-space:pre-wrap}.rows th code{font-weight:normal}
@media(max-width:40rem){.rows thead{display:none}.rows tr,.rows th,.rows td{display:block}.rows th,.rows td{border:0;padding:.2rem 0}.rows tr{border-bottom:1px solid var(--line);padding:.5rem 0}.rows td::before{content:attr(data-label);display:block;color:var(--dim);font-size:.8rem}}
button,select{font:inherit;padding:.25rem .6rem}:focus-visible{outline:2px solid var(--run);outline-offset:2px}
`;

/** A whole page around a body, in the emulator's style. */
export const renderFrame = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>
${body}</body></html>`;

/** A table that scrolls on narrow screens; its last columns may be numbers. */
export function renderTable(
  label: string,
  heads: readonly string[],
  rows: readonly string[],
  { kind = "", numbers = 0 } = {},
): string {
  const cells = heads.map((head, i) => {
    const mark = i < heads.length - numbers ? "" : ' class="n"';
    return `<th scope="col"${mark}>${head}</th>`;
  });
  const mark = kind === "" ? "" : ` class="${kind}"`;
  return `<div class="wide" tabindex="0" role="region" aria-label="${label}"><table${mark}><thead><tr>${cells.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

/** Refreshes the page after every event; open parts stay open. */
const SCRIPT = `
const view = document.querySelector("main");
const show = async () => {
  const open = [...view.querySelectorAll("details")].map((one) => one.open);
  const text = await (await fetch("/?" + new URLSearchParams(location.search))).text();
  const fresh = new DOMParser().parseFromString(text, "text/html").querySelector("main");
  view.replaceChildren(...fresh.childNodes);
  view.querySelectorAll("details").forEach((one, i) => { one.open = open[i] === true; });
};
let due = 0;
const soon = () => { clearTimeout(due); due = setTimeout(show, 150); };
const events = new EventSource("/_emulator/events");
events.onmessage = soon;
events.onopen = () => { document.querySelector("#state").textContent = "live"; soon(); };
events.onerror = () => { document.querySelector("#state").textContent = "not connected"; };
`;

/** The page at `/_emulator/live`: the page at `/`, updated by server-sent events. */
export function renderLivePage(): string {
  return renderFrame(
    "Emulator, live",
    `<header><h1>Emulator</h1><p><span id="state" role="status">connecting</span> <span class="dim"><a href="/">without a script</a></span></p></header><main></main><script>${SCRIPT}</script>`,
  );
}

/** Nothing is loaded from elsewhere, and only this page's own script runs. */
export const LIVE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; form-action 'self'";
