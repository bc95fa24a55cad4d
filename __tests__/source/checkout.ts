import { execFileSync } from "node:child_process";
import { readCheckoutSource, type SourceRead } from "../../src/source/checkout-source.ts";
import { createTree, type Tree } from "../support/tree.ts";

/** The value of a secret that must not be packed. */
export const SECRET = "s3cr3t-value-1";

/** The checkout of a tree, with one secret. */
export async function read(
  tree: Tree,
  more: Partial<Parameters<typeof readCheckoutSource>[0]> = {},
) {
  return readCheckoutSource({
    checkout: tree.path,
    cwd: tree.path,
    configPath: undefined,
    folder: undefined,
    paths: [],
    secrets: [{ name: "API_TOKEN", value: SECRET }],
    ours: [],
    trackedFiles: async () => [],
    temporary: undefined,
    signal: new AbortController().signal,
    ...more,
  });
}

/** The names in the archive, read by tar; the reasons where it is refused. */
export async function outcome(end: SourceRead): Promise<{ packed?: string[]; refused?: string }> {
  if (end.state === "refused")
    return { refused: end.problems.map(({ message }) => message).join(" | ") };
  const { read: bytes } = await end.source.open();
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes()) chunks.push(chunk);
  const listed = execFileSync("tar", ["-tzf", "-", "--quoting-style=literal"], {
    input: Buffer.concat(chunks),
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C.UTF-8" },
  });
  return { packed: listed.split("\n").filter(Boolean) };
}

/** The smallest agent, with more files. */
export const agent = (files: Readonly<Record<string, string>> = {}): Tree =>
  createTree({ "langgraph.json": "{}", "a.py": "1", ...files });
