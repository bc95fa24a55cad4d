import { renderFrame } from "./page-frame.ts";

/** Shows the page again whenever something happened; what is open stays open. */
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

/** The page at `/_emulator/live`: the page at `/`, kept up to date by server-sent events. */
export function renderLivePage(): string {
  return renderFrame(
    "Emulator, live",
    `<header><h1>Emulator</h1><p><span id="state" role="status">connecting</span> <span class="dim"><a href="/">without a script</a></span></p></header><main></main><script>${SCRIPT}</script>`,
  );
}

/** Nothing is loaded from elsewhere, and nothing but this page's own script runs. */
export const LIVE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; form-action 'self'";
