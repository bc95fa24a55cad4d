import { expect, test } from "@jest/globals";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { selfSigned } from "../support/self-signed.ts";
import { createServer as createSilent } from "node:net";
import { createWire } from "../../src/service/exchange.ts";
import { httpFor } from "./fake-service.ts";

test("an untrusted certificate is reported at once, with the variable to set, and the key is not sent", async () => {
  const pair = selfSigned();
  if (pair === null) {
    console.log("skipped: no openssl on this machine");
    return;
  }
  let seen = 0;
  const server = createServer(pair, (_, response) => {
    seen += 1;
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { http, retries } = httpFor(base);
  const told = await http
    .read({ url: `${base}/v2/x` }, (json) => json)
    .catch((error: Error) => error.message);
  expect(told).toMatch(
    /nothing was sent: the certificate of 127\.0\.0\.1:\d+ is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. With a private CA, set NODE_EXTRA_CA_CERTS/,
  );
  expect(
    await http.write(
      { method: "POST", url: `${base}/v2/x`, route: "write", body: "{}" },
      (json) => json,
    ),
  ).toMatchObject({ state: "refused", status: 0 });
  expect([seen, retries]).toEqual([0, []]);
  await http.close();
  server.close();
});

test("a request with an aborted signal ends as aborted, even if the connection never opens", async () => {
  const silent = createSilent();
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  const wire = createWire({ env: {} });
  const given = new AbortController();
  given.abort(new Error("given up"));
  const rule = { silenceMs: 60_000, freshConnection: true };
  const exchange = await wire.send({ method: "GET", url, headers: {} }, rule, null, given.signal);
  // By the limit of the connection the cause would be that limit.
  expect(exchange).toMatchObject({ kind: "no-answer", sent: false, code: "ABORTED" });
  expect((exchange as { cause: unknown }).cause).toBe(given.signal.reason);
  await wire.close();
  silent.close();
});
