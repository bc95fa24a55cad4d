// Requests and wall time of whole runs against an emulator in another process, behind a fixed latency.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { print } from "./figure.mjs";
import { liveBodies, runCli, specOf, startService } from "./service.mjs";

const LATENCY_MS = 20;
const CONCURRENCY = 8;
const folder = mkdtempSync(join(tmpdir(), "agent-deploy-bench-"));

for (const count of [1, 100, 1000]) {
  const bodies = liveBodies(count);
  const service = await startService(bodies, { latencyMs: LATENCY_MS });
  const run = async (...args) =>
    (
      await runCli({
        url: service.url,
        folder,
        args: [...args, "--concurrency", String(CONCURRENCY)],
      })
    ).ms;
  writeFileSync(join(folder, "names.yml"), specOf(bodies, { withId: false }));
  writeFileSync(join(folder, "ids.yml"), specOf(bodies, { withId: true }));
  await run("plan", "names.yml");
  print(`no-op plan of ${count} by name: requests`, service.take().length, "");
  const idsMs = await run("plan", "ids.yml");
  const requests = service.take().length;
  print(`no-op plan of ${count} by id: requests`, requests, "", String(count));
  const noneMs = await run("validate", "ids.yml");
  const boundMs = Math.max((requests * LATENCY_MS) / CONCURRENCY, requests * 10);
  if (count === 1000)
    print(
      "no-op plan of 1000 by id: time over the bound of latency ÷ concurrency and the rate budget",
      (idsMs - noneMs) / boundMs,
      "×",
      "≤ 1.2",
    );
  await service.close();
}
rmSync(folder, { recursive: true, force: true });
