import { expect, test } from "@jest/globals";
import { MARKER_KEY, readMarker } from "../../src/experiment/marker.ts";

const WHOLE = { version: 1, complete: true, rows: 3 };
const readFrom = (marker: object) => readMarker({ [MARKER_KEY]: marker });

test("a marker's empty texts and other types are read as null, and any other text is kept", () => {
  const texts = { branch: "x", commit: "", model: 7 };
  expect(readFrom({ ...WHOLE, ...texts })).toMatchObject({
    branch: "x",
    commit: null,
    model: null,
    run: null,
    label: "",
  });
});

test("a marker of another version, or without its rows, is ignored", () => {
  expect(readFrom({ ...WHOLE, version: 2 })).toBeNull();
  expect(readFrom({ version: 1, complete: true })).toBeNull();
  expect(readMarker({})).toBeNull();
});
