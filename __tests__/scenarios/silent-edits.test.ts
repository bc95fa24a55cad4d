import { describe, expect, test } from "@jest/globals";
import {
  behind,
  CONTAINER,
  createDeployed,
  createStage,
  edit,
  expectEnd,
  REPOSITORY,
} from "./stage.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;
const RESOURCES = "{ min_scale: 1, max_scale: 3, cpu: 1, memory_mb: 1024 }";

/** A container next to the main one, with all that an edit could take away unseen. */
const SIDECAR = {
  name: "proxy",
  image: `registry.example.com/acme/proxy@${DIGEST}`,
  workingDir: "/srv",
  imagePullPolicy: "Never",
  env: [{ name: "LEVEL", value: "debug" }],
  volumeMounts: [{ name: "cache", mountPath: "/cache", readOnly: true }],
  securityContext: { privileged: true, runAsUser: 1000 },
};

const withSidecar = (sidecar: object): string =>
  edit(
    CONTAINER,
    RESOURCES,
    JSON.stringify({
      cpu: 1,
      memory_mb: 1024,
      volumes: [{ name: "cache", emptyDir: {} }],
      sidecars: [sidecar],
    }),
  );

describe("removing something of a container from the spec is a change", () => {
  const { workingDir: _, ...noFolder } = SIDECAR;
  const { imagePullPolicy: __, ...noPolicy } = SIDECAR;
  test.each<[string, object, (sidecar: any) => unknown]>([
    ["workingDir", noFolder, (one) => one.workingDir],
    ["imagePullPolicy", noPolicy, (one) => one.imagePullPolicy],
    [
      "the value of a variable",
      { ...SIDECAR, env: [{ name: "LEVEL" }] },
      (one) => one.env[0].value,
    ],
    [
      "readOnly",
      { ...SIDECAR, volumeMounts: [{ name: "cache", mountPath: "/cache" }] },
      (one) => one.volumeMounts[0].readOnly,
    ],
    [
      "privileged, a key of free-form JSON",
      { ...SIDECAR, securityContext: { runAsUser: 1000 } },
      (one) => one.securityContext.privileged,
    ],
  ])("%s", async (_name, edited, gone) => {
    const stage = await createDeployed(withSidecar(SIDECAR), { readback: "hosted" });
    stage.spec(withSidecar(edited));
    expectEnd(await stage.run(), { outcome: "deployed", changed: "true" });
    const { sidecars } = (await stage.live()).source_config.resource_spec;
    expect(sidecars).toHaveLength(1);
    expect(gone(sidecars[0])).not.toEqual(gone(SIDECAR));
    expectEnd(await stage.run(), { outcome: "unchanged" });
  });
});

test("with resource_spec: replace a key that the spec no longer has is removed, and {} removes all", async () => {
  const replaced = (resources: string): string =>
    `${edit(CONTAINER, RESOURCES, resources)}deploy: { resource_spec: replace }\n`;
  const stage = await createDeployed(replaced(RESOURCES), { readback: "hosted" });
  for (const resources of ["{ cpu: 2, memory_mb: 2048 }", "{}"]) {
    stage.forget();
    stage.spec(replaced(resources));
    expectEnd(await stage.run(), { outcome: "deployed", changed: "true" });
    expect(stage.patches()).toHaveLength(1);
    expectEnd(await stage.run(), { outcome: "unchanged" });
  }
  expect(stage.patches()).toEqual([{ source_config: { resource_spec: {} } }]);
});

test("removing a user and password from a URL is a change, and they are not shown", async () => {
  const before = edit(CONTAINER, "https://search", "https://ann:pass-of-ann@search");
  const stage = await createDeployed(before);
  stage.spec(CONTAINER);
  const run = await stage.run();
  expectEnd(run, { outcome: "updated", changed: "true" });
  expect(stage.patches()).toEqual([
    { source_config: { custom_url: "https://search.example.com" } },
  ]);
  expect(run.stdout.replace(/^::add-mask::.*$/gm, "")).not.toContain("pass-of-ann");
});

describe("an edit of a field that reads back as null is a change", () => {
  const hosted = (text: string): string =>
    edit(text, "external_container", "external_docker").replace(
      /^secrets:/m,
      "secret_references:\n  - { name: PASSWORD, secret_name: vault, secret_key: password }\nsecrets:",
    );
  test.each([
    [
      "build_command",
      edit(REPOSITORY, "install_command: npm ci", "build_command: npm run build"),
      "updated",
    ],
    ["repo_ref", REPOSITORY, "deployed"],
    ["image_uri", CONTAINER, "deployed"],
    ["secret_references", hosted(CONTAINER), "updated"],
  ] as const)("%s", async (field, spec, outcome) => {
    const stage = await createStage(
      spec,
      field === "secret_references" ? { readback: "hosted" } : {},
    );
    const run = await behind(stage, async ({ method, forward }) => {
      const reply = await forward();
      if (method !== "GET") return reply;
      const hide = (key: string, value: unknown): unknown => (key === field ? null : value);
      return { ...reply, body: JSON.stringify(JSON.parse(String(reply.body)), hide) };
    });
    // The first run knows that it was sent; what it compares with is what the service shows.
    await run();
    stage.forget();
    const end = await run();
    expectEnd(end, { outcome, changed: "true" });
    expect(JSON.stringify(stage.patches())).toContain(`"${field}"`);
    expect(end.stdout).not.toContain("live is what the spec says");
  });
});

test("a changed field that is fixed at creation and not returned is named, and the headline does not claim that live matches", async () => {
  const spaced = (name: string): string =>
    edit(
      CONTAINER,
      "source_config:\n",
      `source_config:\n  listener_config: { k8s_namespace: ${name} }\n`,
    );
  const stage = await createDeployed(spaced("default"), { readback: "hosted" });
  stage.spec(spaced("second"));
  const end = await stage.run();
  expectEnd(end, { outcome: "unchanged", changed: "false" });
  expect(end.stdout).toContain("the service does not show source_config.listener_config");
  expect(end.stdout).toContain("as far as the service shows it");
});
