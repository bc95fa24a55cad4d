import { CHOICES } from "./choices.ts";
import type { Emulator } from "./emulator.ts";
import { parseFaults } from "./fault.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import type { EmulatorOptions, Seed } from "./options.ts";
import { momentOf } from "./readback.ts";
import { ok, refused, type Reply } from "./reply.ts";
import { OUTCOMES, type RevisionRule } from "./revision.ts";

type Act = (emulator: Emulator, body: JsonObject) => Reply;

/** Rules for revisions from JSON or YAML, or what is wrong with them. */
export function parseRevisionRules(
  value: unknown,
): { readonly rules: readonly RevisionRule[] } | { readonly problem: string } {
  if (!Array.isArray(value)) return { problem: "revisions must be a list" };
  for (const [i, rule] of value.entries()) {
    if (!isObject(rule)) return { problem: `revisions[${i}] must be a mapping` };
    if (rule["outcome"] !== undefined && !OUTCOMES.includes(rule["outcome"] as never))
      return { problem: `revisions[${i}].outcome must be one of ${OUTCOMES.join(", ")}` };
    if (rule["timeline"] !== undefined && !Array.isArray(rule["timeline"]))
      return { problem: `revisions[${i}].timeline must be a list of {status, ms}` };
  }
  return { rules: value as unknown as RevisionRule[] };
}

const listOf = (body: JsonObject, name: string): unknown => body[name] ?? [body];

const ACTS: Readonly<Record<string, Act>> = {
  "GET requests": (emulator) => ok(emulator.requests() as unknown as Json),
  "DELETE requests": (emulator) => {
    emulator.clearRequests();
    return ok({});
  },
  "GET state": (emulator) => ok(emulator.state()),
  "GET choices": (emulator) =>
    ok(
      Object.fromEntries(
        Object.entries(CHOICES).map(([name, row]) => [
          name,
          {
            value: (emulator.settings() as unknown as Record<string, Json>)[name] ?? null,
            usual: row.usual,
            strict: row.strict,
            source: row.source,
            doc: row.doc,
          } as Json,
        ]),
      ),
    ),
  "POST reset": (emulator) => {
    emulator.reset();
    return ok({});
  },
  "GET clock": (emulator) => ok({ now: new Date(emulator.now()).toISOString() }),
  "POST clock": (emulator, body) => {
    if (typeof body["advance_ms"] !== "number")
      return refused(400, "advance_ms must be a number of milliseconds");
    try {
      emulator.advance(body["advance_ms"]);
    } catch (error) {
      return refused(400, (error as Error).message);
    }
    return ok({ now: new Date(emulator.now()).toISOString() });
  },
  "POST push": (emulator, body) => {
    const { repo_url, ref, commit } = body;
    if (typeof repo_url !== "string" || typeof ref !== "string" || typeof commit !== "string")
      return refused(400, "repo_url, ref and commit must be text");
    return ok({ deployments: emulator.push({ repo_url, ref, commit }) });
  },
  "GET faults": (emulator) => ok(emulator.faults()),
  "DELETE faults": (emulator) => {
    emulator.clearFaults();
    return ok([]);
  },
  "POST faults": (emulator, body) => {
    const parsed = parseFaults(listOf(body, "faults"));
    if ("problem" in parsed) return refused(400, parsed.problem);
    emulator.addFaults(parsed.rules);
    return ok(emulator.faults());
  },
  "POST revisions": (emulator, body) => {
    const parsed = parseRevisionRules(listOf(body, "revisions"));
    if ("problem" in parsed) return refused(400, parsed.problem);
    emulator.addRevisionRules(parsed.rules);
    return ok({});
  },
  "POST seed": (emulator, body) => {
    emulator.seed(body as unknown as Seed);
    return ok(emulator.state());
  },
  "POST options": (emulator, body) => {
    emulator.configure(body as unknown as EmulatorOptions);
    return ok(emulator.settings() as unknown as Json);
  },
};

/** Answers everything below /_emulator; null for every other path. Pages of other origins are refused. */
export async function answerAdmin(
  emulator: Emulator,
  request: Request,
  url: URL,
): Promise<Reply | null> {
  if (!url.pathname.startsWith("/_emulator")) return null;
  const name = url.pathname.slice("/_emulator".length).replace(/^\/|\/$/g, "");
  if (name.startsWith("agents/")) return answerAgent(emulator, name.slice("agents/".length));
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== url.origin)
    return refused(403, "requests from other origins are refused");
  const act = ACTS[`${request.method} ${name}`];
  if (act === undefined)
    return refused(
      404,
      `no such admin endpoint; there are: ${Object.keys(ACTS)
        .map((key) => key.replace(" ", " /_emulator/"))
        .join(", ")}`,
    );
  let body: Json = {};
  const text = request.body === null ? "" : await request.text();
  try {
    if (text.trim() !== "") body = JSON.parse(text) as Json;
  } catch {
    return refused(400, "the body is not JSON");
  }
  if (Array.isArray(body)) body = { [name]: body };
  return isObject(body)
    ? act(emulator, body)
    : refused(400, "the body must be a JSON object or list");
}

/** The deployed agent itself, as far as a smoke test asks: `/ok` answers 200 when a revision is active. */
function answerAgent(emulator: Emulator, rest: string): Reply {
  const [id = "", what = "ok"] = rest.split("/");
  const deployment = emulator.world.store.get("deployments", id);
  if (deployment === undefined) return refused(404, "Not Found");
  const { active } = momentOf(deployment, emulator.settings(), emulator.now());
  if (active === null) return refused(503, "no revision is active");
  if (what === "info")
    return ok({
      name: deployment.name,
      revision_id: active.id,
      source_revision_config: active.config,
    });
  return what === "ok" || what === "" ? ok({ ok: true }) : refused(404, "Not Found");
}
