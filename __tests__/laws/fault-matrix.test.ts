import { expect, test } from "@jest/globals";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultRule } from "../../src/emulator/http/fault.ts";
import { repositoryRoot } from "../support/tree.ts";
import { TASKS, runCell, SERVICES } from "../survive/fault-cell.ts";
import { runUploadCell, UPLOAD, UPLOADS } from "../survive/upload-cell.ts";

/** Every fault of the emulator, as a column of the matrix. */
const FAULTS: Readonly<Record<string, Omit<FaultRule, "route">>> = {
  refuse: { kind: "refuse", ms: 3_000 },
  "refuse next": { kind: "refuse-after", ms: 3_000 },
  "reset before": { kind: "reset-before" },
  "reset after": { kind: "reset-after" },
  "429 + Retry-After": { kind: "status", status: 429, headers: { "retry-after": "3" } },
  429: { kind: "status", status: 429 },
  500: { kind: "status", status: 500 },
  502: { kind: "status", status: 502 },
  503: { kind: "status", status: 503 },
  504: { kind: "status", status: 504 },
  "500 after": { kind: "status", status: 500, when: "after" },
  "504 after": { kind: "status", status: 504, when: "after" },
  slow: { kind: "delay", ms: 90_000 },
  truncated: { kind: "truncate" },
  malformed: { kind: "malformed" },
  "wrong type": { kind: "wrong-type" },
  redirect: { kind: "redirect" },
  "303 after": { kind: "redirect", status: 303, when: "after" },
  huge: { kind: "huge" },
  "huge 200 after": { kind: "huge", status: 200, when: "after" },
  drip: { kind: "drip", ms: 5 },
};
/** A gateway's own pages in place of an answer, as more columns; an upload goes to another address. */
const PAGES: Readonly<Record<string, { readonly page: number; readonly after: boolean }>> = {
  "404 page": { page: 404, after: false },
  "404 page after": { page: 404, after: true },
};
/** Faults that leave a write surely untaken, or answered. */
const CLEAR = ["429 + Retry-After", "429", "redirect", "refuse next", "drip"];

interface Row {
  readonly service: string;
  readonly task: string;
  readonly route: string;
  readonly calls: number;
  green: number;
  unknown: number;
  cells: number;
  readonly reds: string[];
}

async function routesOf(task: string, service: string): Promise<Map<string, number>> {
  const { flow, wrong } = await runCell(TASKS[task]!, SERVICES[service]!, [], false);
  expect([task, service, wrong]).toEqual([task, service, []]);
  return countsOf(flow.calls());
}

function countsOf(calls: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const call of calls) counts.set(call, (counts.get(call) ?? 0) + 1);
  return counts;
}

function nthsOf(calls: number): number[] {
  return [...new Set([1, Math.ceil(calls / 2), calls])];
}

async function uploadRows(service: string, rows: Row[], wrong: string[]): Promise<void> {
  for (const [task, { service: kind, before, onlyWithLookup }] of Object.entries(UPLOADS)) {
    if (onlyWithLookup && service === "strict") continue;
    const options = { ...SERVICES[service]!, ...kind };
    const lost = before.length > 0;
    const plain = await runUploadCell(options, before, lost && service === "strict");
    for (const what of plain.wrong) wrong.push(`${service} · ${task}: ${what}`);
    for (const [route, calls] of countsOf(plain.calls)) {
      // The first sending has its fault already.
      const nths = nthsOf(calls).filter((nth) => !(lost && route === UPLOAD && nth === 1));
      if (nths.length === 0) continue;
      const row: Row = { service, task, route, calls, green: 0, unknown: 0, cells: 0, reds: [] };
      rows.push(row);
      for (const [name, fault] of Object.entries(FAULTS)) {
        for (const nth of nths) {
          const undecidable =
            service === "strict" && (lost || (route === UPLOAD && !CLEAR.includes(name)));
          const end = await runUploadCell(
            options,
            [...before, { ...fault, route, nth }],
            undecidable,
          );
          row.cells += 1;
          if (end.report.outcome === "uploaded") row.green += 1;
          else {
            row.unknown += 1;
            row.reds.push(name);
          }
          for (const what of end.wrong)
            wrong.push(`${service} · ${task} · ${route} · ${name} (call ${nth}): ${what}`);
        }
      }
    }
  }
}

async function taskRows(service: string, task: string, wrong: string[]): Promise<Row[]> {
  const what = TASKS[task]!;
  const rows: Row[] = [];
  for (const [route, calls] of await routesOf(task, service)) {
    if (what.only?.test(route) === false) continue;
    const row: Row = { service, task, route, calls, green: 0, unknown: 0, cells: 0, reds: [] };
    rows.push(row);
    for (const name of [...Object.keys(FAULTS), ...Object.keys(PAGES)]) {
      for (const nth of nthsOf(calls)) {
        const undecidable =
          service === "strict" && route === "POST /v2/deployments" && !CLEAR.includes(name);
        const fault = FAULTS[name];
        const faults = fault === undefined ? [] : [{ ...fault, route, nth }];
        const page = PAGES[name];
        const gateway =
          page === undefined ? undefined : { ...page, method: "*", route, nth, times: 1 };
        const options = SERVICES[service]!;
        const end = await runCell(what, options, faults, undecidable, undefined, gateway);
        row.cells += 1;
        if (end.right) row.green += 1;
        else {
          row.unknown += 1;
          row.reds.push(name);
        }
        for (const line of end.wrong)
          wrong.push(`${service} · ${task} · ${route} · ${name} (call ${nth}): ${line}`);
      }
    }
  }
  return rows;
}

const GROUPS = Object.keys(SERVICES).flatMap((service) => [
  ...Object.entries(TASKS)
    .filter(([, { notStrict }]) => !(notStrict && service === "strict"))
    .map(([task]) => [service, task] as const),
  [service, "uploads"] as const,
]);
const matrix: Row[] = [];

test.each(GROUPS)(
  "%s, %s: no fault makes a duplicate or an extra revision, and a run is green exactly when live is what was wanted",
  async (service, task) => {
    const wrong: string[] = [];
    if (task === "uploads") await uploadRows(service, matrix, wrong);
    else matrix.push(...(await taskRows(service, task, wrong)));
    expect(wrong).toEqual([]);
  },
);

test("contributing/fault-matrix.md holds the matrix", () => {
  const page = renderMatrix(matrix);
  const path = join(repositoryRoot, "contributing", "fault-matrix.md");
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(path, page);
  expect(readFileSync(path, "utf8")).toBe(page);
});

function renderMatrix(rows: readonly Row[]): string {
  const total = (pick: (row: Row) => number): number =>
    rows.reduce((sum, row) => sum + pick(row), 0);
  return `# The fault matrix

What happens to your deployment when one request of a run goes wrong? This page answers it for every request and every
fault. In short: no fault made a duplicate, an extra revision or a false green. The red cells are runs whose end nobody
can know, because the answer to a create was lost and the service has no list to look in. Such a run fails and says how
to find out.

The test \`__tests__/laws/fault-matrix.test.ts\` makes the page against the emulator, on a clock that the test moves.
It runs with every \`npm run test:laws\`. To write the page again:

\`\`\`
UPDATE_DOCS=1 npm run test:laws -- __tests__/laws/fault-matrix.test.ts
\`\`\`

"usual" is the service as it is known to run (contributing/service.md). "strict" has only what contributing/interface.md shows: no list
of deployments, names may repeat, a redeploy keeps the revision's id.

Faults: ${Object.keys(FAULTS).join(", ")}; and but for uploads a gateway's page in place of the answer: ${Object.keys(PAGES).join(", ")}. Each meets the first, the middle and the last call of the request. "after"
means that the service did what was asked before the fault showed.

A cell is green when the run ended as it must: deployed, updated in place, failed with the build and back on the revision
before, or deleted. The service then holds what the spec says, and the revision that the report names is the active one.
A red cell ends \`failed\`, reason \`unknown\`.

An upload ends as one whole experiment at the service. After a lost answer the run asks for it by name for 15 seconds,
and sends it again under the same name and id when there is none. On "strict" nobody can ask: the upload ends
\`unknown\` and says what to look for. A read-back that fails only warns. The lookup by name comes only after a lost
answer, and the look for duplicates only after a second sending: those cells have two faults.

| service | task | request | calls of a plain run | cells | green | unknown, red |
|---|---|---|---|---|---|---|
${rows.map((row) => `| ${row.service} | ${row.task} | ${row.route} | ${row.calls} | ${row.cells} | ${row.green} | ${row.unknown === 0 ? "0" : `${row.unknown}: ${[...new Set(row.reds)].join(", ")}`} |`).join("\n")}
| **all** | | | | **${total((row) => row.cells)}** | **${total((row) => row.green)}** | **${total((row) => row.unknown)}** |
`;
}

test.each(Object.keys(FAULTS))("an upload only warns if every read-back meets %s", async (name) => {
  const { report, wrong } = await runUploadCell(
    {},
    [{ ...FAULTS[name]!, route: "GET /api/v1/sessions/{id}", nth: 1, times: 0 }],
    false,
  );
  expect([report.outcome, wrong]).toEqual(["uploaded", []]);
  if (!["drip", "refuse next"].includes(name))
    expect(report.warnings.join(" ")).toMatch(/could not be read back/);
});
