// A stand-in for the service, written from contributing/interface.md only: it imports nothing from src/,
// so it can disagree with it.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

const TRIGGERS = ["repo_ref", "graph_config_path", "langgraph_config_path", "image_uri"];
const FIXED = ["integration_id", "repo_url", "deployment_type", "listener_id"];
const KINDS = {
  repohost: "document",
  external_container: "document",
  github: "hosted",
  external_docker: "hosted",
};
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const FAILED = /_FAILED$|^SKIPPED$|^INTERRUPTED$/;

const reply = (status, body) => ({ status, body });
const detail = (status, text) => reply(status, { detail: text });
const invalid = (loc, msg) => reply(422, { detail: [{ loc, msg, type: "value_error" }] });
const withoutNulls = (object) =>
  Object.fromEntries(
    Object.entries(object ?? {}).filter(([, value]) => value !== null && value !== undefined),
  );
const now = () => new Date().toISOString();

/**
 * Starts one on a free port. `timeline`: statuses of every new revision, one further with each read of it;
 * `lookup: false`: the list answers 404; `redeploy: "reuse"`: a redeploy runs the same revision again.
 * @param {Record<string, unknown>} given
 */
export async function startStub(given = {}) {
  const options = {
    timeline: ["QUEUED", "BUILDING", "DEPLOYING", "DEPLOYED"],
    lookup: true,
    redeploy: "new",
    secrets: "shown",
    pageSize: 100,
    integrations: [],
    listeners: [],
    ...given,
  };
  const state = {
    options,
    requests: [],
    deployments: new Map(),
    revisions: new Map(),
    experiments: [],
    datasets: new Map(),
  };
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const url = new URL(request.url, "http://stub");
      const text = Buffer.concat(chunks).toString("utf8");
      let body;
      try {
        body = text === "" ? undefined : JSON.parse(text);
      } catch {
        body = text;
      }
      const call = {
        method: request.method,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: request.headers,
        body,
      };
      state.requests.push(call);
      const { status, body: answer } = answerTo(state, call);
      response.writeHead(status, { "content-type": "application/json" });
      response.end(answer === undefined ? "" : JSON.stringify(answer));
    });
  });
  await new Promise((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    ...state,
    url: `http://127.0.0.1:${server.address().port}`,
    writes: () =>
      state.requests
        .filter(({ method }) => method !== "GET")
        .map(({ method, path }) => `${method} ${path}`),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

function answerTo(state, call) {
  const { headers, method } = call;
  if (!headers["x-api-key"] && !headers["authorization"]) return detail(403, "Not authenticated");
  const parts = call.path
    .replace(/^\/api-host/, "")
    .split("/")
    .filter(Boolean);
  const route = parts.join("/");
  if (/^v1\/integrations\/(repohost|github)\/install$/.test(route))
    return reply(200, state.options.integrations);
  if (route === "v2/listeners")
    return reply(200, {
      resources: state.options.listeners,
      offset: state.options.listeners.length,
    });
  if (route.endsWith("datasets/upload-experiment") && method === "POST")
    return upload(state, call.body);
  if (parts[0] !== "v2" || parts[1] !== "deployments") return detail(404, "Not Found");
  const [, , id, inner, revisionId, verb] = parts;
  if (id === undefined) {
    if (method === "POST") return create(state, call.body);
    return method === "GET" ? list(state, call.query) : detail(405, "Method Not Allowed");
  }
  if (!UUID.test(id)) return invalid(["path", "deployment_id"], "Input should be a valid UUID");
  const deployment = state.deployments.get(id);
  if (deployment === undefined) return detail(404, `Deployment ID ${id} not found.`);
  if (inner === undefined) {
    if (method === "GET") return reply(200, shown(state, deployment));
    if (method === "PATCH") return patch(state, deployment, call.body);
    if (method === "DELETE") {
      state.deployments.delete(id);
      return reply(204, undefined);
    }
    return detail(405, "Method Not Allowed");
  }
  if (inner !== "revisions") return detail(404, "Not Found");
  if (revisionId === undefined) return listRevisions(state, deployment, call.query);
  if (!UUID.test(revisionId))
    return invalid(["path", "revision_id"], "Input should be a valid UUID");
  const revision = state.revisions.get(revisionId);
  if (revision?.deployment !== id) return detail(404, `Revision ID ${revisionId} not found.`);
  if (verb === "redeploy" && method === "POST") return redeploy(state, deployment, revision);
  return verb === undefined && method === "GET"
    ? reply(200, readRevision(deployment, revision))
    : detail(404, "Not Found");
}

function create(state, body) {
  for (const key of ["name", "source", "source_config", "source_revision_config", "secrets"]) {
    if (body?.[key] === undefined || body[key] === null)
      return invalid(["body", key], "Field required");
  }
  const dialect = KINDS[body.source];
  if (dialect === undefined) return invalid(["body", "source"], "Input should be a known source");
  const hosted = dialect === "hosted";
  if ((hosted ? "graph_config_path" : "langgraph_config_path") in body.source_revision_config)
    return invalid(["body", "source_revision_config"], "Extra inputs are not permitted");
  if (
    body.source_config.build_on_push === true &&
    String(body.source_revision_config.repo_ref).startsWith("refs/tags/")
  )
    return detail(400, "build_on_push cannot be true for a tag.");
  if ([...state.deployments.values()].some(({ name }) => name === body.name))
    return detail(409, `Deployment ${body.name} already exists.`);
  const deployment = {
    name: body.name,
    source: body.source,
    source_config: withoutNulls(body.source_config),
    source_revision_config: withoutNulls(body.source_revision_config),
    secrets: body.secrets,
    id: randomUUID(),
    created_at: now(),
    updated_at: now(),
    status: "READY",
    latest_revision_id: null,
    active_revision_id: null,
    image_version: null,
  };
  state.deployments.set(deployment.id, deployment);
  addRevision(state, deployment);
  return reply(201, shown(state, deployment));
}

function patch(state, deployment, body) {
  if (typeof body !== "object" || body === null)
    return invalid(["body"], "Input should be an object");
  const source = withoutNulls(body.source_config);
  const revision = withoutNulls(body.source_revision_config);
  if (
    "name" in body ||
    "source" in body ||
    FIXED.some((key) => key in source) ||
    "listener_config" in source
  )
    return detail(400, "A field that cannot change after creation was sent.");
  const before = JSON.stringify(deployment);
  Object.assign(deployment.source_config, source);
  Object.assign(deployment.source_revision_config, revision);
  if (Array.isArray(body.secrets) && body.secrets.length > 0) deployment.secrets = body.secrets;
  if (JSON.stringify(deployment) !== before) deployment.updated_at = now();
  const triggers =
    TRIGGERS.some((key) => key in revision) ||
    (body.secrets ?? null) !== null ||
    "resource_spec" in source;
  if (triggers) addRevision(state, deployment);
  return reply(200, shown(state, deployment));
}

function redeploy(state, deployment, revision) {
  if (state.options.redeploy === "new") addRevision(state, deployment);
  else Object.assign(revision, { reads: -1, status: state.options.timeline[0], updated_at: now() });
  if (state.options.redeploy === "reuse") deployment.latest_revision_id = revision.id;
  return reply(200, shown(state, deployment));
}

function addRevision(state, deployment) {
  const revision = {
    id: randomUUID(),
    deployment: deployment.id,
    timeline: state.options.timeline,
    reads: -1,
    status: state.options.timeline[0],
    created_at: now(),
    updated_at: now(),
    source: deployment.source,
    source_revision_config: { ...deployment.source_revision_config },
  };
  state.revisions.set(revision.id, revision);
  deployment.latest_revision_id = revision.id;
  deployment.updated_at = now();
}

/** A look moves a revision one status on; the last one of its timeline stays. */
function readRevision(deployment, revision) {
  revision.reads = Math.min(revision.reads + 1, revision.timeline.length - 1);
  const status = revision.timeline[revision.reads];
  if (status !== revision.status) Object.assign(revision, { status, updated_at: now() });
  if (status === "DEPLOYED" && revision.id === deployment.latest_revision_id)
    deployment.active_revision_id = revision.id;
  return shownRevision(revision);
}

function shownRevision({ id, created_at, updated_at, status, source, source_revision_config }) {
  return {
    id,
    created_at,
    updated_at,
    status,
    source,
    source_revision_config,
    ...(FAILED.test(status) ? { status_message: `${status} in the stub` } : {}),
  };
}

function shown(state, deployment) {
  const secrets = deployment.secrets.map(({ name, value }) => ({
    name,
    value: state.options.secrets === "masked" ? "********" : value,
  }));
  return { ...deployment, secrets };
}

function list(state, query) {
  if (!state.options.lookup) return detail(404, "Not Found");
  const found = [...state.deployments.values()].filter(({ name }) =>
    name.includes(query.name_contains ?? ""),
  );
  return page(
    state,
    found.map((deployment) => shown(state, deployment)),
    query,
  );
}

function listRevisions(state, deployment, query) {
  return page(
    state,
    [...state.revisions.values()]
      .filter((one) => one.deployment === deployment.id)
      .reverse()
      .map(shownRevision),
    query,
  );
}

function page(state, all, query) {
  const offset = Number(query.offset ?? 0);
  const resources = all.slice(
    offset,
    offset + Math.min(Number(query.limit ?? 20), state.options.pageSize),
  );
  return reply(200, { resources, offset: offset + resources.length });
}

function upload(state, body) {
  if (!body?.dataset_id && !body?.dataset_name)
    return invalid(["body"], "dataset_id or dataset_name is required");
  const [from, to] = [Date.parse(body.experiment_start_time), Date.parse(body.experiment_end_time)];
  for (const [at, row] of (body.results ?? []).entries()) {
    if (!(Date.parse(row.start_time) >= from && Date.parse(row.end_time) <= to))
      return invalid(["body", "results", at], "Row lies outside the experiment.");
  }
  const key = body.dataset_id ?? body.dataset_name;
  if (!state.datasets.has(key))
    state.datasets.set(key, {
      id: body.dataset_id ?? randomUUID(),
      name: body.dataset_name ?? `dataset-${body.dataset_id}`,
      description: body.dataset_description ?? null,
      created_at: now(),
      data_type: "kv",
      externally_managed: true,
      example_count: 0,
      session_count: 0,
    });
  const dataset = state.datasets.get(key);
  const ids = { reference_dataset_id: dataset.id, tenant_id: randomUUID(), id: randomUUID() };
  const experiment = {
    start_time: body.experiment_start_time,
    end_time: body.experiment_end_time,
    name: body.experiment_name,
    description: body.experiment_description ?? null,
    extra: { metadata: body.experiment_metadata ?? {} },
    ...ids,
    run_count: null,
    feedback_stats: null,
    error_rate: null,
    trace_tier: "longlived",
    test_run_number: ++dataset.session_count,
  };
  state.experiments.push({ ...experiment, body });
  return reply(201, {
    dataset: {
      ...dataset,
      tenant_id: ids.tenant_id,
      modified_at: now(),
      last_session_start_time: null,
    },
    experiment,
  });
}
