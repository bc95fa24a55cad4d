import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { load } from "js-yaml";
import { PICTURED, SECTIONS, picturesOf, renderIndex } from "../../scripts/gallery-index.mjs";
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
  .filter((name) => name.endsWith(".md") && name !== "README.md")
  .map((name) => name.slice(0, -3));

describe("the pictures of docs/gallery", () => {
  test("are those of the manifest, and all are in the index", () => {
    const pictures = readdirSync(gallery)
      .filter((name) => name.endsWith(".png"))
      .map((name) => name.slice(0, -4))
      .sort();
    expect(Object.keys(manifest).sort()).toEqual(pictures);
    const index = readFileSync(join(gallery, "README.md"), "utf8");
    expect(index).toBe(renderIndex());
    expect(pictures.filter((name) => !index.includes(`"${name}.png"`))).toEqual([]);
  });

  test("show exactly the scenes", () => {
    const listed = SECTIONS.flatMap(({ scenes }) => scenes.map(([name]) => name)).sort();
    expect(listed).toEqual(Object.keys(SCENES).sort());
    expect(reports).toEqual(listed);
  });

  test("include all pictures that the README shows", () => {
    const readme = readFileSync(join(repositoryRoot, "README.md"), "utf8");
    const shown = [...readme.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, path = ""]) => path);
    expect(shown.length).toBeGreaterThan(4);
    for (const path of shown) {
      const [, name = "", type] = /^docs\/gallery\/([\w-]+)\.(png|svg)$/.exec(path) ?? [];
      expect([path, type === "svg" ? /^demo(?:-dark)?$/.test(name) : name in manifest]).toEqual([
        path,
        true,
      ]);
    }
  });

  test.each(PICTURED)("include %s as the report is rendered today", (name) => {
    const made = toFingerprint(toHtml(readFileSync(join(gallery, `${name}.md`), "utf8")));
    for (const view of picturesOf(name)) expect(made === manifest[view] ? "" : MAKE).toBe("");
  });

  test("include the emulator's page as it is today", async () => {
    const { url } = await startTestEmulator(load(SCENARIO) as ServerOptions);
    await fill(url);
    const full = toFingerprint(await (await fetch(`${url}/`)).text());
    for (const name of ["emulator-page-full", "emulator-page-full-dark"])
      expect(manifest[name] === full ? "" : MAKE).toBe("");
  });
});

describe("the animated picture of the demo", () => {
  const pictures = ["demo.svg", "demo-dark.svg"].map((name) =>
    readFileSync(join(gallery, name), "utf8"),
  );

  test("runs no script, and loads nothing from the network", () => {
    for (const picture of pictures) {
      expect(picture).not.toMatch(/<script|\son\w+=|href|url\(http|@import|<image|<foreignObject/i);
      expect(picture.length).toBeLessThan(60_000);
    }
  });
});
