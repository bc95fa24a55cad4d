import { afterEach, expect, test } from "@jest/globals";
import { open, repohost, type Client } from "./client.ts";
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

test("the page shows each deployment with the timeline of its revisions, and neither a secret nor anybody's markup", async () => {
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

test("the page compares two experiments, by default the newest with the one before", async () => {
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
    /correct<\/th><td class="n">0\.500<\/td><td class="n">0\.750<\/td><td class="n">\+0\.250/,
  );
  expect(await page(`?base=${second}&head=${first}`)).toMatch(
    /0\.750<\/td><td class="n">0\.500<\/td><td class="n">−0\.250/,
  );
});
