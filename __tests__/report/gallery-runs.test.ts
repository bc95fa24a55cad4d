import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { toSteady, writePage } from "../../scripts/gallery-runs.mjs";
import { SCENES } from "../../scripts/gallery-scenes.mjs";
import { repositoryRoot } from "../support/tree.ts";

const PLAY_MS = 240_000;

describe("the gallery shows what the product says today", () => {
  test.each(Object.keys(SCENES))(
    "%s: its run leaves the page that is there, but for times",
    async (name) => {
      const page = readFileSync(join(repositoryRoot, `docs/gallery/${name}.md`), "utf8");
      expect(toSteady(await writePage(name))).toBe(toSteady(page));
    },
    PLAY_MS,
  );

  test("times are all that is taken away", () => {
    expect(toSteady("a · queued 0 s · build 3 m 2 s ✗ · [Run](x) · took 4 s · plan b</sub>")).toBe(
      "a · [Run](x) · plan b</sub>",
    );
    expect(
      toSteady("build    ██████████✗ 3 s\nthe rest █ 1 s\ndeploy              not reached\nend"),
    ).toBe("end");
    expect(toSteady("    build 3 s FAILED :crit, 386, 3385")).toBe("    build FAILED");
    expect(toSteady("section a\n    build 3 s :done, 386, 3385\nend")).toBe("section a\nend");
    expect(toSteady("| `a` | failed | 3&nbsp;s |")).toBe("| `a` | failed | some time |");
    expect(toSteady("5 changes, 1 secret removed")).toBe("5 changes, 1 secret removed");
  });
});
