import { describe, expect, test } from "@jest/globals";
import { toAuthHeaders } from "../../src/service/credentials.ts";

describe("credentials", () => {
  test("of each kind have their own header, on their own or together", () => {
    expect(toAuthHeaders({ apiKey: "k" })).toEqual({
      kind: "headers",
      headers: { "X-Api-Key": "k" },
    });
    expect(toAuthHeaders({ apiKey: " k\n", tenantId: "t" })).toEqual({
      kind: "headers",
      headers: { "X-Api-Key": "k", "X-Tenant-Id": "t" },
    });
    expect(toAuthHeaders({ apiKey: "", tenantId: "t", bearerToken: "b" })).toEqual({
      kind: "headers",
      headers: { "X-Tenant-Id": "t", Authorization: "Bearer b" },
    });
    expect(toAuthHeaders({ apiKey: "k", tenantId: "t", bearerToken: "b" })).toMatchObject({
      headers: { "X-Api-Key": "k", Authorization: "Bearer b" },
    });
  });
  test("that are missing, incomplete or invalid are reported with the input, and without values", () => {
    expect(toAuthHeaders({ bearerToken: "b" })).toMatchObject({
      kind: "problem",
      input: "tenant-id",
    });
    expect(toAuthHeaders({})).toMatchObject({
      kind: "problem",
      input: "api-key",
      message: expect.stringContaining("does not exist or is not passed"),
    });
    const pasted = toAuthHeaders({ apiKey: "sk\nX-Evil: 1" });
    expect(pasted).toMatchObject({ kind: "problem", input: "api-key" });
    expect(JSON.stringify(pasted)).not.toContain("Evil");
    expect(toAuthHeaders({ apiKey: "k", tenantId: "“t”" })).toMatchObject({
      kind: "problem",
      input: "tenant-id",
    });
  });
});
