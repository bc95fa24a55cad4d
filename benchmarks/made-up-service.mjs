// A service that keeps one experiment of a number of rows and makes them up as they are asked for, so that it holds none:
// node made-up-service.mjs ROWS METRICS. Its address is the first line.
import { createHash } from "node:crypto";
import { createServer } from "node:http";

const [rows, metrics] = process.argv.slice(2).map(Number);
export const DATASET = "11111111-1111-4111-8111-111111111111";
const SESSION = "22222222-2222-4222-8222-222222222222";
const session = {
  id: SESSION,
  name: "base",
  reference_dataset_id: DATASET,
  start_time: "2026-01-01T00:00:00Z",
  run_count: rows,
  extra: { metadata: {} },
};

/** The text of a row's question, as the results that are compared with it have it. */
export const questionOf = (row) => `What is item number ${row} of the list?`;

function exampleOf(row) {
  const id = createHash("md5").update(String(row)).digest("hex");
  const uuid = `${id.slice(0, 8)}-${id.slice(8, 12)}-4${id.slice(13, 16)}-8${id.slice(17, 20)}-${id.slice(20)}`;
  const stats = Object.fromEntries(
    Array.from({ length: metrics }, (_, m) => [
      `metric_${m}`,
      { n: 1, avg: m % 2 === 0 ? Number(row % 10 !== m) : ((row * 7 + m) % 100) / 100 },
    ]),
  );
  const run = {
    id: uuid,
    session_id: SESSION,
    start_time: "2026-01-01T00:00:00",
    end_time: "2026-01-01T00:00:01.500",
    outputs: { answer: `answer ${row % 9}` },
    feedback_stats: stats,
  };
  return { id: uuid, inputs: { question: questionOf(row) }, outputs: {}, runs: [run] };
}

function answer(request, body) {
  if (request.method === "POST" && request.url.endsWith(`/datasets/${DATASET}/runs`)) {
    const { limit, offset } = JSON.parse(body);
    const length = Math.max(0, Math.min(limit, rows - offset));
    return Array.from({ length }, (_, at) => exampleOf(offset + at));
  }
  return request.url.includes("/sessions?") ? [session] : session;
}

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const text = JSON.stringify(answer(request, body));
  response.writeHead(200, { "content-type": "application/json" }).end(text);
});
if (process.argv[1]?.endsWith("made-up-service.mjs"))
  server.listen(0, "127.0.0.1", () =>
    console.log(
      `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`,
    ),
  );
