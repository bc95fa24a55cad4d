import { readHead } from "../../src/experiment/formats/head.ts";
import { draftMapping } from "../../src/experiment/formats/mapping-draft.ts";
import { memoryFile } from "./memory-file.ts";

/** What a draft says about a file, and its mapping; each is empty where there is none. */
export async function draftFor(
  name: string,
  text: string,
): Promise<readonly [said: string, mapping: string]> {
  const head = await readHead(memoryFile(name, text));
  const [said = "", mapping = ""] = draftMapping(head).split(/(?:^|; )a mapping to start from: /);
  return [said, mapping];
}

/** The draft for a table, given as text, or for a JSON document. */
export const draftOf = async (file: unknown): ReturnType<typeof draftFor> =>
  typeof file === "string" ? draftFor("a.csv", file) : draftFor("a.json", JSON.stringify(file));
