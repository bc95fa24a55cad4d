import { describe, expect, test } from "@jest/globals";
import type { Exchange } from "../../src/service/exchange.ts";
import {
  serviceWords,
  shownUrl,
  toServiceError,
  type RequestStory,
} from "../../src/service/error-text.ts";

const STORY: RequestStory = {
  method: "GET",
  url: "https://api.example.com/v2/deployments/x",
  addressInput: "region",
  region: "us",
  bearer: false,
  tenant: false,
  redact: (text) => text,
};
const answer = (status: number, body: unknown, contentType = "application/json"): Exchange => ({
  kind: "answer",
  status,
  headers: { "content-type": contentType },
  text: typeof body === "string" ? body : JSON.stringify(body),
});
const of = (
  status: number,
  body: unknown,
  story: Partial<RequestStory> = {},
): ReturnType<typeof toServiceError> =>
  toServiceError(answer(status, body), { ...STORY, ...story });
const noAnswer = (code: string, sent = false, story: Partial<RequestStory> = {}): string =>
  toServiceError(
    { kind: "no-answer", code, sent, cause: null, bodyFailed: false },
    { ...STORY, ...story },
  ).message;
const words = (body: unknown, contentType = "application/json"): string =>
  serviceWords(typeof body === "string" ? body : JSON.stringify(body), contentType, (text) => text);

describe("the service's own message", () => {
  test.each([
    [{ detail: "Deployment ID x not found." }, "Deployment ID x not found."],
    [
      {
        detail: [
          {
            loc: ["body", "secrets", 0, "value"],
            msg: "field required",
            type: "missing",
            input: "hunter2",
            ctx: { given: "hunter2" },
          },
          { loc: ["path", "id"], msg: "not a uuid" },
        ],
      },
      "secrets.0.value: field required; path.id: not a uuid",
    ],
    [{ error: "Forbidden" }, "Forbidden"],
    [{ message: "no" }, "no"],
    [
      { error: "org_scoped_key_requires_workspace", message: "name one" },
      "org_scoped_key_requires_workspace: name one",
    ],
    [{ error: { message: "inner" } }, "inner"],
    [{ detail: { message: "inner" } }, "inner"],
    [{ detail: ["a", "b"] }, "a; b"],
    [{ secrets: [{ value: "hunter2" }] }, ""],
    [["hunter2"], ""],
    ["null", ""],
    ["{broken hunter2", ""],
  ])("%j", (body, expected) => {
    expect(words(body)).toBe(expected);
  });
  test("is a web page's title or first words, or a text's first line, all shortened to one line", () => {
    expect(
      words("<html><head><title>502 Bad\nGateway</title></head><body>nginx", "text/html"),
    ).toBe("502 Bad Gateway");
    expect(
      words("<!DOCTYPE html><style>x{}</style><h1>Sorry</h1><script>evil()</script> later", ""),
    ).toBe("Sorry later");
    expect(words(`upstream\r\n::error::forged${"x".repeat(1000)}`, "text/plain").length).toBe(200);
    expect(words(`upstream\r\n::error::forged`, "text/plain")).toBe("upstream ::error::forged");
    expect(words({ detail: "y".repeat(10_000) }).length).toBe(500);
  });
  test("is redacted before it is shortened, including user info in URLs", () => {
    const secret = "s".repeat(300);
    expect(
      serviceWords(
        JSON.stringify({ detail: `${"a".repeat(400)}${secret}` }),
        "application/json",
        (text) => text.replaceAll(secret, "***"),
      ),
    ).toBe(`${"a".repeat(400)}***`);
    expect(words({ detail: "cannot clone https://bob:hunter2@git.example.com/x" })).toBe(
      "cannot clone https://***@git.example.com/x",
    );
  });
});

describe("error texts", () => {
  test("have method, URL, status, the service's message, and what to do next", () => {
    expect(of(404, { detail: "Deployment ID x not found." }).message).toBe(
      "GET https://api.example.com/v2/deployments/x: 404: Deployment ID x not found. deployment-id takes a UUID; agent-deploy list shows the ids.",
    );
    expect(of(500, "").message).toBe(
      "GET https://api.example.com/v2/deployments/x: 500. The service failed; run again later, and ask its operator if it stays so.",
    );
  });
  test("of a 404 or 422 for a deployment say that the id is a UUID, unless it is one", () => {
    const hint = "deployment-id takes a UUID; agent-deploy list shows the ids.";
    const url = "https://api.example.com/v2/deployments/0b6f8f7e-3c1d-4c57-9a52-6f2b0d1c9e11";
    for (const status of [404, 422]) {
      expect(of(status, { detail: "Invalid uuid" }).message).toContain(hint);
      expect(of(status, { detail: "Invalid uuid" }, { url }).message).not.toContain(hint);
    }
  });
  test("of a 401 name the credential that was used", () => {
    expect(of(401, { detail: "Invalid token" })).toMatchObject({
      status: 401,
      input: "api-key",
      message: expect.stringMatching(
        /^API key rejected \(401\): GET \S+: 401: Invalid token\. The api-key is not accepted: check/,
      ),
    });
    expect(of(401, {}, { bearer: true })).toMatchObject({ input: "bearer-token" });
  });
  test("of a 403 name region, tenant-id and plan, with the most likely first", () => {
    expect(of(403, { detail: "Forbidden" })).toMatchObject({
      input: "region",
      message: expect.stringMatching(/Check region, now "us".*tenant-id.*plan/),
    });
    expect(
      of(403, { error: "org_scoped_key_requires_workspace", message: "send X-Tenant-ID" }),
    ).toMatchObject({
      input: "tenant-id",
      message: expect.stringMatching(/Check tenant-id \(an organization key needs it\), region/),
    });
    expect(
      of(403, { detail: "LangSmith Deployment is not enabled for this organization" }).message,
    ).toMatch(/Check the plan or role/);
    expect(
      of(403, {}, { region: null, addressInput: "control-plane-url", tenant: true }).message,
    ).toMatch(
      /Check region \(the address comes from control-plane-url\).*may not act on that workspace/,
    );
  });
  test.each([
    [400, "The service does not say why: check the values that were sent."],
    [409, "exists already"],
    [413, "send less"],
    [422, "deployment-id takes a UUID"],
    [429, "lower concurrency"],
    [503, "run again later"],
    [418, "Check region"],
  ])("of a %i say what to do", (status, next) => {
    expect(of(status, {}).message).toContain(next);
  });
  test("of a refusal without a field point to what the service names", () => {
    expect(of(400, { detail: "cannot redeploy now" }).message).toMatch(
      /: cannot redeploy now\. Fix what the service names\.$/,
    );
  });
  test("of a failed connection give the cause, and whether anything was sent", () => {
    expect(noAnswer("ENOTFOUND")).toBe(
      "GET https://api.example.com/v2/deployments/x: nothing was sent: api.example.com cannot be resolved (ENOTFOUND). Check region, the network, and HTTPS_PROXY / NO_PROXY.",
    );
    expect(noAnswer("ECONNREFUSED")).toContain("refused the connection");
    expect(noAnswer("SELF_SIGNED_CERT_IN_CHAIN")).toContain("set NODE_EXTRA_CA_CERTS");
    expect(noAnswer("UNABLE_TO_VERIFY_LEAF_SIGNATURE")).toContain("NODE_EXTRA_CA_CERTS");
    expect(noAnswer("CERT_HAS_EXPIRED")).toContain("has expired");
    expect(noAnswer("ERR_TLS_CERT_ALTNAME_INVALID")).toContain("for another name");
    expect(noAnswer("ERR_SSL_WRONG_VERSION_NUMBER")).toContain("no TLS connection");
    expect(noAnswer("PROXY_407")).toContain("HTTPS_PROXY");
    expect(noAnswer("UND_ERR_TRY_TIMEOUT", true)).toContain(
      "no answer: api.example.com did not answer in time",
    );
    expect(noAnswer("ECONNRESET", true)).toContain(
      "no answer: the connection to api.example.com broke (ECONNRESET)",
    );
  });
  test("show a URL without user info, fragment, and query values that could be secret", () => {
    expect(
      shownUrl("https://bob:pw@a.example/x?limit=5&token=hunter2&name_contains=a%20b#frag"),
    ).toBe("https://a.example/x?limit=5&token=…&name_contains=a%20b");
    expect(shownUrl("hunter2")).not.toContain("hunter2");
  });
});
