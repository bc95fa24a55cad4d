// Requests and wall time of whole runs against an emulator in another process, with a fixed latency.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, print } from "./figure.mjs";
import { liveBodies, runCli, specOf, startService } from "./service.mjs";

const LATENCY_MS = 20;
const CONCURRENCY = 8;
/** The list answers to its end in 11 pages, four of them under way at a time. */
const MAX_REQUESTS = {
  1: { name: 4, id: 2 },
  100: { name: 2, id: 2 },
  1000: { name: 11, id: 11 },
};
const folder = mkdtempSync(join(tmpdir(), "agent-deploy-bench-"));

for (const count of [1, 100, 1000]) {
  const bodies = liveBodies(count);
  const service = await startService(bodies, { latencyMs: LATENCY_MS });
  const args = ["plan", "spec.yml", "--concurrency", String(CONCURRENCY)];
  for (const by of ["name", "id"]) {
    writeFileSync(join(folder, "spec.yml"), specOf(bodies, { withId: by === "id" }));
    const { ms, cpuMs } = await runCli({ url: service.url, folder, args });
    const requests = service.take().length;
    print(
      `no-op plan of ${count} by ${by}: requests`,
      requests,
      "",
      `≤ ${MAX_REQUESTS[count][by]}`,
    );
    if (count < 1000) continue;
    print(`no-op plan of ${count} by ${by}, ${LATENCY_MS} ms a request`, ms / 1000, "s", "≤ 1.2");
    print("of it CPU time", cpuMs / 1000, "s");
  }
  await service.close();
}

/** A plan of one by name waits twice: for both ends of the list at once, then for the deployment and its latest revision. */
const SLOW_MS = 30;
const WAITS = 2;
const service = await startService(liveBodies(1), { latencyMs: SLOW_MS });
writeFileSync(join(folder, "spec.yml"), specOf(liveBodies(1), { withId: false }));
/** @type {{ plan: number[], refused: number[] }} */
const timed = { plan: [], refused: [] };
for (let turn = 0; turn < 9; turn++) {
  timed.plan.push((await runCli({ url: service.url, folder, args: ["plan", "spec.yml"] })).ms);
  const refused = {
    url: "http://127.0.0.1:9",
    folder,
    args: ["plan", "spec.yml", "--timeout", "1ms"],
  };
  timed.refused.push((await runCli(refused)).ms);
}
const [planMs, startMs] = [median(timed.plan), median(timed.refused)];
print(`no-op plan of one by name, ${SLOW_MS} ms a request`, planMs, "ms");
print(
  "the same over the bound of its start and its requests",
  planMs / (startMs + WAITS * SLOW_MS),
  "×",
  "≤ 1.4",
);
await service.close();
rmSync(folder, { recursive: true, force: true });
