import { describe, expect, test } from "@jest/globals";
import { aroundFirstError, causeOf } from "../../src/report/cause.ts";
import { blankDeployment } from "../../src/report/report.ts";

const noise = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `Downloading layer ${at}`);

describe("the kept lines of a log", () => {
  test("are the last ones if none is an error, or the first error is among them", () => {
    expect(aroundFirstError(noise(100), 30)).toEqual(noise(100).slice(-30));
    const late = [...noise(90), "ERROR: no such file", ...noise(9)];
    expect(aroundFirstError(late, 30)).toEqual(late.slice(-30));
    // Just so far back that it fits with the four lines before it.
    const last = [...noise(74), "ERROR: no such file", ...noise(25)];
    expect(aroundFirstError(last, 30)).toEqual(last.slice(-30));
  });

  test("start shortly before an earlier first error, and include the end", () => {
    const kept = aroundFirstError([...noise(50), "ERROR: no such file", ...noise(400)], 30);
    expect(kept).toHaveLength(30);
    expect(kept[4]).toBe("ERROR: no such file");
    expect(kept[21]).toBe("… 376 lines left out …");
    expect(kept.at(-1)).toBe("Downloading layer 399");
    expect(50 + 1 + 400).toBe(46 + 21 + 376 + 8);
  });

  test("are all lines of a short log", () => {
    expect(aroundFirstError(["a", "b"], 30)).toEqual(["a", "b"]);
    expect(aroundFirstError([], 30)).toEqual([]);
  });
});

test.each([
  [["building the image", "the build failed"], "no module named graph", "no module named graph"],
  [["ERROR: Build failed!"], "", null],
  [["RuntimeError: payment step failed"], "exit 1", "RuntimeError: payment step failed"],
  [["Error: the nightly job failed."], "exit 1", "the nightly job failed."],
  [
    ["the build failed: no space left on device"],
    "out of disk",
    "the build failed: no space left on device",
  ],
  [["ModuleNotFoundError: graph", "the build failed"], "exit 1", "ModuleNotFoundError: graph"],
])(
  "of a log that ends %j and the service's reason %j the cause is %j",
  (log_tail, cause, shown) => {
    expect(causeOf({ ...blankDeployment("web"), reason: "BUILD_FAILED", log_tail, cause })).toBe(
      shown,
    );
  },
);
