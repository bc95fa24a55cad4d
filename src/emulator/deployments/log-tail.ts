import * as z from "zod/v4";
import { special } from "../control/schema.ts";
import { LAX } from "../rules/validation.ts";
import { findDeployment, findRevision } from "./deployment.ts";
import { iso, momentOf, stepsOf, type Moment } from "./readback.ts";
import { listRow, when, type Endpoint, type Endpoints } from "../http/endpoint.ts";
import { isFrom, isOneOf, isUpTo, OFFSETS, type Filters, type Paging } from "../http/listing.ts";
import { withMembers } from "../../model/json.ts";
import type { Param } from "../http/parameter.ts";
import type { StatusStep } from "./revision.ts";
import type { StoredRevision } from "../state/store.ts";
import type { Call, World } from "../world.ts";

type Phase = "build" | "deploy";

interface Line {
  readonly at: number;
  readonly level: string;
  readonly message: string;
}

const TEXTS: Readonly<Record<string, readonly [phase: Phase, level: string, message: string]>> = {
  AWAITING_BUILD: ["build", "INFO", "waiting for a builder"],
  BUILDING: ["build", "INFO", "building the image"],
  BUILD_FAILED: ["build", "ERROR", "the build failed"],
  AWAITING_DEPLOY: ["build", "INFO", "the image is built"],
  DEPLOYING: ["deploy", "INFO", "starting the new revision"],
  DEPLOYED: ["deploy", "INFO", "the new revision is ready"],
  DEPLOY_FAILED: ["deploy", "ERROR", "the new revision did not become ready"],
};

/**
 * Lines that a revision has written so far: one per phase, and the scenario's own while it builds
 * or starts. A log only grows.
 */
export function linesOf(moment: Moment, revision: StoredRevision, phase: Phase): Line[] {
  const steps = stepsOf(moment, revision);
  const own = steps.some((step) => step.status === "BUILD_FAILED") ? "build" : "deploy";
  const logged = steps.filter((step) => TEXTS[step.status]?.[0] === phase);
  const worked = logged.find(({ status }) => status === "BUILDING" || status === "DEPLOYING");
  const place = own === phase ? (worked ?? logged.at(-1)) : undefined;
  const level = logged.some(({ status }) => /FAILED/.test(status)) ? "ERROR" : "INFO";
  const extra = (at: number): Line[] => revision.log.map((message) => ({ at, level, message }));
  const built = ({ at, status }: StatusStep): Line[] =>
    status === "BUILDING"
      ? (revision.build ?? []).map((message) => ({ at, level: "INFO", message }))
      : [];
  return logged
    .filter(({ at }) => at <= moment.now)
    .flatMap((step) => {
      const [, level, message] = TEXTS[step.status]!;
      const lines = [{ at: step.at, level, message }, ...built(step)];
      if (step !== place) return lines;
      // The error comes before the line about the failure.
      return step === worked ? [...lines, ...extra(step.at)] : [...extra(step.at), ...lines];
    });
}

/** Which of the lines are wanted. */
const FILTERS: Filters<Line> = {
  by: {
    level: isOneOf(({ level }) => level),
    query: (param) => (one) => one.message.includes(param.text() ?? ""),
    start_time: isFrom(({ at }) => at),
    end_time: isUpTo(({ at }) => at),
  },
};

/** Lines by offset, from a GET or the body of a POST (contributing/service.md 2.7). */
const LOGS: Paging = {
  ...OFFSETS,
  bounds: { usual: 50, least: 1, most: 1000 },
  reply: ({ items, next }) => ({ logs: items, next_offset: next }),
};
/** The same by a cursor, which is an offset here. */
const DEPLOYMENT_LOGS: Paging = {
  ...OFFSETS,
  names: ["cursor", "page_size"],
  bounds: { usual: 20, least: 1, most: 100 },
  reply: ({ items, next }) => ({ items, next_cursor: next }),
};

/** The lines of a phase, of one revision or all of a deployment; oldest first unless asked otherwise. */
function findLines(world: World, call: Call, phase: Phase, order: Param): readonly Line[] {
  const deployment = findDeployment(world, call);
  const id = call.params["revision_id"] ?? call.query("revision_id").text()?.toLowerCase();
  if (call.params["revision_id"] !== undefined) findRevision(world, call);
  const moment = momentOf(world, deployment);
  const lines = moment.revisions
    .filter((one) => id === undefined || one.id === id)
    .flatMap((one) =>
      linesOf(moment, one, phase).map((line, i) => ({ id: `${one.id}-${phase}-${i}`, ...line })),
    )
    .sort((a, b) => a.at - b.at);
  return order.word(["asc", "desc"]) === "desc" ? lines.toReversed() : lines;
}
/** How all of them are filtered and shown. */
const LINES = {
  filters: FILTERS,
  view:
    () =>
    ({ at, ...logged }: Line) => ({ ...logged, timestamp: iso(at) }),
};

const typed = listRow({
  ...LINES,
  reply: "Logs",
  paging: LOGS,
  query: ["type", "order"],
  find: (world, call) => {
    const type = call.query("type");
    const phase = type.word(["build", "deploy"]) ?? type.refuse("missing", "Field required");
    return findLines(world, call, phase, call.query("order"));
  },
});
const posted = (phase: Phase): Endpoint =>
  listRow({
    ...LINES,
    reply: "Logs",
    paging: LOGS,
    find: (world, call) => findLines(world, call, phase, call.sent("order")),
    body: () =>
      z.looseObject({
        limit: LAX.nullish(),
        // A text, as in the replies.
        offset: special({ type: ["string", "integer"] }, () => null).nullish(),
        order: z.string().nullish(),
        ...withMembers(FILTERS.by, () => z.string().nullish()),
      }),
    mayLackBody: true,
  });
const REVISIONS = "deployments/{deployment_id}/revisions/{revision_id}";
const PROJECT = "POST /v1/projects/{deployment_id}";

/** The three families of log endpoints. */
export const LOG_ROUTES: Endpoints = {
  ...when(({ logs }) => logs.includes("revision-logs"), {
    [`GET /v2/${REVISIONS}/logs`]: typed,
    "GET /v2/deployments/{deployment_id}/logs": typed,
  }),
  ...when(({ logs }) => logs.includes("deployment-logs"), {
    "GET /v2/deployment-logs": listRow({
      ...LINES,
      reply: "LogItems",
      paging: DEPLOYMENT_LOGS,
      query: ["deployment_id", "revision_id", "log_type", "sort_order"],
      find: (world, call) => {
        const params = { deployment_id: call.query("deployment_id").id() };
        const phase = call.query("log_type").word(["build", "deploy"]) ?? "deploy";
        return findLines(world, { ...call, params }, phase, call.query("sort_order"));
      },
    }),
  }),
  // The vendor's command line.
  ...when(({ logs }) => logs.includes("project-logs"), {
    [`${PROJECT}/revisions/{revision_id}/build_logs`]: posted("build"),
    [`${PROJECT}/revisions/{revision_id}/deploy_logs`]: posted("deploy"),
    [`${PROJECT}/deploy_logs`]: posted("deploy"),
  }),
};
