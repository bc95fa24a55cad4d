import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { toSteady, writePage } from "../../scripts/gallery-runs.mjs";
import { SCENES } from "../../scripts/gallery-scenes.mjs";
import { keptCode } from "../support/child.ts";
import { repositoryRoot } from "../support/tree.ts";

const PLAY_MS = 600_000;
/** Most of a scene is waiting. */
const AT_ONCE = 4;
const pages = new Map<string, string | Error>();

describe("the gallery shows what the product says today", () => {
  beforeAll(async () => {
    // The last ones take longest.
    const open = Object.keys(SCENES);
    const work = async (): Promise<void> => {
      for (let name = open.pop(); name !== undefined; name = open.pop())
        pages.set(name, await writePage(name, keptCode).catch((error: unknown) => error as Error));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }, PLAY_MS);

  test.each(Object.keys(SCENES))(
    "%s: its run produces the published page, except for times",
    (name) => {
      const page = pages.get(name);
      if (page === undefined || page instanceof Error) throw page ?? new Error("was not played");
      const kept = readFileSync(join(repositoryRoot, `docs/gallery/${name}.md`), "utf8");
      expect(toSteady(page)).toBe(toSteady(kept));
    },
  );

  test("only times are removed", () => {
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
