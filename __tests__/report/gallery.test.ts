import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { load } from "js-yaml";
import { SECTIONS, picturesOf, renderIndex } from "../../scripts/gallery-index.mjs";
import { SCENARIO, fill, toFingerprint, toHtml } from "../../scripts/gallery-scene.mjs";
import { SCENES } from "../../scripts/gallery-scenes.mjs";
import type { ServerOptions } from "../../src/emulator/server.ts";
import { startTestEmulator } from "../support/emulator-process.ts";
import { repositoryRoot } from "../support/tree.ts";

const MAKE = "the picture shows what was, not what is: npm run gallery";
const gallery = join(repositoryRoot, "docs/gallery");
const manifest = JSON.parse(readFileSync(join(gallery, "manifest.json"), "utf8")) as Readonly<
  Record<string, string>
>;
const reports = readdirSync(gallery)
  .filter((name) => name.endsWith(".md") && name !== "README.md" && name !== "peers.md")
  .map((name) => name.slice(0, -3));

describe("the pictures of docs/gallery", () => {
  test("are those of the manifest, and each is in the index", () => {
    const pictures = readdirSync(gallery)
      .filter((name) => name.endsWith(".png"))
      .map((name) => name.slice(0, -4))
      .sort();
    expect(Object.keys(manifest).sort()).toEqual(pictures);
    const index = readFileSync(join(gallery, "README.md"), "utf8");
    expect(index).toBe(renderIndex());
    expect(pictures.filter((name) => !index.includes(`"${name}.png"`))).toEqual([]);
  });

  test("show every scene, and no other", () => {
    const listed = SECTIONS.flatMap(({ scenes }) => scenes.map(([name]) => name)).sort();
    expect(listed).toEqual(Object.keys(SCENES).sort());
    expect(reports).toEqual(listed);
  });

  test.each(reports)("%s was made from the report as it is rendered today", (name) => {
    const made = toFingerprint(toHtml(readFileSync(join(gallery, `${name}.md`), "utf8")));
    for (const view of picturesOf(name)) expect(made === manifest[view] ? "" : MAKE).toBe("");
  });

  test("the emulator's page, empty and full, was made from the page as it is today", async () => {
    const { url } = await startTestEmulator(load(SCENARIO) as ServerOptions);
    const page = async (): Promise<string> => toFingerprint(await (await fetch(`${url}/`)).text());
    const [empty, full] = [await page(), await fill(url).then(page)];
    expect(
      [manifest["emulator-page-empty"], manifest["emulator-page-empty-dark"]].every(
        (one) => one === empty,
      )
        ? ""
        : MAKE,
    ).toBe("");
    expect(
      [manifest["emulator-page-full"], manifest["emulator-page-full-dark"]].every(
        (one) => one === full,
      )
        ? ""
        : MAKE,
    ).toBe("");
  });
});
