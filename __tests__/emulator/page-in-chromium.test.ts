import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { findChromium, startChromium } from "../../scripts/chromium.mjs";
import { open, repohost, type Client } from "./client.ts";
import { experiment, upload } from "./upload-body.ts";

type Browser = Awaited<ReturnType<typeof startChromium>>;
type Page = Awaited<ReturnType<Browser["open"]>>;

const binary = findChromium();
if (binary === null)
  process.stderr.write(
    "the emulator's page in Chromium: skipped, since there is no Chromium here (chromium in PATH, or its path in CHROMIUM)\n",
  );

/** The lowest contrast of any text on the page with its background (WCAG 2), and which text that is. */
const LOWEST_CONTRAST = `(() => {
  const parse = (colour) => { const [r, g, b, a = 1] = colour.match(/[\\d.]+/g).map(Number); return { r, g, b, a }; };
  const light = ({ r, g, b }) => [r, g, b].map((one) => one / 255).map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)).reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (element) => { for (let at = element; at; at = at.parentElement) { const colour = parse(getComputedStyle(at).backgroundColor); if (colour.a > 0) return colour; } return { r: 255, g: 255, b: 255 }; };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let lowest = { ratio: 21, text: "" };
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.data.trim() === "" || node.parentElement.closest("option")) continue;
    const [a, b] = [light(parse(getComputedStyle(node.parentElement).color)), light(behind(node.parentElement))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < lowest.ratio) lowest = { ratio, text: node.data.trim() };
  }
  return lowest;
})()`;

async function fill(client: Client): Promise<void> {
  const { id } = await client.create(repohost({ name: "support-agent" }));
  client.running.emulator.advance(1000);
  await client.call("PATCH", `/v2/deployments/${id}`, {
    source_revision_config: {
      repo_ref: "a-very-long-branch-name-without-any-place-to-break-it-over-lines-at-all",
    },
  });
  client.running.emulator.advance(1000);
  for (const score of [0.5, 0.75])
    await upload(
      client,
      experiment({
        dataset_name: "suite",
        results: [{ ...experiment().results[0], evaluation_scores: [{ key: "correct", score }] }],
      }),
    );
  client.running.emulator.advance(1000);
}

(binary === null ? describe.skip : describe)("the emulator's page in Chromium", () => {
  let browser: Browser;
  let client: Client;
  beforeAll(async () => {
    browser = await startChromium(binary!);
    client = await open({
      revisions: [{ revision: 2, outcome: "build-failed", status_message: "no such branch" }],
    });
  });
  afterAll(async () => {
    await client?.running.close();
    await browser?.close();
  });

  async function inPage<T>(
    options: Parameters<Browser["open"]>[0],
    use: (page: Page) => Promise<T>,
  ): Promise<T> {
    const page = await browser.open(options);
    try {
      await page.goto(`${client.running.url}/`);
      return await use(page);
    } finally {
      await page.close();
    }
  }

  test("empty or full, it has a heading for each section in order, its own style and no script", async () => {
    const look = `({ title: document.title, headings: [...document.querySelectorAll("h1, h2, h3")].map((one) => one.textContent), scripts: document.scripts.length, font: getComputedStyle(document.body).maxWidth })`;
    expect(await inPage({}, (page) => page.evaluate(look))).toEqual({
      title: "Emulator: 0 deployments",
      headings: ["Emulator", "Deployments", "Experiments"],
      scripts: 0,
      font: "1024px",
    });
    await fill(client);
    expect(await inPage({}, (page) => page.evaluate(look))).toEqual({
      title: "Emulator: 1 deployments",
      headings: ["Emulator", "Deployments", "support-agent", "Experiments", "Comparison"],
      scripts: 0,
      font: "1024px",
    });
  });

  for (const dark of [false, true]) {
    test(`every text has a contrast of at least 4.5 to 1 in ${dark ? "dark" : "light"} mode`, async () => {
      const lowest = await inPage({ dark }, (page) => page.evaluate(LOWEST_CONTRAST));
      expect(lowest.ratio).toBeGreaterThanOrEqual(4.5);
      expect(
        await inPage({ dark }, (page) =>
          page.evaluate("getComputedStyle(document.body).backgroundColor"),
        ),
      ).toBe(dark ? "rgb(20, 23, 26)" : "rgb(255, 255, 255)");
    });
  }

  test("on a phone nothing is wider than the screen", async () => {
    expect(
      await inPage({ width: 360, height: 640 }, (page) =>
        page.evaluate("document.documentElement.scrollWidth"),
      ),
    ).toBeLessThanOrEqual(360);
  });

  test("on a phone the comparison row by row needs no horizontal scrolling", async () => {
    const widths = `[...document.querySelectorAll(".wide")].map((one) => one.scrollWidth - one.clientWidth)`;
    const found = await inPage({ width: 390, height: 800 }, async (page) => {
      const link = await page.evaluate(
        "[...document.links].find((one) => one.textContent === 'Row by row').href",
      );
      await page.goto(link);
      return {
        over: await page.evaluate(widths),
        labels: await page.evaluate(
          "[...document.querySelectorAll('.rows td')].map((one) => getComputedStyle(one, '::before').content)",
        ),
      };
    });
    expect(found.over).toEqual([0]);
    expect((found.labels as readonly string[])[0]).toBe('"Expected"');
  });

  test("the comparison can be chosen and sent with the keyboard only", async () => {
    const compared = `[...document.querySelectorAll("[aria-label=Comparison] td.n")].map((one) => one.textContent)`;
    const end = await inPage({}, async (page) => {
      const before = await page.evaluate(compared);
      const focusNext = async (tag: string): Promise<void> => {
        for (
          let at = 0;
          at < 20 && (at === 0 || (await page.evaluate("document.activeElement?.tagName")) !== tag);
          at += 1
        )
          await page.press("Tab");
      };
      await focusNext("SELECT");
      await page.press("ArrowUp");
      await focusNext("SELECT");
      await page.press("ArrowDown");
      await focusNext("BUTTON");
      const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
      const labels = await page.evaluate(
        "[...document.querySelectorAll('select')].map((one) => one.labels.length)",
      );
      const tag = await page.evaluate("document.activeElement.tagName");
      await page.pressToLoad("Enter");
      return { tag, outline, labels, before, after: await page.evaluate(compared) };
    });
    expect(end).toEqual({
      tag: "BUTTON",
      outline: "solid",
      labels: [1, 1],
      before: ["0.500", "0.750", "+0.250 better"],
      after: ["0.750", "0.500", "−0.250 worse"],
    });
  });

  test("a failed revision shows the reason", async () => {
    expect(
      await inPage({}, (page) => page.evaluate("document.querySelector('.why').textContent")),
    ).toBe("no such branch");
  });
});
