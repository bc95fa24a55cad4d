import { expect, test } from "@jest/globals";
import { findChromium, startChromium } from "../../../scripts/chromium.mjs";
import { hasMermaid, parseMermaid } from "../../../scripts/mermaid.mjs";
import { renderSummary } from "../../../src/report/markdown.ts";
import { diagramsOf, named } from "../../report/diagrams.ts";
import { HOSTILE } from "../../report/hostile-corpus.ts";

const missing = [
  ...(findChromium() === null ? ["no Chromium"] : []),
  ...(hasMermaid() ? [] : ["no Mermaid: npm run gallery fetches it"]),
].join(", ");
(missing === "" ? test : test.skip)(
  `Mermaid accepts every diagram with every name of the corpus${missing === "" ? "" : `, skipped: ${missing}`}`,
  async () => {
    const sources = HOSTILE.flatMap((text) => diagramsOf(renderSummary(named(text))));
    expect(sources.length).toBeGreaterThan(600);
    const browser = await startChromium(findChromium()!);
    try {
      const page = await browser.open();
      expect(await parseMermaid(page, ["xychart-beta\n  line oops", ...sources])).toEqual([0]);
    } finally {
      await browser.close();
    }
  },
);
