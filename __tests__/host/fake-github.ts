import { createSign, generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Ajv, type ValidateFunction } from "ajv";
import { createEmulator } from "emulate";

/**
 * A GitHub for tests: emulate answers comments and pulls; deployments, statuses and commit→pulls
 * are ours, every request and reply checked against GitHub's own OpenAPI.
 */
export interface FakeGithub {
  readonly url: string;
  /** Installation token of the app `ci-bot`, whose comments are a bot's. */
  readonly token: string;
  readonly otherBotToken: string;
  readonly personToken: string;
  readonly pullRequest: number;
  readonly requests: Seen[];
  /** Answers instead of GitHub, for as long as it gives an answer. */
  fault: ((request: Seen) => Fault | null | Promise<Fault | null>) | null;
  /** Pull requests by commit. */
  readonly commits: Map<string, { number: number; merge_commit_sha?: string; state?: string }[]>;
  readonly deployments: FakeDeployment[];
  comment(token: string, body: string): Promise<number>;
  comments(): Promise<{ id: number; body: string; user: { login: string; type: string } }[]>;
  remove(id: number): Promise<void>;
  close(): Promise<void>;
}

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown> | null;
}
export interface Fault {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string> /** Answers so only after GitHub has done it. */;
  readonly after?: boolean;
}
export interface FakeDeployment {
  id: number;
  request: Record<string, unknown>;
  statuses: Record<string, unknown>[];
}

type Schema = { [key: string]: unknown };
interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>;
}
interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Operation["responses"][string]>;
  };
}

let openApi: OpenApi | null = null;
const checks = new Map<string, ValidateFunction | null>();
const ajv = new Ajv({ strict: false, allErrors: false, validateFormats: false });

/** OpenAPI 3.0 as JSON Schema: `nullable`, and references into a bundle of what is needed. */
function toJsonSchema(schema: unknown, needed: Map<string, Schema>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => toJsonSchema(item, needed));
  if (typeof schema !== "object" || schema === null) return schema;
  const { $ref, nullable, example: _, examples: __, ...rest } = schema as Schema;
  if (typeof $ref === "string") {
    const name = $ref.split("/").at(-1)!;
    if (!needed.has(name)) {
      needed.set(name, {});
      needed.set(name, toJsonSchema(openApi!.components.schemas[name], needed) as Schema);
    }
    return { $ref: `#/definitions/${name}` };
  }
  const out = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, toJsonSchema(value, needed)]),
  );
  return nullable === true ? { anyOf: [{ type: "null" }, out] } : out;
}

function check(
  kind: "request" | number,
  method: string,
  template: string,
): ValidateFunction | null {
  const id = `${kind} ${method} ${template}`;
  if (checks.has(id)) return checks.get(id)!;
  openApi ??= JSON.parse(
    readFileSync(new URL("../fixtures/github-openapi.json", import.meta.url), "utf8"),
  ) as OpenApi;
  const operation = openApi.paths[template]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`GitHub has no ${method} ${template}`);
  let schema: Schema | undefined;
  if (kind === "request") schema = operation.requestBody?.content["application/json"]?.schema;
  else {
    const response = operation.responses[String(kind)];
    if (response === undefined)
      throw new Error(`GitHub does not answer ${kind} to ${method} ${template}`);
    const resolved =
      response.$ref === undefined
        ? response
        : openApi.components.responses[response.$ref.split("/").at(-1)!]!;
    schema = resolved.content?.["application/json"]?.schema;
  }
  let validate: ValidateFunction | null = null;
  if (schema !== undefined) {
    const needed = new Map<string, Schema>();
    const root = toJsonSchema(schema, needed) as Schema;
    validate = ajv.compile({ ...root, definitions: Object.fromEntries(needed) });
  }
  checks.set(id, validate);
  return validate;
}

const TEMPLATES = [
  "/repos/{owner}/{repo}/issues/{issue_number}/comments",
  "/repos/{owner}/{repo}/issues/comments/{comment_id}",
  "/repos/{owner}/{repo}/commits/{commit_sha}/pulls",
  "/repos/{owner}/{repo}/deployments",
  "/repos/{owner}/{repo}/deployments/{deployment_id}/statuses",
];
function templateOf(path: string): string {
  const found = TEMPLATES.find((template) =>
    new RegExp(`^${template.replace(/\{[^}]+\}/g, "[^/]+")}$`).test(path),
  );
  if (found === undefined) throw new Error(`a request to an unforeseen address: ${path}`);
  return found;
}

function mustFit(validate: ValidateFunction | null, value: unknown, what: string): void {
  if (validate !== null && !validate(value))
    throw new Error(`${what} does not fit GitHub's schema: ${ajv.errorsText(validate.errors)}`);
}

// Two thirds of the time it takes to start one emulator; the apps may share it.
const PRIVATE_KEY = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
}).privateKey;
const OWNER = "octocat";
const REPO = "agents";

/** Starts it on a free port of the loopback. */
export async function startFakeGithub(): Promise<FakeGithub> {
  const emulator = await createEmulator({
    service: "github",
    port: 0,
    seed: {
      tokens: { person_token: { login: OWNER, scopes: ["repo"] } },
      github: {
        users: [{ login: OWNER }],
        repos: [{ owner: OWNER, name: REPO, auto_init: true }],
        apps: [
          {
            app_id: 1,
            private_key: PRIVATE_KEY,
            slug: "ci-bot",
            name: "CI",
            permissions: { issues: "write", pull_requests: "write", contents: "write" },
            events: [],
            installations: [{ installation_id: 11, account: OWNER }],
          },
          {
            app_id: 2,
            private_key: PRIVATE_KEY,
            slug: "other-bot",
            name: "Other",
            permissions: { issues: "write", pull_requests: "write" },
            events: [],
            installations: [{ installation_id: 22, account: OWNER }],
          },
        ],
      },
    },
  });
  const call = async (
    token: string,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; data: unknown }> => {
    const reply = await fetch(emulator.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, data: text === "" ? null : JSON.parse(text) };
  };
  const installationToken = async (appId: number, installation: number): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    const part = (value: object): string =>
      Buffer.from(JSON.stringify(value)).toString("base64url");
    const unsigned = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iat: now - 10, exp: now + 300, iss: String(appId) })}`;
    const jwt = `${unsigned}.${createSign("RSA-SHA256").update(unsigned).sign(PRIVATE_KEY, "base64url")}`;
    return (
      (await call(jwt, "POST", `/app/installations/${installation}/access_tokens`, {})).data as {
        token: string;
      }
    ).token;
  };
  const issue = (
    await call("person_token", "POST", `/repos/${OWNER}/${REPO}/issues`, {
      title: "A pull request, as far as comments go",
    })
  ).data as { number: number };

  const state: { fault: FakeGithub["fault"] } = { fault: null };
  const requests: Seen[] = [];
  const deployments: FakeDeployment[] = [];
  const commits: FakeGithub["commits"] = new Map();
  const failures: string[] = [];

  const own = (
    method: string,
    path: string,
    query: URLSearchParams,
    body: Record<string, unknown> | null,
  ): { status: number; data: unknown } | null => {
    const pulls = /\/commits\/([^/]+)\/pulls$/.exec(path);
    if (pulls !== null) return { status: 200, data: (commits.get(pulls[1]!) ?? []).map(toPull) };
    const statuses = /\/deployments\/(\d+)\/statuses$/.exec(path);
    if (statuses !== null) {
      const of = deployments.find((one) => one.id === Number(statuses[1]));
      if (of === undefined) return { status: 404, data: { message: "Not Found" } };
      if (method === "GET")
        return {
          status: 200,
          data: [...of.statuses].reverse().slice(0, Number(query.get("per_page") ?? 30)),
        };
      const made = toStatus(of, body!);
      of.statuses.push(made);
      return { status: 201, data: made };
    }
    if (!path.endsWith("/deployments")) return null;
    if (method === "GET")
      return {
        status: 200,
        data: [...deployments]
          .reverse()
          .filter((one) => one.request["environment"] === query.get("environment"))
          .map(toDeployment),
      };
    const made: FakeDeployment = { id: 1000 + deployments.length, request: body!, statuses: [] };
    deployments.push(made);
    return { status: 201, data: toDeployment(made) };
  };

  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const { pathname, search, searchParams } = new URL(message.url!, "http://x");
    const body = text === "" ? null : (JSON.parse(text) as Record<string, unknown>);
    const method = message.method!;
    requests.push({ method, path: pathname + search, body });
    const template = templateOf(pathname);
    if (method !== "GET" && method !== "DELETE")
      mustFit(check("request", method, template), body, `the request ${method} ${pathname}`);
    const fault = (await state.fault?.({ method, path: pathname + search, body })) ?? null;
    const send = (status: number, data: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
      response.end(data === null || status === 204 ? undefined : JSON.stringify(data));
    };
    if (fault !== null && fault.after !== true) {
      send(fault.status, fault.body ?? { message: "fault" }, fault.headers);
      return;
    }
    const reply = own(method, pathname, searchParams, body);
    if (reply !== null) {
      mustFit(
        check(reply.status, method, template),
        reply.data,
        `the reply to ${method} ${pathname}`,
      );
      if (fault === null) send(reply.status, reply.data);
      else send(fault.status, fault.body ?? { message: "fault" }, fault.headers);
      return;
    }
    const upstream = await fetch(emulator.url + message.url!, {
      method,
      headers: {
        authorization: message.headers.authorization ?? "",
        "content-type": "application/json",
      },
      ...(text === "" ? {} : { body: text }),
    });
    const data = upstream.status === 204 ? null : await upstream.json();
    if (fault !== null) {
      send(fault.status, fault.body ?? { message: "fault" }, fault.headers);
      return;
    }
    send(
      upstream.status,
      data,
      upstream.headers.get("link") === null ? {} : { link: upstream.headers.get("link")! },
    );
  };
  const server = createServer((message, response) => {
    answer(message, response).catch((error: unknown) => {
      failures.push(String((error as Error).message));
      response.writeHead(418, { "content-type": "application/json" });
      response.end(JSON.stringify({ message: String((error as Error).message) }));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });

  const comments: FakeGithub["comments"] = async () => {
    const all: { id: number; body: string; user: { login: string; type: string } }[] = [];
    for (let page = 1; ; page += 1) {
      const { data } = await call(
        "person_token",
        "GET",
        `/repos/${OWNER}/${REPO}/issues/${issue.number}/comments?per_page=100&page=${page}`,
      );
      all.push(...(data as typeof all));
      if ((data as typeof all).length < 100) return all;
    }
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: await installationToken(1, 11),
    otherBotToken: await installationToken(2, 22),
    personToken: "person_token",
    pullRequest: issue.number,
    requests,
    commits,
    deployments,
    comments,
    get fault() {
      return state.fault;
    },
    set fault(fault) {
      state.fault = fault;
    },
    comment: async (token, body) =>
      (
        (
          await call(token, "POST", `/repos/${OWNER}/${REPO}/issues/${issue.number}/comments`, {
            body,
          })
        ).data as { id: number }
      ).id,
    remove: async (id) => {
      await call("person_token", "DELETE", `/repos/${OWNER}/${REPO}/issues/comments/${id}`);
    },
    close: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await emulator.close();
      if (failures.length > 0) throw new Error(failures.join("\n"));
    },
  };
}

const USER = {
  login: OWNER,
  id: 1,
  node_id: "U_1",
  avatar_url: "https://x.test/a",
  gravatar_id: "",
  url: "https://x.test/u",
  html_url: "https://x.test/h",
  followers_url: "https://x.test/f",
  following_url: "https://x.test/f",
  gists_url: "https://x.test/g",
  starred_url: "https://x.test/s",
  subscriptions_url: "https://x.test/s",
  organizations_url: "https://x.test/o",
  repos_url: "https://x.test/r",
  events_url: "https://x.test/e",
  received_events_url: "https://x.test/r",
  type: "User",
  site_admin: false,
};
const DATE = "2026-03-04T10:00:00Z";

function toDeployment({ id, request }: FakeDeployment): Schema {
  return {
    url: `https://x.test/deployments/${id}`,
    id,
    node_id: `DE_${id}`,
    sha: "a".repeat(40),
    ref: request["ref"],
    task: request["task"] ?? "deploy",
    payload: request["payload"] ?? {},
    original_environment: request["environment"],
    environment: request["environment"],
    description: request["description"] ?? null,
    creator: USER,
    created_at: DATE,
    updated_at: DATE,
    statuses_url: `https://x.test/deployments/${id}/statuses`,
    repository_url: "https://x.test/repos",
  };
}

function toStatus(of: FakeDeployment, body: Record<string, unknown>): Schema {
  return {
    url: "https://x.test/status",
    id: 5000 + of.statuses.length,
    node_id: "DES_1",
    state: body["state"],
    creator: USER,
    description: body["description"] ?? "",
    environment: of.request["environment"],
    target_url: body["log_url"] ?? "",
    created_at: DATE,
    updated_at: DATE,
    deployment_url: "https://x.test/d",
    repository_url: "https://x.test/r",
    environment_url: body["environment_url"] ?? "",
    log_url: body["log_url"] ?? "",
  };
}

function toPull({
  number,
  merge_commit_sha,
  state,
}: {
  number: number;
  merge_commit_sha?: string;
  state?: string;
}): Schema {
  const url = "https://x.test/pull";
  const repo = repository();
  const side = { label: "octocat:x", ref: "x", sha: "b".repeat(40), user: USER, repo };
  const links = Object.fromEntries(
    [
      "comments",
      "commits",
      "statuses",
      "html",
      "issue",
      "review_comments",
      "review_comment",
      "self",
    ].map((name) => [name, { href: url }]),
  );
  return {
    url,
    id: number,
    node_id: "PR_1",
    html_url: url,
    diff_url: url,
    patch_url: url,
    issue_url: url,
    commits_url: url,
    review_comments_url: url,
    review_comment_url: url,
    comments_url: url,
    statuses_url: url,
    number,
    state: state ?? "closed",
    locked: false,
    title: "t",
    user: USER,
    body: null,
    labels: [],
    milestone: null,
    active_lock_reason: null,
    created_at: DATE,
    updated_at: DATE,
    closed_at: null,
    merged_at: null,
    merge_commit_sha: merge_commit_sha ?? null,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    head: side,
    base: side,
    _links: links,
    author_association: "OWNER",
    auto_merge: null,
    draft: false,
  };
}

function repository(): Schema {
  const urls = [
    "archive_url",
    "assignees_url",
    "blobs_url",
    "branches_url",
    "collaborators_url",
    "comments_url",
    "commits_url",
    "compare_url",
    "contents_url",
    "contributors_url",
    "deployments_url",
    "downloads_url",
    "events_url",
    "forks_url",
    "git_commits_url",
    "git_refs_url",
    "git_tags_url",
    "hooks_url",
    "html_url",
    "issue_comment_url",
    "issue_events_url",
    "issues_url",
    "keys_url",
    "labels_url",
    "languages_url",
    "merges_url",
    "milestones_url",
    "notifications_url",
    "pulls_url",
    "releases_url",
    "stargazers_url",
    "statuses_url",
    "subscribers_url",
    "subscription_url",
    "tags_url",
    "teams_url",
    "trees_url",
    "url",
    "clone_url",
    "git_url",
    "ssh_url",
    "svn_url",
  ];
  return {
    ...Object.fromEntries(urls.map((name) => [name, "https://x.test/r"])),
    id: 1,
    node_id: "R_1",
    name: REPO,
    full_name: `${OWNER}/${REPO}`,
    owner: USER,
    private: false,
    description: null,
    fork: false,
    mirror_url: null,
    homepage: null,
    language: null,
    forks_count: 0,
    stargazers_count: 0,
    watchers_count: 0,
    size: 0,
    default_branch: "main",
    open_issues_count: 0,
    has_issues: true,
    has_projects: true,
    has_wiki: true,
    has_pages: false,
    has_downloads: true,
    has_discussions: false,
    archived: false,
    disabled: false,
    pushed_at: DATE,
    created_at: DATE,
    updated_at: DATE,
    license: null,
    forks: 0,
    open_issues: 0,
    watchers: 0,
  };
}
