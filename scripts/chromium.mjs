import { spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
  "--hide-scrollbars",
  "--remote-debugging-pipe",
];

/**
 * Path of a Chromium on this machine: CHROMIUM, else the first of the usual names in PATH; null
 * where there is none.
 */
export function findChromium(env = process.env) {
  if (env.CHROMIUM) return env.CHROMIUM;
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  for (const path of NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      /* not here */
    }
  }
  return null;
}

/** Starts a headless Chromium with an empty profile, driven over a pipe; `close` ends it and removes the profile. */
export async function startChromium(binary) {
  const profile = mkdtempSync(join(tmpdir(), "agent-deploy-chromium-"));
  const child = spawn(binary, [...FLAGS, `--user-data-dir=${profile}`, "about:blank"], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => {
    child.once("exit", resolve);
    child.once("error", resolve);
  });
  const wire = connect(child, ended);
  return {
    /**
     * A blank page; `dark` is what the reader's system prefers, `scale` how many pixels of the
     * picture a CSS pixel takes.
     */
    async open({ width = 880, height = 600, scale = 1, dark = false } = {}) {
      const { targetId } = await wire.send("Target.createTarget", { url: "about:blank" });
      const { sessionId } = await wire.send("Target.attachToTarget", { targetId, flatten: true });
      const send = (method, params) => wire.send(method, params, sessionId);
      await send("Page.enable");
      await send("Emulation.setDeviceMetricsOverride", {
        width,
        height,
        deviceScaleFactor: scale,
        mobile: false,
      });
      await send("Emulation.setEmulatedMedia", {
        features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }],
      });
      return toPage(send, wire, { sessionId, targetId, width, scale });
    },
    async close() {
      await Promise.race([wire.send("Browser.close").catch(() => {}), ended]);
      const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
      await ended;
      clearTimeout(timer);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

function toPage(send, wire, { sessionId, targetId, width, scale }) {
  /** @type {(expression: string) => Promise<any>} */
  const evaluate = async (expression) => {
    const { result, exceptionDetails } = await send("Runtime.evaluate", {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails)
      throw new Error(
        `in the page: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`,
      );
    return result.value;
  };
  return {
    /** The value of a JavaScript expression in the page. */
    evaluate,
    /** Goes to an address, and waits until it is loaded. */
    async goto(url) {
      const loaded = wire.next("Page.loadEventFired", sessionId);
      const { errorText } = await send("Page.navigate", { url });
      if (errorText) throw new Error(`${url}: ${errorText}`);
      await loaded;
    },
    /** Shows this HTML. */
    async show(html) {
      const { frameTree } = await send("Page.getFrameTree");
      await send("Page.setDocumentContent", { frameId: frameTree.frame.id, html });
      await evaluate("document.fonts.ready.then(() => true)");
    },
    /** Presses a key; `Tab` moves the focus. */
    async press(key) {
      for (const type of ["rawKeyDown", "keyUp"])
        await send("Input.dispatchKeyEvent", {
          type,
          key,
          code: key,
          windowsVirtualKeyCode: key === "Tab" ? 9 : 13,
        });
    },
    /** The whole page as a PNG, cut off at `maxHeight` CSS pixels. */
    async picture(maxHeight = Infinity) {
      const height = Math.min(
        maxHeight,
        await evaluate("Math.ceil(document.documentElement.getBoundingClientRect().height)"),
      );
      await send("Emulation.setDeviceMetricsOverride", {
        width,
        height,
        deviceScaleFactor: scale,
        mobile: false,
      });
      const { data } = await send("Page.captureScreenshot", {
        format: "png",
        optimizeForSpeed: false,
      });
      return Buffer.from(data, "base64");
    },
    close: () => wire.send("Target.closeTarget", { targetId }),
  };
}

/** Chrome's DevTools protocol over its pipe: JSON messages, each ended by a zero byte. */
function connect(child, ended) {
  const [, , , input, output] = child.stdio;
  const waiting = new Map();
  const listeners = [];
  let last = 0;
  let rest = Buffer.alloc(0);
  const fail = () => {
    for (const { reject } of waiting.values())
      reject(new Error("Chromium ended before it answered"));
    waiting.clear();
  };
  void ended.then(fail);
  input.on("error", fail);
  output.on("error", fail);
  output.on("data", (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (let at = rest.indexOf(0); at >= 0; at = rest.indexOf(0)) {
      const message = JSON.parse(rest.subarray(0, at).toString("utf8"));
      rest = rest.subarray(at + 1);
      const call = waiting.get(message.id);
      waiting.delete(message.id);
      if (call !== undefined)
        message.error
          ? call.reject(new Error(`${call.method}: ${message.error.message}`))
          : call.resolve(message.result);
      else
        for (const one of listeners.splice(0))
          one.method === message.method && one.sessionId === message.sessionId
            ? one.resolve()
            : listeners.push(one);
    }
  });
  return {
    send: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        last += 1;
        const id = last;
        waiting.set(id, { method, resolve, reject });
        input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      }),
    next: (method, sessionId) =>
      new Promise((resolve) => {
        listeners.push({ method, sessionId, resolve });
      }),
  };
}
