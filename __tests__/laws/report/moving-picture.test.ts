import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { linesOf, recordDemo, renderDemo } from "../../../scripts/demo-picture.mjs";
import { repositoryRoot } from "../../support/tree.ts";

describe("the moving picture of the demo", () => {
  const pictures = ["demo.svg", "demo-dark.svg"].map((name) =>
    readFileSync(join(repositoryRoot, "docs/gallery", name), "utf8"),
  );

  test("shows what the demo prints today, line by line", async () => {
    // Which statuses a look meets on the way, and which of two deployments is made first, depends on the machine.
    const steady = (picture: string): readonly string[] =>
      linesOf(picture)
        .filter((line) => !/: [A-Z_]+ after /.test(line))
        .map((line) =>
          line.replace(/\b0[0-9a-f]{2,}-?…|\b[0-9a-f]{8}(?:-[0-9a-f]{4,12}){4}\b/g, "ID"),
        )
        .toSorted();
    const shown = steady(renderDemo(await recordDemo(), "light"));
    for (const picture of pictures) expect(steady(picture)).toEqual(shown);
  });
});
