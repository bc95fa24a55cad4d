import { afterEach, expect, test } from "@jest/globals";
import { container, open, repohost, type Client } from "./client.ts";
import { experiment, upload } from "./upload-body.ts";

let client: Client;
afterEach(() => client.running.close());
const page = async (query = ""): Promise<string> => (await client.call("GET", `/${query}`)).body;

test("the page of an empty emulator says what would fill it", async () => {
  client = await open();
  const { status, headers, body } = await client.call("GET", "/");
  expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(body).toMatch(/<html lang="en">.*None yet\..*POST \/v2\/deployments.*upload-experiment/s);
});

test("the page shows each deployment with the timeline of its revisions, without secrets and with markup escaped", async () => {
  client = await open({ revisions: [{ revision: 2, outcome: "build-failed" }] });
  const { id } = await client.create(
    repohost({ name: "<script>alert(1)</script>", secrets: [{ name: "A", value: "hush-value" }] }),
  );
  client.running.emulator.advance(1000);
  await client.call("PATCH", `/v2/deployments/${id}`, {
    source_revision_config: { repo_ref: "broken" },
  });
  client.running.emulator.advance(1000);
  const html = await page();
  expect(html).toMatch(
    /Revision 2 <b class="bad">BUILD_FAILED.*Revision 1 <b class="ok">DEPLOYED<\/b> · active/s,
  );
  expect(html).not.toMatch(/hush-value|<script/);
  for (const status of ["CREATING", "AWAITING_BUILD", "DEPLOYING"])
    expect(html).toContain(`<li class="run">${status}`);
});

test("the page compares two experiments, by default the newest with the previous one", async () => {
  client = await open();
  const scored = (score: number): any =>
    experiment({
      dataset_name: "suite",
      results: [{ ...experiment().results[0], evaluation_scores: [{ key: "correct", score }] }],
    });
  const first = (await upload(client, scored(0.5))).body.experiment.id;
  const second = (await upload(client, scored(0.75))).body.experiment.id;
  expect(await page()).toContain("not yet");
  client.running.emulator.advance(1000);
  expect(await page()).toMatch(
    /correct<\/th><td class="n">0\.500<\/td><td class="n">0\.750<\/td><td class="n">\+0\.250 <b class="ok">better/,
  );
  expect(await page(`?base=${second}&head=${first}`)).toMatch(
    /0\.750<\/td><td class="n">0\.500<\/td><td class="n">−0\.250 <b class="bad">worse/,
  );
});

test("a failed deployment comes first, with its phases to scale, its logs, requests and faults", async () => {
  client = await open({
    revisions: [{ deployment: "bad", outcome: "build-failed", log: ["npm ERR! <missing>"] }],
    faults: [{ route: "GET /v2/listeners", kind: "status" }],
  });
  await client.create(repohost({ name: "bad" }));
  await client.create(repohost({ name: "good" }));
  client.running.emulator.advance(1000);
  const html = await page();
  expect(html.indexOf("<h3>bad")).toBeLessThan(html.indexOf("<h3>good"));
  expect(html).toContain('style="flex:40" title="BUILDING 40 ms"');
  expect(html).toMatch(
    /<details open><summary>Logs<\/summary><pre>[^<]*ERROR npm ERR! &#60;missing&#62;/,
  );
  expect(html).toContain('<p class="why">npm ERR! &#60;missing&#62;</p>');
  expect(html).toMatch(/<summary>Spec<\/summary>.*&#34;graph_config_path&#34;: &#34;graph.json/s);
  expect(html).toMatch(/<summary>Requests: 2<\/summary>.*POST <code>\/v2\/deployments/s);
  expect(html).toMatch(
    /<summary>Faults: 1<\/summary>.*GET \/v2\/listeners.*met never, called never/s,
  );
});

test("a digest is truncated, with the full one in the tooltip", async () => {
  client = await open();
  const image = `registry.example.com/acme/agent@sha256:${"a".repeat(64)}`;
  await client.create(container({ source_revision_config: { image_uri: image } }));
  const html = await page();
  expect(html).toContain(`title="${image}"`);
  expect(html).toContain(`>registry.example.com/acme/agent@sha256:${"a".repeat(12)}…<`);
});

test("the page that experiment links point to compares row by row, with regressions first", async () => {
  client = await open();
  const rows = (scores: readonly number[]): any =>
    experiment({
      dataset_name: "suite",
      results: scores.map((score, i) => ({
        ...experiment().results[0],
        row_id: `33333333-3333-4333-8333-33333333333${i}`,
        inputs: { q: `question ${i}` },
        evaluation_scores: [{ key: "right", score }],
      })),
    });
  const first = (await upload(client, rows([1, 1, 0]))).body;
  const second = (await upload(client, rows([1, 0, 1]))).body;
  const { id, tenant_id } = first.dataset;
  const at = `/o/${tenant_id}/datasets/${id}/compare?selectedSessions=${first.experiment.id}%2C${second.experiment.id}`;
  const { body, headers } = await client.call("GET", at);
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(body.indexOf("question 1")).toBeLessThan(body.indexOf("question 0"));
  expect(body).toMatch(/worse<\/b> <code>q: question 1.*right 1.*right 0/s);
  expect(body).toMatch(/<code>q: question 0.*better<\/b> <code>q: question 2/s);
  // As anywhere else, there may be spaces around the ids of a list.
  expect((await client.call("GET", at.replace("%2C", "%2C%20"))).body).toBe(body);
});

test("an event is sent after every request, for the live page", async () => {
  client = await open();
  const stop = new AbortController();
  const { body, headers } = await fetch(`${client.running.url}/_emulator/events`, {
    signal: stop.signal,
  });
  expect(headers.get("content-type")).toBe("text/event-stream");
  const reader = body!.getReader();
  await reader.read();
  client.running.emulator.advance(5000);
  await client.call("GET", "/v2/listeners");
  let text = "";
  while (!text.includes("00:00:05")) text += new TextDecoder().decode((await reader.read()).value);
  stop.abort();
  expect((await client.call("GET", "/_emulator/live")).body).toContain("EventSource");
});
