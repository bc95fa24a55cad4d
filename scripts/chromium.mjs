import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/** As root, in a container and without a network: what Chromium needs there besides Playwright's own flags. */
const FLAGS = ["--no-sandbox", "--disable-quic"];

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

/** Starts that Chromium without a window, with an empty profile. */
export async function startChromium(executablePath) {
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  return {
    /**
     * A blank page; `dark` is what the reader's system prefers, `scale` how many pixels of the
     * picture a CSS pixel takes.
     */
    open: async ({ width = 880, height = 600, scale = 1, dark = false } = {}) =>
      toPage(
        await browser.newPage({
          viewport: { width, height },
          deviceScaleFactor: scale,
          colorScheme: dark ? "dark" : "light",
        }),
      ),
    close: () => browser.close(),
  };
}

function toPage(page) {
  return {
    /** The value of a JavaScript expression in the page. @type {(expression: string) => Promise<any>} */
    evaluate: (expression) => page.evaluate(expression),
    /** Runs a script whose variables are the page's. */
    run: (content) => page.addScriptTag({ content }),
    /** Goes to an address, and waits until it is loaded. */
    goto: (url) => page.goto(url),
    /** Shows this HTML. */
    async show(html) {
      await page.setContent(html);
      await page.evaluate("document.fonts.ready.then(() => true)");
    },
    /** Presses a key; `Tab` moves the focus. */
    press: (key) => page.keyboard.press(key),
    /** Presses a key that leads to another page, and waits until that is loaded. */
    async pressToLoad(key) {
      const loaded = page.waitForEvent("load");
      await page.keyboard.press(key);
      await loaded;
    },
    /** The whole page as a PNG, cut off at `maxHeight` CSS pixels. */
    async picture(maxHeight = Infinity) {
      const { width } = page.viewportSize();
      const whole = "Math.ceil(document.documentElement.getBoundingClientRect().height)";
      const height = Math.min(maxHeight, await page.evaluate(whole));
      await page.setViewportSize({ width, height });
      return page.screenshot();
    },
    close: () => page.close(),
  };
}
