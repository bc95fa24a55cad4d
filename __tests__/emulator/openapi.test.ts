import { afterEach, describe, expect, test } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { readFileSync } from "node:fs";
import { container, locations, open, repohost, type Client } from "./client.ts";

const PATH = new URL("../fixtures/control-plane-openapi.json", import.meta.url);
const SERVICE = JSON.parse(readFileSync(PATH, "utf8")) as {
  paths: Record<string, Record<string, unknown>>;
};
/** Sign-in of agents to other services: nothing that deploys asks for it, and the emulator keeps none of it. */
const LEFT_OUT = "/v2/auth/";
const NOWHERE = "11111111-1111-4111-8111-111111111111";

const ajv = new Ajv2020({ strict: false, allErrors: true });
(formats as unknown as { default?: (a: unknown) => void } & ((a: unknown) => void)).call(null, ajv);
ajv.addSchema(SERVICE, "service");

/** Holds a reply to a schema of the hosted service's own document. */
function conforms(name: string, value: unknown, list = false): void {
  const ref = { $ref: `service#/components/schemas/${name}` };
  const validate = ajv.compile(list ? { type: "array", items: ref, minItems: 1 } : ref);
  validate(value);
  expect(validate.errors ?? []).toEqual([]);
}

let client: Client;
afterEach(() => client.running.close());
const hosted = (body: any): any => {
  const { graph_config_path, ...rest } = body.source_revision_config;
  return {
    ...body,
    source: body.source === "repohost" ? "github" : "external_docker",
    source_revision_config: {
      ...rest,
      ...(graph_config_path === undefined ? {} : { langgraph_config_path: graph_config_path }),
    },
  };
};
const BODIES = {
  github: hosted(
    repohost({
      name: "repo",
      source_config: {
        integration_id: "11111111-1111-4111-8111-111111111111",
        deployment_type: "dev",
        build_on_push: true,
      },
      secrets: [{ name: "A", value: "a" }],
    }),
  ),
  external_docker: hosted(
    container({
      name: "box",
      source_config: {
        resource_spec: {
          cpu: 1,
          min_scale: 2,
          labels: { a: "b" },
          volumes: [{ name: "data", emptyDir: {} }],
          volume_mounts: [{ name: "data", mountPath: "/data" }],
          sidecars: [
            {
              name: "proxy",
              image: "envoy",
              env: [{ name: "A", value: "a" }],
              resources: { limits: { cpu: "1" } },
            },
          ],
          image_pull_secrets: [{ name: "pull" }],
        },
        listener_config: { k8s_namespace: "default" },
      },
    }),
  ),
};

describe.each(["document", "hosted"] as const)(
  "replies in the hosted spelling, read back %s,",
  (readback) => {
    test.each(Object.keys(BODIES) as (keyof typeof BODIES)[])(
      "of %s conform to the hosted service's own OpenAPI",
      async (source) => {
        client = await open({ readback });
        const made = await client.call("POST", "/v2/deployments", BODIES[source]);
        expect(made.status).toBe(201);
        conforms("Deployment", made.body);
        const at = `/v2/deployments/${made.body.id}`;
        const steps: (readonly [string, string, unknown, string])[] = [
          ["GET", at, undefined, "Deployment"],
          ["GET", `${at}/revisions/${made.body.latest_revision_id}`, undefined, "Revision"],
          ["GET", `${at}/revisions`, undefined, "RevisionsList"],
          ["PATCH", at, { secrets: [{ name: "B", value: "b" }] }, "Deployment"],
          [
            "POST",
            `${at}/revisions/${made.body.latest_revision_id}/redeploy`,
            undefined,
            "Deployment",
          ],
          ["GET", "/v2/deployments?limit=1", undefined, "DeploymentsList"],
          ["GET", "/v2/listeners", undefined, "ListenersList"],
        ];
        for (const [method, path, body, schema] of steps) {
          client.running.emulator.advance(70);
          const answered = await client.call(method, path, body);
          expect([method, path, answered.status]).toEqual([method, path, 200]);
          conforms(schema, answered.body);
        }
        conforms(
          "GithubIntegration",
          (await client.call("GET", "/v1/integrations/github/install")).body,
          true,
        );
      },
    );

    test("refuse a bad request with an HTTPValidationError", async () => {
      client = await open({ readback });
      const wrong = await client.call("POST", "/v2/deployments", {
        name: 1,
        source: "github",
        secrets: [{ name: "A" }],
      });
      expect(wrong.status).toBe(422);
      conforms("HTTPValidationError", wrong.body);
      expect(wrong.body.detail.map(({ loc }: { loc: string[] }) => loc.join("."))).toEqual([
        "body.name",
        "body.secrets.0.value",
        "body.source_config",
        "body.source_revision_config",
      ]);
      expect((await client.call("POST", "/v2/deployments", "{not json")).body.detail[0].type).toBe(
        "json_invalid",
      );
    });
  },
);

test("the emulator's own OpenAPI accepts null for optional values, as the emulator does", async () => {
  client = await open();
  const { paths } = (await client.call("GET", "/openapi.json")).body;
  const { schema } = paths["/v2/deployments"].post.requestBody.content["application/json"];
  const body = BODIES.external_docker;
  const sent = { ...body, source_config: { ...body.source_config, listener_id: null } };
  expect((await client.call("POST", "/v2/deployments", sent)).status).toBe(201);
  const validate = ajv.compile(schema);
  expect([validate(sent), validate.errors]).toEqual([true, null]);
  expect(validate({ ...sent, name: null })).toBe(false);
  expect(validate({ ...sent, source_config: { resource_spec: { cpu: "two" } } })).toBe(false);
});

test("the emulator's own OpenAPI lists what a PATCH can change, and types ids as UUIDs", async () => {
  client = await open();
  const { paths } = (await client.call("GET", "/openapi.json")).body;
  const bodyOf = (path: string, method: string): any => paths[path][method].requestBody;
  const one = "/v2/deployments/{deployment_id}";
  const patched = bodyOf(one, "patch").content["application/json"].schema;
  expect(Object.keys(patched.properties)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(name|source)$/)]),
  );
  const [id] = patched.properties.source_config.anyOf[0].properties.integration_id.anyOf;
  expect(id).toMatchObject({ type: "string", format: "uuid" });
  expect(bodyOf(`${one}/revisions`, "post").required).toBe(false);
  const { id: made } = await client.create(container());
  const renamed = await client.call("PATCH", `/v2/deployments/${made}`, { name: "other" });
  expect([renamed.status, renamed.body.detail]).toEqual([400, expect.stringContaining("name")]);
});

test("listeners have the form of the hosted service's own document", async () => {
  client = await open();
  const created = { compute_type: "k8s", compute_id: "east", compute_config: {} };
  const made = await client.call("POST", "/v2/listeners", created);
  expect(made.status).toBe(201);
  conforms("Listener", made.body);
  const at = `/v2/listeners/${made.body.id}`;
  const again = await client.call("POST", "/v2/listeners", created);
  expect([again.status, again.body.detail]).toEqual([
    409,
    expect.stringContaining("compute ID 'east' already exists."),
  ]);
  client.running.emulator.advance(1000);
  const namespaces = { compute_config: { k8s_namespaces: ["agents"] } };
  const changed = await client.call("PATCH", at, namespaces);
  conforms("Listener", changed.body);
  expect(changed.body).toMatchObject({ ...namespaces, compute_id: "east" });
  expect(changed.body.updated_at > changed.body.created_at).toBe(true);
  const kept = await client.call("PATCH", at, { version: "0.2", compute_config: null });
  expect([kept.body.version, kept.body.compute_config]).toEqual(["0.2", namespaces.compute_config]);
  expect((await client.call("GET", at)).body).toEqual(kept.body);
  expect((await client.call("DELETE", at)).status).toBe(204);
  for (const [method, body] of [
    ["GET", undefined],
    ["PATCH", {}],
    ["DELETE", undefined],
  ] as const)
    expect((await client.call(method, at, body)).status).toBe(404);
});

test.each([
  [{}, ["body.compute_type", "body.compute_id", "body.compute_config"]],
  [
    { compute_type: "vm", compute_id: 1, compute_config: [] },
    ["body.compute_type", "body.compute_id", "body.compute_config"],
  ],
  [
    { compute_type: "k8s", compute_id: "a", compute_config: { k8s_namespaces: [1] } },
    ["body.compute_config.k8s_namespaces.0"],
  ],
  [[], ["body"]],
])("a listener that is %j is refused", async (body, places) => {
  client = await open();
  const wrong = await client.call("POST", "/v2/listeners", body);
  expect(wrong.status).toBe(422);
  conforms("HTTPValidationError", wrong.body);
  expect(wrong.body.detail.map(({ loc }: { loc: string[] }) => loc.join("."))).toEqual(places);
});

describe("the hosted service's own OpenAPI", () => {
  const operations = Object.entries(SERVICE.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
  );

  test.each(operations.filter(([, path]) => !path.startsWith(LEFT_OUT)))(
    "has %s %s, which the emulator answers",
    async (method, path) => {
      client = await open();
      const at = path.replaceAll(/\{[^}]*\}/g, NOWHERE);
      const { status, body } = await client.call(method, at);
      expect([200, 404, 422]).toContain(status);
      // The 404 of a route that is there names what is not.
      expect(body?.detail).not.toBe("Not Found");
    },
  );

  test.each(operations.filter(([, path]) => path.startsWith(LEFT_OUT)))(
    "has %s %s, which the emulator refuses as not implemented",
    async (method, path) => {
      client = await open();
      const refused = await client.call(method, path.replaceAll(/\{[^}]*\}/g, NOWHERE));
      expect([refused.status, refused.body.detail]).toEqual([
        501,
        "The emulator keeps no OAuth providers, tokens and connections of agents.",
      ]);
    },
  );

  test("has the same integrations and repositories under Forge and GitHub", async () => {
    const repos = [{ id: 1, name: "agents" }];
    client = await open({ seed: { integrations: [{ name: "acme", repos }] } });
    for (const root of ["/v1/integrations/github", "/v1/integrations/forge/github"]) {
      const found = await client.call("GET", `${root}/install`);
      conforms("GithubIntegration", found.body, true);
      const read = await client.call("GET", `${root}/${found.body[0].id}/repos`);
      conforms("GithubRepository", read.body, true);
      expect(read.body[0]).toMatchObject({ owner: "acme", name: "agents" });
      const unknown = await client.call("GET", `${root}/${NOWHERE.replaceAll("1", "2")}/repos`);
      expect(unknown.status).toBe(404);
      expect(locations(await client.call("GET", `${root}/none/repos`))).toEqual([
        "path.integration_id",
      ]);
    }
  });

  test("has endpoints that the strict interface document lacks", async () => {
    client = await open({ strict: true });
    for (const path of ["/v1/integrations/forge/github/install", `${LEFT_OUT}providers`])
      expect((await client.call("GET", path)).body).toEqual({ detail: "Not Found" });
  });
});
