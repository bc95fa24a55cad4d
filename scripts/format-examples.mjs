// The example files of examples/results, by format: small ones that hold all that a format can.
import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../examples/results/", import.meta.url);

/** @type {Readonly<Record<string, readonly { readonly name: string, readonly text: string }[]>>} */
export const FORMAT_EXAMPLES = Object.fromEntries(
  readdirSync(folder).map((format) => [
    format,
    readdirSync(new URL(`${format}/`, folder)).map((name) => ({
      name,
      text: readFileSync(new URL(`${format}/${name}`, folder), "utf8"),
    })),
  ]),
);
