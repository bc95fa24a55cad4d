// OpenTofu or Terraform against the emulator, with two providers: a generic one for REST services,
// and the vendor's own where its binary or the registry can be had.
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { call, refusals, runProgram, startEmulator } from "./emulator-client.mjs";
import { goProgram, need, Skipped } from "./toolbox.mjs";

const TOFU = "v1.12.6";
const NAME = "support-agent";
export const LISTENER = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
export const imageOf = (digit) => `registry.example.com/acme/support@sha256:${digit.repeat(64)}`;

const toHcl = (address, version, body) => `terraform {
  required_providers {
    ${address.split("/")[1].toLowerCase()} = { source = "${address}"${version === undefined ? "" : `, version = "${version}"`} }
  }
}
${body}`;

/** A deployment through a provider that only knows REST: POST, then POST …/revisions for changes. */
function toRestHcl(url, digit) {
  const revision = `source_config          = { LISTENER resource_spec = { cpu = 1, memory_mb = 1024 } }
    source_revision_config = { image_uri = "${imageOf(digit)}" }
    secrets                = [{ name = "OPENAI_API_KEY", value = "not-a-key" }]`;
  return `provider "restapi" {
  uri                   = "${url}"
  headers               = { "X-Api-Key" = "k", "Content-Type" = "application/json" }
  create_returns_object = true
}
resource "restapi_object" "agent" {
  path = "/v2/deployments"
  data = jsonencode({
    name   = "${NAME}"
    source = "external_docker"
    ${revision.replace("LISTENER", `listener_id = "${LISTENER}",`)}
  })
  update_method = "POST"
  update_path   = "/v2/deployments/{id}/revisions"
  update_data = jsonencode({
    ${revision.replace("LISTENER ", "")}
  })
  ignore_server_additions = true
  force_new               = ["name", "source"]
}
`;
}

/** Addresses and the key come by the environment, which every version of the provider reads. */
const toVendorHcl = (_, digit) => `provider "langsmith" {}
resource "langsmith_deployment" "agent" {
  name                   = "${NAME}"
  source                 = "external_docker"
  source_config          = { listener_id = "${LISTENER}", resource_spec = { cpu = 1, memory_mb = 1024 } }
  source_revision_config = { image_uri = "${imageOf(digit)}" }
  secrets                = { OPENAI_API_KEY = "not-a-key" }
}
`;

/** `binary`: the variable that names one where the registry is out of reach. */
export const PROVIDERS = {
  restapi: {
    address: "Mastercard/restapi",
    version: "3.0.0",
    binary: "RESTAPI_PROVIDER_BIN",
    toBody: toRestHcl,
    toEnv: () => ({}),
    waits: false,
  },
  langsmith: {
    address: "langchain-ai/langsmith",
    binary: "PROVIDER_BIN",
    toBody: toVendorHcl,
    toEnv: (url) => ({
      LANGSMITH_API_KEY: "k",
      LANGSMITH_ENDPOINT: url,
      LANGSMITH_CONTROL_PLANE_URL: url,
      LANGSMITH_WORKSPACE_ID: "a3bb189e-8bf9-4c7d-8f3c-2d6f1e0b9a11",
    }),
    waits: true,
  },
};

const versionOf = (program) =>
  spawnSync(program, ["version"], { encoding: "utf8" }).stdout?.split("\n")[0] ?? null;

/** The program that TERRAFORM names, one that is there, or OpenTofu built from its module. */
export async function findTerraform() {
  const { TERRAFORM } = process.env;
  if (TERRAFORM !== undefined && TERRAFORM !== "") {
    need(TERRAFORM, TERRAFORM);
    return { program: TERRAFORM, version: versionOf(TERRAFORM) };
  }
  for (const program of ["tofu", "terraform"]) {
    const version = versionOf(program);
    if (version !== null) return { program, version };
  }
  const program = await goProgram("github.com/opentofu/opentofu/cmd/tofu", TOFU, {
    module: "github.com/opentofu/opentofu",
  });
  return { program, version: versionOf(program) };
}

/** A folder that the program can work in with a provider; throws Skipped where there is none. */
export async function openFolder({ program }, provider, { url, folder }) {
  const { address, version, binary, toBody, toEnv } = provider;
  const given = process.env[binary];
  const isGiven = given !== undefined && given !== "";
  if (isGiven && !existsSync(given))
    throw new Error(`${binary} names ${given}, which does not exist`);
  const overrides = isGiven ? `  dev_overrides { "${address}" = "${dirname(given)}" }\n` : "";
  const settings = join(folder, "terraformrc");
  writeFileSync(settings, `provider_installation {\n${overrides}  direct {}\n}\n`);
  const env = { TF_CLI_CONFIG_FILE: settings, CHECKPOINT_DISABLE: "1", ...toEnv(url) };
  const run = (...args) =>
    runProgram(program, [...args, "-input=false", "-no-color"], { cwd: folder, env, seconds: 420 });
  const write = (digit) => {
    const pinned = isGiven ? undefined : version;
    writeFileSync(join(folder, "main.tf"), toHcl(address, pinned, toBody(url, digit)));
  };
  if (!isGiven) {
    write("a");
    const { code, stderr } = await run("init");
    if (code !== 0)
      throw new Skipped(
        `no provider ${address}: ${binary} names no binary, and the registry gave none (${stderr.trim().split("\n").at(-1)})`,
      );
  }
  return { run, write };
}

const settle = async (url) =>
  call(url, "POST", "/_emulator/clock", { advance_until: "settled", deployment: NAME });

/** What agent-deploy would change in what Terraform made; 3 where there is something. */
function planOurs(root, { url, folder }, digit) {
  const spec = {
    name: NAME,
    source: "external_docker",
    source_config: { listener_id: LISTENER, resource_spec: { cpu: 1, memory_mb: 1024 } },
    source_revision_config: { image_uri: imageOf(digit) },
    secrets: ["OPENAI_API_KEY"],
  };
  writeFileSync(join(folder, "agent-deploy.yml"), JSON.stringify(spec));
  const key = { AGENT_DEPLOY_API_KEY: "k", OPENAI_API_KEY: "not-a-key" };
  return runProgram(process.execPath, [join(root, "dist/cli.js"), "plan", "--fail-on-changes"], {
    cwd: folder,
    env: { AGENT_DEPLOY_CONTROL_PLANE_URL: url, ...key },
  });
}

/** Made, unchanged, changed, gone: what is live after each, and what agent-deploy says of it. */
async function journey({ terraform, provider, profile, root, check }) {
  const emulator = await startEmulator({ profile, limits: "off", timeScale: 2 });
  const { url } = emulator;
  try {
    const { run, write } = await openFolder(terraform, provider, emulator);
    const step = async (what, code, ...args) => {
      const done = await run(...args);
      check(
        `${profile}: ${what}`,
        done.code === code,
        `${done.code}: ${done.stdout}${done.stderr}`,
      );
      await settle(url);
    };
    const live = async () =>
      (await call(url, "GET", `/v2/deployments?name=${NAME}`)).body.resources[0];
    const revisionsOf = async ({ id }) =>
      (await call(url, "GET", `/v2/deployments/${id}/revisions?limit=100`)).body.resources.length;
    const isAt = async (what, digit, count) => {
      const one = await live();
      const image = one?.source_revision_config.image_uri;
      const found = one === undefined ? 0 : await revisionsOf(one);
      check(`${profile}: ${what}`, image === imageOf(digit) && found === count, { image, found });
    };
    write("a");
    await step("apply makes it", 0, "apply", "-auto-approve");
    await isAt("it is live", "a", 1);
    await step("a plan after it is empty", 0, "plan", "-detailed-exitcode");
    await step("so is a second apply", 0, "apply", "-auto-approve");
    await isAt("which makes no revision", "a", 1);
    write("b");
    await step("another image is a change", 2, "plan", "-detailed-exitcode");
    await step("apply sends it", 0, "apply", "-auto-approve");
    await isAt("as one revision", "b", 2);
    const { id, secrets, source_config: config } = await live();
    check(`${profile}: the secret is there`, secrets[0]?.value === "not-a-key", secrets.length);
    check(`${profile}: the spec is there`, config.resource_spec.cpu === 1, config.resource_spec);
    await step("a plan after that is empty", 0, "plan", "-detailed-exitcode");
    const same = await planOurs(root, emulator, "b");
    check(`${profile}: agent-deploy finds nothing to do`, same.code === 0, same.stdout);
    const other = await planOurs(root, emulator, "c");
    check(`${profile}: and sees another image`, other.code === 3, other.stdout);
    await step("destroy takes it away", 0, "destroy", "-auto-approve");
    await call(url, "POST", "/_emulator/clock", { advance_ms: 60_000 });
    const gone = (await call(url, "GET", `/v2/deployments/${id}`)).status;
    check(`${profile}: it is gone`, gone === 404, gone);
    const refused = (await refusals(url)).filter(({ status }) => status !== 404);
    check(`${profile}: nothing was refused`, refused.length === 0, refused);
  } finally {
    await emulator.stop();
  }
}

const toParty = (name, provider) => ({
  name: `terraform-${name}`,
  version: provider.version ?? "of PROVIDER_BIN or the registry",
  // Providers come from a registry of their own, which --all does not ask to be there.
  optional: true,
  run: async ({ check, root }) => {
    const terraform = await findTerraform();
    for (const profile of ["document", "hosted"])
      await journey({ terraform, provider, profile, root, check });
    return `${terraform.version}: apply, empty plan, change, our plan of it, destroy; both profiles`;
  },
});

/** What npm run realworld runs. */
export const parties = Object.entries(PROVIDERS).map(([name, one]) => toParty(name, one));
