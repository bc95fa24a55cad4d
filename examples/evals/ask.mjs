// Writes one row per question and repeat: what was asked, what the agent answered, and whether the
// expected word is in the answer. A request that fails is a row with an error, so it counts as a crash.
import { readFileSync } from "node:fs";

const [, , url, repeats] = process.argv;
const headers = { "content-type": "application/json" };
if (process.env.AGENT_API_KEY) headers["x-api-key"] = process.env.AGENT_API_KEY;

async function ask(question) {
  const response = await fetch(`${url.replace(/\/$/, "")}/runs/wait`, {
    method: "POST",
    headers,
    body: JSON.stringify({
      assistant_id: process.env.ASSISTANT ?? "agent",
      input: { messages: [{ role: "user", content: question }] },
    }),
    signal: AbortSignal.timeout(60_000),
  });
  if (!response.ok) throw new Error(`the agent answered ${response.status}`);
  const { messages } = await response.json();
  return String(messages.at(-1).content);
}

// If an agent ends the connection without an answer, only this keeps Node waiting for the timeout.
const alive = setInterval(() => {}, 60_000);
const lines = readFileSync(new URL("questions.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
for (const line of lines) {
  const { question, expected } = JSON.parse(line);
  for (let repeat = 0; repeat < Number(repeats); repeat += 1) {
    const row = {
      inputs: { question },
      expected_outputs: { answer: expected },
      start_time: new Date().toISOString(),
    };
    try {
      const answer = await ask(question);
      row.actual_outputs = { answer };
      const score = answer.toLowerCase().includes(expected.toLowerCase()) ? 1 : 0;
      row.evaluation_scores = [{ key: "correctness", score }];
    } catch (error) {
      row.error = error.message;
      row.evaluation_scores = [];
    }
    console.log(JSON.stringify({ ...row, end_time: new Date().toISOString() }));
  }
}
clearInterval(alive);
