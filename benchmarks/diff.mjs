// 10,000 documents with a full resource_spec against their live deployments: one in ten differs.
import { planDeployment } from "#built/plan/decision.js";
import { print } from "./figure.mjs";
import { planRequest } from "./plan-requests.mjs";

const COUNT = 10_000;
for (const reply of ["as sent", "spelled out"]) {
  const title =
    reply === "as sent"
      ? "10,000 documents"
      : "10,000 documents, every field spelled out in the replies";
  const requests = Array.from({ length: COUNT }, (_, index) => planRequest(index, reply));
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const [begin, used] = [process.hrtime.bigint(), process.cpuUsage()];
  const planned = requests.map(planDeployment);
  const { user, system } = process.cpuUsage(used);
  print(title, Number(process.hrtime.bigint() - begin) / 1e9, "s", "< 2");
  print(`${title}: CPU time`, (user + system) / 1e6, "s");
  print(
    `${title}: found changed`,
    planned.filter(({ steps }) => steps.length > 0).length,
    "of 10,000",
  );
  if (reply !== "as sent") continue;
  globalThis.gc?.();
  print(
    `${title}: memory the plans keep`,
    (process.memoryUsage().heapUsed - before) / 2 ** 20,
    "MB",
  );
}
