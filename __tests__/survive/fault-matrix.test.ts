import { expect, test } from "@jest/globals";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultRule } from "../../src/emulator/fault.ts";
import { repositoryRoot } from "../support/tree.ts";
import { ERRANDS, runCell, SERVICES } from "./fault-cell.ts";
import { runUploadCell, UPLOAD, UPLOADS } from "./upload-cell.ts";

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
/** Faults that leave a write surely untaken, or answered. */
const CLEAR = ["429 + Retry-After", "429", "redirect", "refuse next", "drip"];

interface Row {
  readonly service: string;
  readonly errand: string;
  readonly route: string;
  readonly calls: number;
  green: number;
  unknown: number;
  cells: number;
  readonly reds: string[];
}

async function routesOf(errand: string, service: string): Promise<Map<string, number>> {
  const { flow, wrong } = await runCell(ERRANDS[errand]!, SERVICES[service]!, [], false);
  expect([errand, service, wrong]).toEqual([errand, service, []]);
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
  for (const [errand, { service: kind, before, onlyWithLookup }] of Object.entries(UPLOADS)) {
    if (onlyWithLookup && service === "strict") continue;
    const options = { ...SERVICES[service]!, ...kind };
    const lost = before.length > 0;
    const plain = await runUploadCell(options, before, lost && service === "strict");
    for (const what of plain.wrong) wrong.push(`${service} · ${errand}: ${what}`);
    for (const [route, calls] of countsOf(plain.calls)) {
      // The first sending has its fault already.
      const nths = nthsOf(calls).filter((nth) => !(lost && route === UPLOAD && nth === 1));
      if (nths.length === 0) continue;
      const row: Row = { service, errand, route, calls, green: 0, unknown: 0, cells: 0, reds: [] };
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
            wrong.push(`${service} · ${errand} · ${route} · ${name} (call ${nth}): ${what}`);
        }
      }
    }
  }
}

/** Minutes of processor time: the nightly workflow runs it; the simulation and the green law try samples of the same in every run. */
const whole = process.env["FAULT_MATRIX"] === "1" ? test : test.skip;
if (process.env["FAULT_MATRIX"] !== "1")
  process.stdout.write("skipped: the fault matrix; FAULT_MATRIX=1 runs it\n");

whole(
  "every route × every fault: no twin, no extra revision, and green exactly when live is what was wanted",
  async () => {
    const rows: Row[] = [];
    const wrong: string[] = [];
    for (const service of Object.keys(SERVICES)) {
      for (const [errand, what] of Object.entries(ERRANDS)) {
        if (what.notStrict && service === "strict") continue;
        for (const [route, calls] of await routesOf(errand, service)) {
          if (what.only?.test(route) === false) continue;
          const row: Row = {
            service,
            errand,
            route,
            calls,
            green: 0,
            unknown: 0,
            cells: 0,
            reds: [],
          };
          rows.push(row);
          for (const [name, fault] of Object.entries(FAULTS)) {
            for (const nth of nthsOf(calls)) {
              const undecidable =
                service === "strict" && route === "POST /v2/deployments" && !CLEAR.includes(name);
              const end = await runCell(
                what,
                SERVICES[service]!,
                [{ ...fault, route, nth }],
                undecidable,
              );
              row.cells += 1;
              if (end.right) row.green += 1;
              else {
                row.unknown += 1;
                row.reds.push(name);
              }
              for (const line of end.wrong)
                wrong.push(`${service} · ${errand} · ${route} · ${name} (call ${nth}): ${line}`);
            }
          }
        }
      }
      await uploadRows(service, rows, wrong);
    }
    const page = renderMatrix(rows);
    console.log(page);
    expect(wrong).toEqual([]);
    const path = join(repositoryRoot, "docs", "fault-matrix.md");
    if (process.env["UPDATE_DOCS"] === "1") writeFileSync(path, page);
    expect(readFileSync(path, "utf8")).toBe(page);
  },
  1_200_000,
);

function renderMatrix(rows: readonly Row[]): string {
  const total = (pick: (row: Row) => number): number =>
    rows.reduce((sum, row) => sum + pick(row), 0);
  return `# The fault matrix

Every request of a run × every fault, one at a time, against the emulator on a manual clock. Made by

\`\`\`
UPDATE_DOCS=1 npm test -- __tests__/survive/fault-matrix.test.ts
\`\`\`

and checked by the same test without the variable. "usual" is the service as it is known to run; "strict" has what the interface
document alone shows: no list of deployments, names may be twins, a redeploy keeps the revision's id.

Faults: ${Object.keys(FAULTS).join(", ")}; each at the first, middle and last call of the route. "after" = the service
did what was asked before the fault showed.

In every cell: at most one deployment of the name and no revision more than asked for. A green cell ended as its errand must (deployed;
updated in place; failed with the build, and back on the revision before; deleted), the service holds what the spec says, and the
revision that the report names is the active one. A red cell is one that nobody can decide: the answer to a create was lost on a
service without a list of deployments. It ends \`failed\`, reason \`unknown\`, and says what is unknown and how to find out.

An upload is one experiment at the service, whole, and green; or \`unknown\`, red, with what to look for: only where its answer was lost
and the service cannot be asked by name (strict). Where it can, it is asked for 15 seconds; when it shows none, the upload is sent
again under the same name and id. A read-back that fails only warns. The lookup by name is asked only after a lost answer, and the
look for twins only after a second sending: those cells have two faults.

| service | errand | request | calls of a plain run | cells | green | unknown, red |
|---|---|---|---|---|---|---|
${rows.map((row) => `| ${row.service} | ${row.errand} | ${row.route} | ${row.calls} | ${row.cells} | ${row.green} | ${row.unknown === 0 ? "0" : `${row.unknown}: ${[...new Set(row.reds)].join(", ")}`} |`).join("\n")}
| **all** | | | | **${total((row) => row.cells)}** | **${total((row) => row.green)}** | **${total((row) => row.unknown)}** |
`;
}

test.each(Object.keys(FAULTS))(
  "a read-back of an upload that meets %s every time only warns",
  async (name) => {
    const { report, wrong } = await runUploadCell(
      {},
      [{ ...FAULTS[name]!, route: "GET /api/v1/sessions/{id}", nth: 1, times: 0 }],
      false,
    );
    expect([report.outcome, wrong]).toEqual(["uploaded", []]);
    if (!["drip", "refuse next"].includes(name))
      expect(report.warnings.join(" ")).toMatch(/could not be read back/);
  },
);
