import { describe, expect, test } from "@jest/globals";
import { REGIONS } from "../../src/model/name-rules.ts";
import { resolveAddresses, tracingUrl, type Addresses } from "../../src/service/addresses.ts";

const resolve = (controlPlaneUrl?: string, tracing?: string, region = "us"): readonly string[] => {
  const found = resolveAddresses({ region, controlPlaneUrl, tracingUrl: tracing });
  return found.kind === "addresses"
    ? [found.controlPlane, found.tracing, found.ui]
    : [found.message.slice(0, found.message.indexOf(":")), found.message];
};

describe("addresses", () => {
  test.each([
    ["us", ""],
    ["eu", "eu."],
    ["apac", "apac."],
    ["aws", "aws."],
  ])("of region %s are the hosted ones", (region, prefix) => {
    expect(resolve(undefined, "", region)).toEqual([
      `https://${prefix}api.host.langchain.com`,
      `https://${prefix}api.smith.langchain.com`,
      `https://${prefix}smith.langchain.com`,
    ]);
  });
  test("of another region do not exist, and the error lists the regions", () => {
    expect(REGIONS).toEqual(["us", "eu", "apac", "aws"]);
    expect(resolve(undefined, undefined, "de")).toEqual([
      "region",
      'region: there is no region "de"; use one of us, eu, apac, aws',
    ]);
    expect(resolve(undefined, undefined, "constructor")[0]).toBe("region");
  });
  test.each([
    ["https://acme.example/api-host", "https://acme.example/api", "https://acme.example"],
    ["https://acme.example/ai/api-host/", "https://acme.example/ai/api", "https://acme.example/ai"],
    [
      "https://acme.example:8443/api-host//",
      "https://acme.example:8443/api",
      "https://acme.example:8443",
    ],
    [
      "https://eu.api.host.langchain.com",
      "https://eu.api.smith.langchain.com",
      "https://eu.smith.langchain.com",
    ],
    [
      "https://api.host.langchain.com/",
      "https://api.smith.langchain.com",
      "https://smith.langchain.com",
    ],
    ["http://127.0.0.1:1234", "http://127.0.0.1:1234", "http://127.0.0.1:1234"],
    ["http://localhost:80/", "http://localhost", "http://localhost"],
    ["http://[::1]:1234", "http://[::1]:1234", "http://[::1]:1234"],
    ["http://localhost:9/api-host", "http://localhost:9/api", "http://localhost:9"],
  ])("follow from only control-plane-url %s", (given, tracing, ui) => {
    expect(resolve(given)).toEqual([given.replace(":80/", "").replace(/\/+$/, ""), tracing, ui]);
  });
  test.each([
    ["https://acme.example/api", "https://acme.example/api-host", "https://acme.example"],
    ["https://acme.example/api/v1/", "https://acme.example/api-host", "https://acme.example"],
    ["https://acme.example", "https://acme.example/api-host", "https://acme.example"],
    [
      "https://apac.api.smith.langchain.com",
      "https://apac.api.host.langchain.com",
      "https://apac.smith.langchain.com",
    ],
    ["http://127.0.0.2:1234/", "http://127.0.0.2:1234", "http://127.0.0.2:1234"],
  ])("follow from only tracing-url %s", (given, controlPlane, ui) => {
    expect(resolve(undefined, given)).toEqual([controlPlane, given.replace(/\/+$/, ""), ui]);
  });
  test("are required if the given one does not imply them, and never the region's", () => {
    expect(resolve("https://control.acme.example")[0]).toBe("tracing-url");
    expect(resolve("https://acme.example/control")[1]).toMatch(/^tracing-url: is needed as well/);
    expect(resolve(undefined, "https://acme.example/traces", "eu")[0]).toBe("control-plane-url");
    expect(resolve("https://control.acme.example", "https://traces.acme.example/api")).toEqual([
      "https://control.acme.example",
      "https://traces.acme.example/api",
      "https://traces.acme.example",
    ]);
  });
  test("of the hosted service are never combined with a given one", () => {
    for (const given of [
      "https://a.example/api-host",
      "http://localhost:1",
      "https://a.example/x",
      "https://a.example",
    ]) {
      for (const region of REGIONS) {
        expect(resolve(given, undefined, region).join(" ")).not.toContain("langchain");
        expect(resolve(undefined, given, region).join(" ")).not.toContain("langchain");
      }
    }
  });
  test.each([
    "http://acme.example/api-host",
    "http://127.evil.example",
    "http://127.0.0.1.evil.example",
    "http://localhost.evil.example",
    "http://10.0.0.1",
    "http://[::2]",
    "http://0.0.0.0",
  ])("must not be plain http: %s is refused", (given) => {
    expect(resolve(given)).toEqual(["control-plane-url", expect.stringContaining("plain http")]);
    expect(resolve("https://a.example/api-host", given)).toEqual([
      "tracing-url",
      expect.stringContaining("plain http"),
    ]);
  });
  test.each([
    "ftp://a.example",
    "a.example",
    "localhost:1234",
    "//a.example",
    "https://",
    "file:///etc/passwd",
  ])("must be URLs: %s is refused", (given) => {
    expect(resolve(given)).toEqual(["control-plane-url", expect.stringContaining("is not a URL")]);
  });
  test("with user info, a query or a fragment are refused without repeating it", () => {
    for (const given of [
      "https://bob:hunter2@a.example/api-host",
      "https://hunter2@a.example/api-host",
      "https://a.example/api-host?key=hunter2",
      "https://a.example/api-host#hunter2",
    ]) {
      const [input, message] = resolve(given);
      expect(input).toBe("control-plane-url");
      expect(message).not.toContain("hunter2");
    }
  });
  test("come with the input that decided each", () => {
    expect((resolveAddresses({ region: "eu" }) as Addresses).inputs).toEqual({
      controlPlane: "region",
      tracing: "region",
    });
    expect(
      (resolveAddresses({ region: "eu", tracingUrl: "https://a.example/api" }) as Addresses).inputs,
    ).toEqual({ controlPlane: "tracing-url", tracing: "tracing-url" });
  });
  test("for tracing never repeat a path that the base already has", () => {
    for (const [base, url] of [
      ["https://a.example/api", "https://a.example/api/v1/sessions"],
      ["https://a.example/api/v1", "https://a.example/api/v1/sessions"],
      ["https://a.example", "https://a.example/api/v1/sessions"],
      ["https://a.example/x/api", "https://a.example/x/api/v1/sessions"],
      ["https://api", "https://api/api/v1/sessions"],
    ] as const)
      expect(tracingUrl(base, "/api/v1/sessions")).toBe(url);
  });
});
