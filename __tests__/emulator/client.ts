import {
  startEmulator,
  type RunningEmulator,
  type ServerOptions,
} from "../../src/emulator/server.ts";

export interface Answered {
  readonly status: number;
  readonly body: any;
  readonly headers: Headers;
}
export interface Client {
  readonly running: RunningEmulator;
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answered>;
  readonly create: (body: unknown) => Promise<any>;
}

/** An emulator over real HTTP on a manual clock, and a client with a key. */
export async function open(options: ServerOptions = {}): Promise<Client> {
  const running = await startEmulator({ clock: { manual: true }, ...options });
  const call: Client["call"] = async (method, path, body, headers = {}) => {
    const response = await fetch(running.url + path, {
      method,
      headers: { "x-api-key": "k", "content-type": "application/json", ...headers },
      redirect: "manual",
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = /json/.test(response.headers.get("content-type") ?? "");
    return {
      status: response.status,
      body: parse(text, json),
      headers: response.headers,
    };
  };
  const create: Client["create"] = async (body) => {
    const made = await call("POST", "/v2/deployments", body);
    if (made.status !== 201 && made.status !== 200)
      throw new Error(`create answered ${made.status}: ${JSON.stringify(made.body)}`);
    return made.body;
  };
  return { running, call, create };
}

function parse(text: string, json: boolean): unknown {
  if (text === "") return undefined;
  return json ? JSON.parse(text) : text;
}

let count = 0;
const fresh = (): string => {
  count += 1;
  return `deployment-${count}`;
};
const merge = (base: any, over: any): any => ({ ...base, ...over });

/** A create body of a repository deployment in the document's words. */
export function repohost(
  over: {
    name?: string;
    source_config?: object;
    source_revision_config?: object;
    secrets?: unknown;
  } = {},
): any {
  return {
    name: over.name ?? fresh(),
    source: "repohost",
    source_config: merge({ repo_url: "https://git.example.com/acme/agents" }, over.source_config),
    source_revision_config: merge(
      { repo_ref: "main", graph_config_path: "graph.json" },
      over.source_revision_config,
    ),
    secrets: over.secrets ?? [],
  };
}

/** A create body of a container deployment in the document's words. */
export function container(
  over: {
    name?: string;
    source_config?: object;
    source_revision_config?: object;
    secrets?: unknown;
  } = {},
): any {
  return {
    name: over.name ?? fresh(),
    source: "external_container",
    source_config: merge({ resource_spec: {} }, over.source_config),
    source_revision_config: merge(
      { image_uri: "registry.example.com/agent:1" },
      over.source_revision_config,
    ),
    secrets: over.secrets ?? [],
  };
}

/** Text of every location in a 422. */
export const locations = (answered: Answered): string[] =>
  (Array.isArray(answered.body?.detail)
    ? (answered.body.detail as { loc: (string | number)[] }[])
    : []
  ).map(({ loc }) => loc.join("."));
