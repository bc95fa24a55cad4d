// Bundles one file by ncc and minifies what comes out by swc: how dist/ is made of entries/main.js.
import { basename } from "node:path";
import { minify } from "@swc/core";
import ncc from "@vercel/ncc";

/** Stack traces keep the names of functions; a file of plain ASCII is held in half the memory. */
const MINIFY = {
  compress: { keep_fnames: true, keep_classnames: true },
  mangle: { keep_fnames: true, keep_classnames: true },
  format: { comments: /** @type {const} */ (false), asciiOnly: true },
};

/**
 * The files of the bundle, by name; the first has the entry's name.
 * @param {string} entry
 * @returns {Promise<Record<string, string>>}
 */
export async function bundle(entry) {
  const { code, assets } = await ncc(entry, {
    cache: false,
    license: "licenses.txt",
    target: "es2022",
    quiet: true,
  });
  /** @type {Record<string, string>} */
  const files = { [basename(entry)]: code };
  for (const [name, { source }] of Object.entries(assets)) files[name] ??= String(source);
  for (const [name, text] of Object.entries(files))
    if (name.endsWith(".js")) files[name] = (await minify(text, MINIFY)).code;
  return files;
}
