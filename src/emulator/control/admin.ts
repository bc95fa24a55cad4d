import * as z from "zod/v4";
import { isObject, withMembers, type Json, type JsonObject } from "../../model/json.ts";
import { CHOICES } from "../rules/choices.ts";
import type { Service } from "../service.ts";
import { checkMasks, FAULT, REVISION_RULE, RUNNING_OPTIONS, SEED } from "./option-schema.ts";
import type { EmulatorOptions, Seed } from "../options.ts";
import { isGone, PUSH } from "../deployments/deployment.ts";
import { momentOf } from "../deployments/readback.ts";
import { MAX_BODY_BYTES, readJson } from "../http/body.ts";
import { toOpenApi } from "../http/openapi.ts";
import { type Reply, ok, refuse, refuseAll, Refusal, toError } from "../http/reply.ts";
import {
  ASSERTION,
  REQUEST_FILTERS,
  WITH_REPLIES,
  assertRequests,
  filterRequests,
} from "./request-query.ts";
import { listUploads } from "../deployments/source-upload.ts";
import { describeFlaw, parseSeedFile, ScenarioError } from "./scenario.ts";
import {
  ANY,
  bare as bareRule,
  checkRule,
  FILLED,
  like,
  list,
  must,
  object,
  row,
  withoutNulls,
  type Fields,
  type Flaw,
} from "./schema.ts";

type Act<B> = (service: Service, body: B, query: JsonObject) => Reply | Promise<Reply>;
/** One admin endpoint; `body` is the rule of a POST's body. */
interface AdminRoute {
  readonly doc: string;
  readonly body?: z.ZodType;
  /** Query parameters; absent: any is refused. */
  readonly query?: Fields;
  readonly act: Act<never>;
}
const bare = (doc: string, act: Act<unknown>, query: Fields = {}): AdminRoute => ({
  doc,
  act,
  query,
});
const post = <R extends z.ZodType>(doc: string, body: R, act: Act<z.infer<R>>): AdminRoute => ({
  doc,
  body,
  act,
});

const CLOCK_BODY = object(
  {
    advance_ms: row(z.number().min(0), "Milliseconds to move the clock by."),
    advance_until: row(
      like(/^[A-Za-z][A-Za-z0-9_]*$/u, "a status, or settled"),
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
const toMoment = (service: Service): Reply =>
  ok({ now: new Date(service.world.now()).toISOString() });

/**
 * Advances the clock until the newest revision of every deployment, or of one, has a status;
 * refuses if it never will.
 */
function advanceUntil({ world, advance }: Service, wanted: string, only: string | null): void {
  const chosen = world.store
    .all("deployments")
    .filter((one) => one.deleted_ms === null && [null, one.name, one.id].includes(only));
  if (chosen.length === 0)
    refuse(409, only === null ? "there is no deployment" : `there is no deployment ${only}`);
  const isSettled = wanted.toLowerCase() === "settled";
  const times = chosen.map((one) => {
    const { newest, timelines } = momentOf(world, one);
    const steps = timelines.get(newest?.id ?? "") ?? [];
    const last = steps.at(-1);
    const found = isSettled
      ? last
      : steps.findLast(({ status }) => status === wanted.toUpperCase());
    if (found === undefined)
      return refuse(
        409,
        `the newest revision of ${one.name} never is ${wanted}: it ends ${last?.status ?? "unknown"}`,
      );
    // `active_revision_id` changes a little after DEPLOYED.
    return found.at + (isSettled ? 0 : world.settings.lags.active);
  });
  advance(Math.max(world.now(), ...times) - world.now());
}

function listChoices(service: Service): Reply {
  const settings = service.world.settings as unknown as Record<string, Json>;
  const show = ({ rule: _, ...choice }: (typeof CHOICES)[keyof typeof CHOICES], name: string) => ({
    value: settings[name] ?? null,
    ...choice,
  });
  return ok(withMembers(CHOICES, show));
}

function listOptions(service: Service): Reply {
  const { apiKeys, bearerTokens, ...shown } = service.world.settings;
  const counts = { apiKeys: apiKeys?.length ?? null, bearerTokens: bearerTokens?.length ?? null };
  return ok({ ...shown, ...counts });
}

/** Every admin endpoint, as `METHOD name` below /_emulator. */
export const ADMIN_ROUTES: Readonly<Record<string, AdminRoute>> = {
  "GET health": bare("200 when it is ready; `HEAD /` too", (service) =>
    ok({ status: "ok", now: new Date(service.world.now()).toISOString() }),
  ),
  "GET requests": bare(
    "the request log, secrets masked; filters: `method`, `path` (`{x}` and `*` as in faults), `status`, `fault`, `contains`, `since`, `limit`; `replies=true` adds the answers",
    (service, _, query) => filterRequests(service.requests(), query, service.replyTo),
    WITH_REPLIES,
  ),
  "GET requests/count": bare(
    "`{count}` of the requests that the same filters leave",
    (service, _, query) => filterRequests(service.requests(), query, null),
    REQUEST_FILTERS,
  ),
  "POST requests/assert": post(
    "200 where the log holds, else 417 with what was seen: `{method, path, status, body, count, min, max}`; `body` is a part that each must have",
    ASSERTION,
    (service, body) => {
      const result = assertRequests(service.requests(), body);
      return ok(result, result["passed"] === true ? 200 : 417);
    },
  ),
  "DELETE requests": bare("empties the request log", (service) => {
    service.clearRequests();
    return ok({});
  }),
  "GET uploads": bare(
    "signed addresses and the archives that came to them, with their files; `object_path=` one of them; with `file=` the content of a file",
    (service, _, query) => listUploads(service.world, query),
    { object_path: row(FILLED, "One of them."), file: row(FILLED, "A file of it.") },
  ),
  "GET state": bare("everything it holds", (service) => ok(service.state())),
  "GET choices": bare("what it decided where the document is silent", listChoices),
  "GET options": bare("the options in force", listOptions),
  "POST options": post(
    "changes options while it runs; the keys are those of a scenario",
    RUNNING_OPTIONS,
    (service, given) => {
      const body = given as JsonObject;
      const kept = service.world.settings as unknown as JsonObject;
      refuseFlaws("body", body["maskedSecrets"] == null ? [] : checkMasks({ ...kept, ...body }));
      service.configure(body as unknown as EmulatorOptions);
      return listOptions(service);
    },
  ),
  "POST reset": post(
    "back to the start: seed, options, faults, rules, log, limits and clock",
    object({}),
    (service) => {
      service.reset();
      return ok({});
    },
  ),
  "GET clock": bare("its time", toMoment),
  "POST clock": post(
    '`{advance_ms: 60000}`, or `{advance_until: "DEPLOYED", deployment: "name"}`',
    CLOCK_BODY,
    (service, { advance_ms: ms, advance_until: until, deployment }) => {
      if (ms !== undefined) service.advance(ms);
      else advanceUntil(service, String(until), deployment ?? null);
      return toMoment(service);
    },
  ),
  "POST push": post(
    "a push: `{repo_url, ref, commit}`; deployments with `build_on_push` build",
    PUSH,
    (service, body) => ok({ deployments: service.push(body) }),
  ),
  "GET faults": bare("faults with how often each was met", (service) => ok(service.faults())),
  "DELETE faults": bare("removes every fault", (service) => {
    service.clearFaults();
    return ok([]);
  }),
  "POST faults": post(
    "adds faults: `{faults: […]}`, a list, or one",
    object({ faults: must(list(FAULT), "The rules.") }),
    (service, { faults }) => {
      service.addFaults(faults);
      return ok(service.faults());
    },
  ),
  "POST revisions": post(
    "adds rules for later revisions: `{revisions: […]}`, a list, or one",
    object({ revisions: must(list(REVISION_RULE), "The rules.") }),
    (service, { revisions }) => {
      service.addRevisionRules(revisions);
      return ok({});
    },
  ),
  "POST seed": post(
    "adds what a seed holds; as `application/yaml`: a spec file, as `export` writes it",
    SEED,
    (service, body) => {
      const message = "only a scenario reads files; send the file itself as application/yaml";
      refuseFlaws("body", body.files === undefined ? [] : [{ path: ["files"], message }]);
      service.seed(body as unknown as Seed);
      return ok(service.state());
    },
  ),
  "GET openapi.json": bare("the whole service as OpenAPI; also at `/openapi.json`", (service) =>
    ok(toOpenApi(service.world.settings)),
  ),
};

function refuseFlaws(where: "query" | "body", flaws: readonly Flaw[]): void {
  if (flaws.length === 0) return;
  refuseAll(
    flaws.map(({ path, message }) => ({
      loc: [where, ...path],
      msg: describeFlaw({ path, message }),
      type: "value_error",
    })),
  );
}

/** The checked value, or a 422 that names every mistake; null for an option means its default. */
function checked(where: "query" | "body", rule: z.ZodType, value: Json): JsonObject {
  refuseFlaws(where, checkRule(rule, value));
  const right = withoutNulls(rule, value) as JsonObject;
  return rule === RUNNING_OPTIONS ? { ...(value as JsonObject), ...right } : right;
}

/** The query, with numbers and booleans parsed as its rules require; anything else stays text. */
function readQuery(rules: Fields = {}, query: URLSearchParams): JsonObject {
  const [stray] = query.keys();
  if (Object.keys(rules).length === 0 && stray !== undefined)
    refuseFlaws("query", [{ path: [stray], message: "unknown parameter; it takes no parameters" }]);
  const values = withMembers(Object.fromEntries(query), (text, name): Json => {
    const { type } = Object.hasOwn(rules, name) ? bareRule(rules[name]!) : ANY;
    if (type === "number" && /^\d+$/.test(text)) return Number(text);
    return type === "boolean" && /^(?:true|false)$/.test(text) ? text === "true" : text;
  });
  return checked("query", object(rules), values);
}

/** The body, checked by the endpoint's rule; a bare list or rule of faults or revisions is put into its mapping. */
async function readBody(name: string, rule: z.ZodType, request: Request): Promise<JsonObject> {
  if (name === "seed" && /yaml/.test(request.headers.get("content-type") ?? ""))
    return readSeedYaml(await request.text());
  const { body: value = {} } = await readJson(request.body, MAX_BODY_BYTES);
  const isAround = name !== "faults" && name !== "revisions";
  if (isAround || (isObject(value) && value[name] !== undefined))
    return checked("body", rule, value);
  return checked("body", rule, { [name]: [value].flat() });
}

function readSeedYaml(text: string): JsonObject {
  try {
    return { deployments: parseSeedFile(text, "body") };
  } catch (error) {
    if (error instanceof ScenarioError) refuseFlaws("body", [{ path: [], message: error.message }]);
    throw error;
  }
}

/**
 * Answers `/openapi.json` and everything below /_emulator; null for other paths. Requests from
 * pages of other origins are refused.
 */
export const answerAdmin = (service: Service, request: Request, url: URL): Promise<Reply | null> =>
  answer(service, request, url).catch((error: Error) => {
    if (error instanceof Refusal) return error.toReply(false);
    return toError(500, `emulator error: ${error.message}`);
  });

async function answer(service: Service, request: Request, url: URL): Promise<Reply | null> {
  if (url.pathname === "/openapi.json") return ok(toOpenApi(service.world.settings));
  if (!/^\/_emulator(\/|$)/.test(url.pathname)) return null;
  const name = url.pathname.slice("/_emulator".length).replace(/^\/+|\/+$/g, "");
  if (name.startsWith("agents/")) return answerAgent(service, name.slice("agents/".length));
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== url.origin)
    return refuse(403, "requests from other origins are refused");
  const method = request.method === "HEAD" ? "GET" : request.method;
  const route = ADMIN_ROUTES[`${method} ${name}`];
  if (route === undefined) return unknownAdmin(name);
  const query = readQuery(route.query, url.searchParams);
  if (route.body !== undefined)
    return route.act(service, (await readBody(name, route.body, request)) as never, query);
  return route.act(service, {} as never, query);
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

/** The deployed agent itself, for smoke tests: `/ok` returns 200 while a revision is active. */
function answerAgent(service: Service, rest: string): Reply {
  const [id = "", what = "ok"] = rest.split("/");
  const deployment = service.world.store.get("deployments", id);
  if (deployment === undefined || isGone(service.world, deployment))
    return refuse(404, "Not Found");
  const { active } = momentOf(service.world, deployment);
  if (active === null) return refuse(503, "no revision is active");
  if (what === "info")
    return ok({
      name: deployment.name,
      revision_id: active.id,
      source_revision_config: active.config,
    });
  return what === "ok" || what === "" ? ok({ ok: true }) : refuse(404, "Not Found");
}
