import { CONTAINER, edit, REPOSITORY, type Mistake } from "./mistake.ts";

const validate = (
  number: number,
  mistake: string,
  spec: string,
  wrong: Pick<Mistake, "place" | "what" | "fix"> & Partial<Mistake>,
): Mistake => ({
  number,
  mistake,
  files: { "s.yml": spec },
  args: ["validate", "s.yml"],
  code: 2,
  ...wrong,
});
const withSecrets = (secrets: string): string => `${CONTAINER}secrets:\n  - ${secrets}\n`;
const apply = { args: ["apply", "s.yml"], service: "emulator" } as const;

export const IN_THE_SPEC: readonly Mistake[] = [
  validate(1, "a key with a typo", edit(REPOSITORY, "deployment_type", "deploymnt_type"), {
    place: /s\.yml:6:3/,
    what: /deploymnt_type: is not a known key/,
    fix: /did you mean deployment_type\?/,
  }),
  validate(2, "a number instead of text", edit(REPOSITORY, "repo_ref: main", "repo_ref: 5"), {
    place: /s\.yml:8:13/,
    what: /takes text, got 5/,
    fix: /put it in quotes/,
  }),
  validate(
    3,
    '"no" for a boolean',
    edit(REPOSITORY, "  deployment_type", '  build_on_push: "no"\n  deployment_type'),
    {
      place: /s\.yml:6:18/,
      what: /takes true or false, got the text "no"/,
      fix: /write true or false/,
    },
  ),
  validate(4, "a tab", edit(REPOSITORY, "  repo_url", "\trepo_url"), {
    place: /s\.yml:5:1/,
    what: /tab/,
    fix: /indent with spaces/,
  }),
  validate(5, "a brace that is not closed", edit(CONTAINER, "}", ""), {
    place: /3:25/,
    what: /the \{ opened at 3:25 is not closed/,
    fix: /check where its \} belongs/,
  }),
  validate(6, "a key written twice", `${CONTAINER}name: other\n`, {
    place: /s\.yml:4:1/,
    what: /is written twice, first in line 1/,
    fix: /keep one/,
  }),
  validate(7, "source: gihub", edit(REPOSITORY, "repohost", "gihub"), {
    place: /s\.yml:2:9/,
    what: /takes one of .*github.*external_docker/,
    fix: /did you mean github\?/,
  }),
  validate(8, "no name", edit(CONTAINER, "name: good\n", ""), {
    place: /s\.yml:1:1/,
    what: /name: is required/,
    fix: /add name: my-agent/,
  }),
  validate(9, "no source", edit(CONTAINER, "source: external_container\n", ""), {
    place: /s\.yml:1:1/,
    what: /source: is required/,
    fix: /repohost.*external_container.*github|github/,
  }),
  validate(10, "an empty file", "", {
    place: /s\.yml:1:1/,
    what: /is empty/,
    fix: /agent-deploy init/,
  }),
  validate(11, "a list", "- a\n- b\n", {
    place: /s\.yml:1:1/,
    what: /takes key: value pairs/,
    fix: /name: .*source:/,
  }),
  validate(11, "plain text", "hello\n", {
    place: /s\.yml:1:1/,
    what: /takes key: value pairs/,
    fix: /name: .*source:/,
  }),
  validate(12, "name: Good_Name", edit(CONTAINER, "name: good", "name: Good_Name"), {
    code: 0,
    place: /s\.yml:1:7/,
    what: /not a valid DNS label/,
    fix: /lowercase letters, digits and -/,
  }),
  validate(13, "two documents with the same name", `${CONTAINER}---\n${CONTAINER}`, {
    place: /s\.yml:5:7/,
    what: /repeats the name of the document at s\.yml:1:7/,
    fix: /give each deployment its own name/,
  }),
  validate(
    14,
    "words of both services mixed",
    edit(REPOSITORY, "source: repohost", "source: github"),
    { place: /s\.yml:9:3/, what: /graph_config_path/, fix: /langgraph_config_path/ },
  ),
  validate(
    15,
    "image_uri in the wrong place",
    `${edit(CONTAINER, "source_revision_config", "source_config")}`,
    {
      place: /s\.yml:3:18/,
      what: /image_uri: (?:is not a known key|belongs|is not)/,
      fix: /write it under source_revision_config/,
    },
  ),
  validate(16, "status: READY", `${CONTAINER}status: READY\n`, {
    place: /s\.yml:4:1/,
    what: /is read-only, set by the service/,
    fix: /remove it/,
  }),
  validate(17, "replicas", `${CONTAINER}replicas: 2\n`, {
    place: /s\.yml:4:1/,
    what: /replicas: is not a known key/,
    fix: /write one of name, source/,
  }),
  validate(18, "env at the top", `${CONTAINER}env:\n  A: b\n`, {
    place: /s\.yml:4:1/,
    what: /env: is not a known key/,
    fix: /secrets:/,
  }),
  validate(19, "secrets as a mapping", `${CONTAINER}secrets:\n  OPENAI_API_KEY: a\n`, {
    place: /s\.yml:5:3|s\.yml:4:10/,
    what: /takes a list, got a mapping/,
    fix: /- OPENAI_API_KEY/,
  }),
  validate(
    20,
    "a secret written as NAME=value",
    withSecrets("OPENAI_API_KEY=sk-live-0123456789abcdef"),
    { place: /s\.yml:5:5/, what: /not the value|NAME=value/, fix: /write only the name/ },
  ),
  validate(21, "a secret named OPENAI-API-KEY", withSecrets("OPENAI-API-KEY"), {
    place: /s\.yml:5:5/,
    what: /not a valid environment variable name/,
    fix: /letters, digits and _|OPENAI_API_KEY/,
  }),
  validate(22, "timeout: 30", `${CONTAINER}deploy: { timeout: 30 }\n`, {
    place: /s\.yml:4:20/,
    what: /got 30/,
    fix: /90s, 30m or 1h/,
  }),
  validate(23, "on-failure in deploy", `${CONTAINER}deploy: { on-failure: none }\n`, {
    place: /s\.yml:4:11/,
    what: /on-failure: is not a known key/,
    fix: /did you mean on_failure\?/,
  }),
  validate(24, "${NOPE without its end", edit(CONTAINER, "name: good", "name: good-${NOPE"), {
    place: /s\.yml:1:7/,
    what: /\$\{ is not closed/,
    fix: /write \$\{NAME\}/,
  }),
  validate(25, "$NOPE without braces", withSecrets('{ name: A, value: "$NOPE" }'), {
    code: 0,
    place: /s\.yml:5:/,
    what: /holds \$NAME without braces/,
    fix: /write \$\{NAME\}/,
  }),
  validate(
    26,
    "a GitHub expression in the spec",
    withSecrets('{ name: A, value: "${{ secrets.A }}" }'),
    { place: /s\.yml:5:/, what: /GitHub expressions are not evaluated/, fix: /write \$\{A\}/ },
  ),
  validate(
    27,
    "${MIN} bare in braces",
    `${edit(CONTAINER, "source_revision_config", "source_config: { resource_spec: { min_scale: ${MIN} } }\nsource_revision_config")}`,
    { place: /s\.yml:3:/, what: /\$\{…\}|\$\{MIN\}/, fix: /quotes/ },
  ),
  validate(
    28,
    "a minimum above the maximum",
    edit(
      CONTAINER,
      "source_revision_config",
      "source_config: { resource_spec: { min_scale: 5, max_scale: 2 } }\nsource_revision_config",
    ),
    {
      place: /s\.yml:3:/,
      what: /min_scale.*max_scale|max_scale.*min_scale/,
      fix: /raise|lower|at least|at most/,
    },
  ),
  validate(
    28,
    'memory_mb: "1024"',
    edit(
      CONTAINER,
      "source_revision_config",
      'source_config: { resource_spec: { memory_mb: "1024" } }\nsource_revision_config',
    ),
    {
      place: /s\.yml:3:/,
      what: /takes a (?:whole )?number, got the text "1024"/,
      fix: /without quotes|remove the quotes/,
    },
  ),
  validate(29, "a variable that is not set", withSecrets("OPENAI_API_KEY"), {
    ...apply,
    place: /s\.yml:5:5/,
    what: /is not set/,
    fix: /OPENAI_API_KEY/,
  }),
  validate(30, "an empty secret", withSecrets("OPENAI_API_KEY"), {
    ...apply,
    env: { OPENAI_API_KEY: "" },
    place: /s\.yml:5:5/,
    what: /is empty/,
    fix: /does not exist/,
  }),
  validate(31, "a secret that ends in a line break", withSecrets("OPENAI_API_KEY"), {
    ...apply,
    code: 0,
    env: { OPENAI_API_KEY: "value-of-key\n" },
    place: /s\.yml:5:5/,
    what: /ends in a line break/,
    fix: /without it|printf|echo -n|remove/,
  }),
  validate(
    32,
    "a secret's value in the spec",
    withSecrets("{ name: A, value: sk-live-0123456789abcdef }"),
    { code: 0, place: /s\.yml:5:/, what: /is written in the spec/, fix: /write \$\{NAME\}/ },
  ),
  validate(35, "the key as a flag", CONTAINER, {
    args: ["plan", "s.yml", "--api-key", "sk-live-0123456789"],
    place: /--api-key/,
    what: /would show the secret/,
    fix: /AGENT_DEPLOY_API_KEY/,
  }),
  validate(50, "a field that cannot change", edit(REPOSITORY, "prod", "dev"), {
    ...apply,
    service: { live: REPOSITORY },
    code: 1,
    place: /deployment_type/,
    what: /cannot change/,
    fix: /new name|new deployment/,
  }),
  validate(51, "secrets: [] over live secrets", `${CONTAINER}secrets: []\n`, {
    ...apply,
    service: { live: withSecrets("{ name: A, value: first-value }") },
    code: 1,
    place: /secrets/,
    what: /clears it, which the service cannot do/,
    fix: /remove secrets from the spec/,
  }),
  validate(55, "no spec", CONTAINER, {
    args: ["plan"],
    service: "emulator",
    place: /agent-deploy\.yml/,
    what: /does not exist/,
    fix: /agent-deploy init/,
  }),
  validate(55, "a spec that does not exist", CONTAINER, {
    args: ["plan", "x.yml"],
    service: "emulator",
    place: /x\.yml/,
    what: /does not exist/,
    fix: /name a file that exists/,
  }),
  validate(69, "a spec outside the directory", CONTAINER, {
    args: ["validate", "/etc/hostname"],
    place: /\/etc\/hostname/,
    what: /outside/,
    fix: /--allow-outside/,
  }),
];
