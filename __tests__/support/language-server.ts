import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { nodeUnderTest } from "./child.ts";

/** A problem as an editor shows it: `line:column-line:column message`, counted from 1. */
export type Diagnostic = string;
export interface Completion {
  readonly label: string;
  readonly documentation: string;
}

/** yaml-language-server as an editor drives it, over stdio. */
export interface LanguageServer {
  /** Opens a file of the workspace with this text, and resolves with the first problems that the server reports. */
  readonly open: (name: string, text: string) => Promise<readonly Diagnostic[]>;
  /** What is offered at a place of an open file; lines and columns count from 1. */
  readonly complete: (name: string, line: number, column: number) => Promise<readonly Completion[]>;
  readonly hover: (name: string, line: number, column: number) => Promise<string>;
  readonly close: () => Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}
interface Place {
  readonly line: number;
  readonly character: number;
}
interface Published {
  readonly uri: string;
  readonly diagnostics: readonly {
    readonly range: { readonly start: Place; readonly end: Place };
    readonly message: string;
  }[];
}

/** Settings of the editor: no catalogue from the network. */
const SETTINGS: Readonly<Record<string, unknown>> = {
  yaml: { schemaStore: { enable: false }, validate: true, hover: true, completion: true },
};
const CAPABILITIES = {
  textDocument: {
    completion: { completionItem: { documentationFormat: ["markdown"] } },
    hover: { contentFormat: ["markdown"] },
    publishDiagnostics: {},
  },
  workspace: { configuration: true },
};

/** Cuts a byte stream into messages: a header with Content-Length, an empty line, JSON. */
function createReader(receive: (message: Message) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = rest.indexOf("\r\n\r\n");
      if (head < 0) return;
      const end =
        head + 4 + Number(/Content-Length: (\d+)/i.exec(rest.subarray(0, head).toString())![1]);
      if (rest.length < end) return;
      receive(JSON.parse(rest.subarray(head + 4, end).toString()) as Message);
      rest = rest.subarray(end);
    }
  };
}

/** Starts the server for a workspace folder. */
export async function startLanguageServer(folder: string): Promise<LanguageServer> {
  const home = dirname(createRequire(import.meta.url).resolve("yaml-language-server/package.json"));
  const child = spawn(nodeUnderTest, [join(home, "bin/yaml-language-server"), "--stdio"], {
    cwd: folder,
    env: { HOME: folder },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => {
    child.once("close", resolve);
  });
  const answers = new Map<number, (message: Message) => void>();
  const published = new Map<string, (told: Published) => void>();
  let requests = 0;
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  child.stdout.on(
    "data",
    createReader((message) => {
      const { id, method, params } = message;
      if (id !== undefined && method === "workspace/configuration")
        send({
          id,
          result: (params as { items: { section?: string }[] }).items.map(
            ({ section }) => SETTINGS[section ?? ""] ?? null,
          ),
        });
      else if (id !== undefined && method !== undefined) send({ id, result: null });
      else if (id !== undefined) answers.get(id)?.(message);
      else if (method === "textDocument/publishDiagnostics")
        published.get((params as Published).uri)?.(params as Published);
    }),
  );
  const ask = (method: string, params: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++requests;
      answers.set(id, ({ result, error }) => {
        if (error === undefined) resolve(result);
        else reject(new Error(`${method}: ${error.message}`));
      });
      send({ id, method, params });
    });
  const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href;
  const at = (name: string, line: number, column: number): object => ({
    textDocument: { uri: uriOf(name) },
    position: { line: line - 1, character: column - 1 },
  });

  await ask("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: CAPABILITIES,
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: "workspace" }],
  });
  send({ method: "initialized", params: {} });
  return {
    open: (name, text) =>
      new Promise((resolve) => {
        published.set(uriOf(name), ({ diagnostics }) => {
          const place = ({ line, character }: Place): string => `${line + 1}:${character + 1}`;
          resolve(
            diagnostics
              .map(({ range, message }) => `${place(range.start)}-${place(range.end)} ${message}`)
              .sort((a, b) => a.localeCompare(b, "en", { numeric: true })),
          );
        });
        send({
          method: "textDocument/didOpen",
          params: { textDocument: { uri: uriOf(name), languageId: "yaml", version: 1, text } },
        });
      }),
    complete: async (name, line, column) => {
      const { items } = (await ask("textDocument/completion", at(name, line, column))) as {
        items: { label: string; documentation?: string | { value: string } }[];
      };
      return items.map(({ label, documentation = "" }) => ({
        label,
        documentation: typeof documentation === "string" ? documentation : documentation.value,
      }));
    },
    hover: async (name, line, column) =>
      (
        (await ask("textDocument/hover", at(name, line, column))) as {
          contents: { value: string };
        } | null
      )?.contents.value ?? "",
    close: async () => {
      await ask("shutdown", null);
      send({ method: "exit" });
      await ended;
    },
  };
}
