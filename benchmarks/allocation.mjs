// Bytes that planning allocates, a document: the young generation is made so large (bench.mjs,
// check) that nothing is collected meanwhile.
import { planDeployment } from "../build/plan/decision.js";
import { print } from "./figure.mjs";
import { planRequest } from "./plan-requests.mjs";

const COUNT = 500;
for (const reply of ["as sent", "spelled out"]) {
  // Once over, so that what the engine allocates to learn the code is not counted.
  for (let index = 0; index < COUNT; index++) planDeployment(planRequest(index, reply));
  const requests = Array.from({ length: COUNT }, (_, index) => planRequest(index, reply));
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  for (const request of requests) planDeployment(request);
  print(
    `bytes allocated a document, replies ${reply}`,
    (process.memoryUsage().heapUsed - before) / COUNT,
    "",
  );
}
