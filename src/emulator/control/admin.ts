import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { advanceUntil } from "./advance.ts";
import { CHOICES } from "../rules/choices.ts";
import type { Emulator } from "../emulator-port.ts";
import type { FaultRule } from "../http/fault.ts";
import { checkMasks, FAULT, REVISION_RULE, RUNNING_OPTIONS, SEED } from "./option-schema.ts";
import { COMMIT, type EmulatorOptions, type Seed } from "../options.ts";
import { momentOf } from "../deployments/readback.ts";
import { MOST_BODY_BYTES, readJson } from "../http/body.ts";
import { toOpenApi } from "../http/openapi.ts";
import { type Reply, ok, refuse, refuseAll, Refusal, toRefused } from "../http/reply.ts";
import {
  ASSERTION,
  REQUEST_FILTERS,
  WITH_REPLIES,
  assertRequests,
  filterRequests,
} from "./request-query.ts";
import type { RevisionRule } from "../deployments/revision.ts";
import { listUploads } from "../deployments/source-upload.ts";
import { parseSeedFile, ScenarioError } from "./scenario.ts";
import {
  ANY,
  bare,
  checkRule,
  FILLED,
  list,
  MILLISECONDS,
  must,
  object,
  row,
  showPath,
  text,
  withoutNulls,
  type Fields,
  type OptionRule,
  type Flaw,
} from "./schema.ts";

type Act = (emulator: Emulator, body: JsonObject, query: JsonObject) => Reply | Promise<Reply>;
/** One admin endpoint; `body` is what a POST takes. */
interface AdminRoute {
  readonly doc: string;
  readonly body?: OptionRule;
  /** Query parameters; absent: any is refused. */
  readonly query?: Fields;
  readonly act: Act;
}

const listOf = (name: string, item: OptionRule): OptionRule =>
  object({ [name]: must(list(item), "The rules.") });

const CLOCK_BODY = object(
  {
    advance_ms: row(MILLISECONDS, "Milliseconds to move the clock by."),
    advance_until: row(
      text({ pattern: "^[A-Za-z][A-Za-z0-9_]*$", what: "a status, or settled" }),
      "Moves the clock until the newest revisions have this status, or `settled`.",
    ),
    deployment: row(FILLED, "Name or id of the one deployment that `advance_until` is about."),
  },
  (body) =>
    (body["advance_ms"] === undefined) === (body["advance_until"] === undefined)
      ? [
          {
            path: [],
            message: "give one of advance_ms (a number of milliseconds) and advance_until",
          },
        ]
      : [],
);
const PUSH_BODY = object({
  repo_url: must(FILLED, "Repository."),
  ref: must(FILLED, "Branch or tag."),
  commit: must(COMMIT, "Commit that it points at now."),
});

const toMoment = (emulator: Emulator): Reply => ok({ now: new Date(emulator.now()).toISOString() });

function postClock(emulator: Emulator, body: JsonObject): Reply {
  if (body["advance_ms"] !== undefined) emulator.advance(body["advance_ms"] as number);
  else {
    advanceUntil(
      emulator,
      String(body["advance_until"]),
      body["deployment"] === undefined ? null : String(body["deployment"]),
    );
  }
  return toMoment(emulator);
}

function listChoices(emulator: Emulator): Reply {
  const settings = emulator.settings() as unknown as Record<string, Json>;
  return ok(
    Object.fromEntries(
      Object.entries(CHOICES).map(([name, { usual, strict, source, doc }]) => [
        name,
        { value: settings[name] ?? null, usual, strict, source, doc },
      ]),
    ),
  );
}

/** Every admin endpoint, as `METHOD name` below /_emulator. */
export const ADMIN_ROUTES: Readonly<Record<string, AdminRoute>> = {
  "GET health": {
    doc: "200 when it is ready; `HEAD /` too",
    act: (emulator) => ok({ status: "ok", now: new Date(emulator.now()).toISOString() }),
  },
  "GET requests": {
    doc: "the request log, secrets masked; filters: `method`, `path` (`{x}` and `*` as in faults), `status`, `fault`, `contains`, `since`, `limit`; `replies=true` adds the answers",
    query: WITH_REPLIES,
    act: (emulator, _, query) => filterRequests(emulator.requests(), query, emulator.replyTo),
  },
  "GET requests/count": {
    doc: "`{count}` of the requests that the same filters leave",
    query: REQUEST_FILTERS,
    act: (emulator, _, query) => filterRequests(emulator.requests(), query, null),
  },
  "POST requests/assert": {
    doc: "200 where the log holds, else 417 with what was seen: `{method, path, status, body, count, min, max}`; `body` is a part that each must have",
    body: ASSERTION,
    act: (emulator, body) => {
      const result = assertRequests(emulator.requests(), body);
      return ok(result, result["passed"] === true ? 200 : 417);
    },
  },
  "DELETE requests": {
    doc: "empties the request log",
    act: (emulator) => {
      emulator.clearRequests();
      return ok({});
    },
  },
  "GET uploads": {
    doc: "signed addresses and the archives that came to them, with their files; `object_path=` one of them; with `file=` the content of a file",
    query: { object_path: row(FILLED, "One of them."), file: row(FILLED, "A file of it.") },
    act: (emulator, _, query) => listUploads(emulator.world, query),
  },
  "GET state": { doc: "everything it holds", act: (emulator) => ok(emulator.state()) },
  "GET choices": { doc: "what it decided where the document is silent", act: listChoices },
  "GET options": {
    doc: "the options in force",
    act: (emulator) => {
      const { apiKeys, bearerTokens, ...shown } = emulator.settings();
      return ok({
        ...shown,
        apiKeys: apiKeys?.length ?? null,
        bearerTokens: bearerTokens?.length ?? null,
      } as unknown as Json);
    },
  },
  "POST options": {
    doc: "changes options while it runs; the keys are those of a scenario",
    body: RUNNING_OPTIONS,
    act: (emulator, body) => {
      const kept = emulator.settings() as unknown as JsonObject;
      const [flaw] = body["maskedSecrets"] == null ? [] : checkMasks({ ...kept, ...body });
      if (flaw !== undefined) refuseFlaws("body", [flaw]);
      emulator.configure(body as unknown as EmulatorOptions);
      return ADMIN_ROUTES["GET options"]!.act(emulator, {}, {});
    },
  },
  "POST reset": {
    doc: "back to the start: seed, options, faults, rules, log, limits and clock",
    body: object({}),
    act: (emulator) => {
      emulator.reset();
      return ok({});
    },
  },
  "GET clock": { doc: "its time", act: toMoment },
  "POST clock": {
    doc: '`{advance_ms: 60000}`, or `{advance_until: "DEPLOYED", deployment: "name"}`',
    body: CLOCK_BODY,
    act: postClock,
  },
  "POST push": {
    doc: "a push: `{repo_url, ref, commit}`; deployments with `build_on_push` build",
    body: PUSH_BODY,
    act: (emulator, body) =>
      ok({ deployments: emulator.push(body as unknown as Parameters<Emulator["push"]>[0]) }),
  },
  "GET faults": {
    doc: "faults with how often each was met",
    act: (emulator) => ok(emulator.faults()),
  },
  "DELETE faults": {
    doc: "removes every fault",
    act: (emulator) => {
      emulator.clearFaults();
      return ok([]);
    },
  },
  "POST faults": {
    doc: "adds faults: `{faults: […]}`, a list, or one",
    body: listOf("faults", FAULT),
    act: (emulator, body) => {
      emulator.addFaults(body["faults"] as unknown as readonly FaultRule[]);
      return ok(emulator.faults());
    },
  },
  "POST revisions": {
    doc: "adds rules for later revisions: `{revisions: […]}`, a list, or one",
    body: listOf("revisions", REVISION_RULE),
    act: (emulator, body) => {
      emulator.addRevisionRules(body["revisions"] as unknown as readonly RevisionRule[]);
      return ok({});
    },
  },
  "POST seed": {
    doc: "adds what a seed holds; as `application/yaml`: a spec file, as `export` writes it",
    body: SEED,
    act: (emulator, body) => {
      if (body["files"] !== undefined)
        refuseFlaws("body", [
          {
            path: ["files"],
            message: "only a scenario reads files; send the file itself as application/yaml",
          },
        ]);
      emulator.seed(body as unknown as Seed);
      return ok(emulator.state());
    },
  },
  "GET openapi.json": {
    doc: "the whole service as OpenAPI; also at `/openapi.json`",
    act: (emulator) => ok(toOpenApi(emulator.settings())),
  },
};

function refuseFlaws(where: "query" | "body", flaws: readonly Flaw[]): never {
  return refuseAll(
    flaws.map(({ path, message }) => ({
      loc: [where, ...path],
      msg: path.length === 0 ? message : `${showPath(path)}: ${message}`,
      type: "value_error",
    })),
  );
}

/** What a rule found right, or a 422 that names every mistake; null of an option is its default. */
function checked(where: "query" | "body", rule: OptionRule, value: Json): JsonObject {
  const flaws = checkRule(rule, value);
  if (flaws.length > 0) refuseFlaws(where, flaws);
  const right = withoutNulls(rule, value) as JsonObject;
  return rule === RUNNING_OPTIONS ? { ...(value as JsonObject), ...right } : right;
}

/** The query as the values that its rules take; anything else stays text. */
function readQuery(fields: Fields | undefined, query: URLSearchParams): JsonObject {
  const [stray] = query.keys();
  if (fields === undefined)
    return stray === undefined
      ? {}
      : refuseFlaws("query", [
          { path: [stray], message: "unknown parameter; it takes no parameters" },
        ]);
  const values = [...query].map(([name, text]): readonly [string, Json] => {
    const { type } = Object.hasOwn(fields, name) ? bare(fields[name]!) : ANY;
    if (type === "number" && /^\d+$/.test(text)) return [name, Number(text)];
    if (type === "boolean" && /^(?:true|false)$/.test(text)) return [name, text === "true"];
    return [name, text];
  });
  return checked("query", object(fields), Object.fromEntries(values));
}

/** The body by the endpoint's rule; a bare list or rule is for the mapping around it. */
async function readBody(name: string, rule: OptionRule, request: Request): Promise<JsonObject> {
  if (name === "seed" && /yaml/.test(request.headers.get("content-type") ?? ""))
    return readSeedYaml(await request.text());
  const { body: value = {} } = await readJson(request.body, MOST_BODY_BYTES);
  const wrapped = name === "faults" || name === "revisions";
  if (wrapped && Array.isArray(value)) return checked("body", rule, { [name]: value });
  return wrapped && isObject(value) && value[name] === undefined
    ? checked("body", rule, { [name]: [value] })
    : checked("body", rule, value);
}

function readSeedYaml(text: string): JsonObject {
  try {
    return { deployments: parseSeedFile(text, "body") };
  } catch (error) {
    if (error instanceof ScenarioError)
      return refuseFlaws("body", [{ path: [], message: error.message }]);
    throw error;
  }
}

/** Answers everything below /_emulator; null for every other path. Pages of other origins are refused. */
export async function answerAdmin(
  emulator: Emulator,
  request: Request,
  url: URL,
): Promise<Reply | null> {
  try {
    return await answer(emulator, request, url);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!request.bodyUsed) await request.body?.cancel();
    return toRefused(error, false);
  }
}

async function answer(emulator: Emulator, request: Request, url: URL): Promise<Reply | null> {
  if (url.pathname === "/openapi.json") return ok(toOpenApi(emulator.settings()));
  if (!/^\/_emulator(\/|$)/.test(url.pathname)) return null;
  const name = url.pathname.slice("/_emulator".length).replace(/^\/+|\/+$/g, "");
  if (name.startsWith("agents/")) return answerAgent(emulator, name.slice("agents/".length));
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== url.origin)
    return refuse(403, "requests from other origins are refused");
  const method = request.method === "HEAD" ? "GET" : request.method;
  const route = ADMIN_ROUTES[`${method} ${name}`];
  if (route === undefined) return unknownAdmin(name);
  const query = readQuery(route.query, url.searchParams);
  if (route.body !== undefined)
    return route.act(emulator, await readBody(name, route.body, request), query);
  await request.body?.cancel();
  return route.act(emulator, {}, query);
}

function unknownAdmin(name: string): Reply {
  const keys = Object.keys(ADMIN_ROUTES);
  const same = keys.filter((key) => key.endsWith(` ${name}`));
  if (same.length > 0)
    return refuse(
      405,
      `/_emulator/${name} takes ${same.map((key) => key.split(" ")[0]).join(", ")}`,
    );
  const paths = keys.map((key) => key.replace(" ", " /_emulator/"));
  return refuse(404, `no such admin endpoint; there are: ${paths.join(", ")}`);
}

/** The deployed agent itself, as far as a smoke test asks: `/ok` answers 200 when a revision is active. */
function answerAgent(emulator: Emulator, rest: string): Reply {
  const [id = "", what = "ok"] = rest.split("/");
  const deployment = emulator.world.store.get("deployments", id);
  if (deployment === undefined) return refuse(404, "Not Found");
  const { active } = momentOf(emulator.world, deployment);
  if (active === null) return refuse(503, "no revision is active");
  if (what === "info")
    return ok({
      name: deployment.name,
      revision_id: active.id,
      source_revision_config: active.config,
    });
  return what === "ok" || what === "" ? ok({ ok: true }) : refuse(404, "Not Found");
}
