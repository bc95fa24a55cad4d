import type { SpecMode } from "../../src/spec/interpolation.ts";
import type { TargetChoice } from "../../src/spec/targets.ts";

/** A document built from a repository; an overlay follows it from line 7 on. */
export const BASE = `name: support-agent
source: repohost
source_config: { repo_url: https://git.example.com/acme/agents, deployment_type: prod, build_on_push: false }
source_revision_config: { repo_ref: main, graph_config_path: graph.json }
secrets: [OPENAI_API_KEY, { name: LOG_LEVEL, value: "\${LEVEL:-warning}" }]
variables: { MODE: fast }
`;

/** A document with a prebuilt image; an overlay follows it from line 13 on. */
export const IMAGE = `name: search
source: external_container
source_config:
  custom_url: https://search.example.com
  resource_spec:
    cpu: 1
    volumes: [{ name: data, emptyDir: {} }]
    sidecars:
      - { name: proxy, image: "r.example.com/p@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" }
    labels: { team: core }
source_revision_config: { image_uri: "r.example.com/a@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" }
secrets: []
`;

/** A wrong overlay, and all that is said about it: `line:column: path: message`. */
export interface WrongOverlay {
  readonly name: string;
  /** Absent: BASE. */
  readonly base?: string;
  readonly overlay: string;
  /** Absent: `target: staging`. */
  readonly targets?: TargetChoice;
  readonly mode?: SpecMode;
  readonly interpolate?: false;
  readonly problems: readonly string[];
}

export const WRONG_OVERLAYS: readonly WrongOverlay[] = [
  {
    name: "targets list",
    overlay: `deploy:
  targets: [staging]
`,
    problems: [
      "8:12: deploy.targets: takes a mapping of targets; write staging: with what differs there below it, or remove the key",
    ],
  },
  {
    name: "targets text",
    overlay: `deploy:
  targets: staging
`,
    problems: [
      "8:12: deploy.targets: takes a mapping of targets; write staging: with what differs there below it, or remove the key",
    ],
  },
  {
    name: "targets empty",
    overlay: `deploy:
  targets: {}
`,
    problems: [
      "8:12: deploy.targets: takes a mapping of targets; write staging: with what differs there below it, or remove the key",
    ],
  },
  {
    name: "targets null",
    overlay: `deploy:
  targets:
`,
    problems: [
      "8:3: deploy.targets: takes a mapping of targets; write staging: with what differs there below it, or remove the key",
    ],
  },
  {
    name: "target text",
    overlay: `deploy:
  targets:
    staging: yes please
`,
    problems: [
      "9:14: deploy.targets.staging: takes a mapping of what differs in this target, got a single value",
    ],
  },
  {
    name: "target list",
    overlay: `deploy:
  targets:
    staging: [a]
`,
    problems: [
      "9:14: deploy.targets.staging: takes a mapping of what differs in this target, got a list",
    ],
  },
  {
    name: "unnamed target",
    overlay: `deploy:
  targets:
    '': { name: b }
    staging: {name: c}
`,
    problems: ["9:5: deploy.targets: has a target without a name; name it"],
  },
  {
    name: "no target chosen",
    overlay: `deploy:
  targets:
    staging:
      name: b
`,
    targets: {},
    problems: [
      "8:3: deploy.targets: the document has the targets staging, and none is chosen; set target (--target) or environment to one of them",
    ],
  },
  {
    name: "unknown target",
    overlay: `deploy:
  targets:
    staging:
      name: b
`,
    targets: { target: "stagin" },
    problems: [
      "8:3: deploy.targets: no document has the target stagin (did you mean staging?); the spec has staging",
    ],
  },
  {
    name: "unknown target far",
    overlay: `deploy:
  targets:
    staging:
      name: b
`,
    targets: { target: "production" },
    problems: ["8:3: deploy.targets: no document has the target production; the spec has staging"],
  },
  {
    name: "environment that names none",
    overlay: `deploy:
  targets:
    staging:
      name: b
`,
    targets: { environment: "production" },
    problems: [
      "8:3: deploy.targets: the document has the targets staging, and the environment production names none of them; set target (--target) or environment to one of them",
    ],
  },
  {
    name: "no targets but target",
    overlay: ``,
    problems: [
      "1:1: deploy.targets: no document has targets, so there is no target staging; remove target, or write deploy.targets",
    ],
  },
  {
    name: "document lacks the target",
    overlay: `deploy:
  targets:
    staging:
      name: b
---
name: x
source: repohost
source_config: { repo_url: https://git.example.com/acme/agents, deployment_type: prod, build_on_push: false }
source_revision_config: { repo_ref: main, graph_config_path: graph.json }
secrets: [OPENAI_API_KEY, { name: LOG_LEVEL, value: "\${LEVEL:-warning}" }]
variables: { MODE: fast }
deploy:
  targets:
    production: { name: y }
`,
    problems: ["19:3: deploy.targets: the document has no target staging; it has production"],
  },
  {
    name: "nested",
    overlay: `deploy:
  targets:
    staging:
      name: b
      targets: { x: {} }
`,
    problems: [
      "11:7: deploy.targets.staging.targets: a target cannot hold targets; write each target under deploy.targets",
    ],
  },
  {
    name: "nested in deploy",
    overlay: `deploy:
  targets:
    staging:
      name: b
      deploy: { targets: { x: {} } }
`,
    problems: [
      "11:17: deploy.targets.staging.deploy.targets: a target cannot hold targets; write each target under deploy.targets",
    ],
  },
  {
    name: "unknown key",
    overlay: `deploy:
  targets:
    staging:
      name: b
      sorce_config: { repo_url: x }
`,
    problems: [
      "11:7: deploy.targets.staging.sorce_config: is not a known key of a target; did you mean source_config?",
    ],
  },
  {
    name: "misspelt place",
    overlay: `deploy:
  targets:
    staging:
      name: b
      regoin: eu
`,
    problems: [
      "11:7: deploy.targets.staging.regoin: is not a known key of a target; did you mean region?",
    ],
  },
  {
    name: "unknown inner key",
    overlay: `deploy:
  targets:
    staging:
      name: b
      source_config: { repo_urll: x }
`,
    problems: ["11:24: source_config.repo_urll: is not a known key; did you mean repo_url?"],
  },
  {
    name: "bad region",
    overlay: `deploy:
  targets:
    staging:
      name: b
      region: europe
`,
    problems: ["11:15: deploy.targets.staging.region: takes one of us, eu, apac, aws"],
  },
  {
    name: "region number",
    overlay: `deploy:
  targets:
    staging:
      name: b
      region: 7
`,
    problems: ["11:15: deploy.targets.staging.region: takes text; write one of us, eu, apac, aws"],
  },
  {
    name: "unset address",
    overlay: `deploy:
  targets:
    staging:
      name: b
      control_plane_url: \${PLANE}
`,
    mode: "validate",
    problems: [
      "11:26: deploy.targets.staging.control_plane_url: the environment variable PLANE is not set; set it in the environment of this step, write ${PLANE:-default}, or $${PLANE} where the text itself is meant",
    ],
  },
  ...[
    ["nourl", "is not a URL; write the whole address, such as https://host/api-host"],
    [
      "http://10.1.1.1",
      "plain http to 10.1.1.1 is refused, since the key would be sent in the clear; use https (http is allowed for 127.0.0.1, ::1 and localhost)",
    ],
  ].map(([address, words]) => ({
    name: `address ${address}`,
    overlay: `deploy:
  targets:
    staging:
      name: b
      control_plane_url: ${address}
`,
    problems: [`11:26: deploy.targets.staging.control_plane_url: ${words}`],
  })),
  {
    name: "empty tenant",
    overlay: `deploy:
  targets:
    staging:
      name: b
      tenant_id: ''
`,
    problems: ["11:18: deploy.targets.staging.tenant_id: is empty; write it, or remove the key"],
  },
  {
    name: "mapping to text",
    overlay: `deploy:
  targets:
    staging:
      name: b
      source_config: none
`,
    problems: [
      "11:22: deploy.targets.staging.source_config: is a mapping in the document (line 3) and a single value here; write a mapping",
    ],
  },
  {
    name: "mapping to list",
    overlay: `deploy:
  targets:
    staging:
      name: b
      source_config: [a]
`,
    problems: [
      "11:22: deploy.targets.staging.source_config: is a mapping in the document (line 3) and a list here; write a mapping",
    ],
  },
  {
    name: "list to mapping",
    overlay: `deploy:
  targets:
    staging:
      name: b
      secrets: { A: b }
`,
    problems: [
      "11:16: deploy.targets.staging.secrets: is a list in the document (line 5) and a mapping here; write a list",
    ],
  },
  {
    name: "scalar to mapping",
    overlay: `deploy:
  targets:
    staging:
      name: { a: b }
`,
    problems: [
      "10:13: deploy.targets.staging.name: is a single value in the document (line 1) and a mapping here; write a single value",
    ],
  },
  {
    name: "wrong type",
    overlay: `deploy:
  targets:
    staging:
      name: b
      source_config: { build_on_push: perhaps }
`,
    problems: [
      '11:39: source_config.build_on_push: takes true or false, got the text "perhaps"; write true or false',
    ],
  },
  {
    name: "null name",
    overlay: `deploy:
  targets:
    staging:
      name: null
`,
    problems: [
      "10:13: name: must not be null here: a create needs it; write the value, or remove the line",
    ],
  },
  {
    name: "null source",
    overlay: `deploy:
  targets:
    staging:
      name: b
      source:
`,
    problems: [
      "11:7: source: must not be null here: a create needs it; write the value, or remove the line",
    ],
  },
  {
    name: "null repo_url",
    overlay: `deploy:
  targets:
    staging:
      name: b
      source_config: { repo_url: null }
`,
    problems: [
      "11:34: source_config.repo_url: must not be null here: a create needs it; write the value, or remove the line",
    ],
  },
  {
    name: "null source_config",
    overlay: `deploy:
  targets:
    staging:
      name: b
      source_config: ~
`,
    problems: [
      "11:22: source_config: must not be null here: a create needs source_config.repo_url; write the value, or remove the line",
    ],
  },
  {
    name: "null graph",
    overlay: `deploy:
  targets:
    staging:
      name: b
      source_revision_config: { graph_config_path: null }
`,
    problems: [
      "11:52: source_revision_config.graph_config_path: must not be null here: a create needs it; write the value, or remove the line",
    ],
  },
  {
    name: "nameless secret",
    overlay: `deploy:
  targets:
    staging:
      name: b
      secrets: [{ value: x }]
`,
    problems: [
      "11:17: deploy.targets.staging.secrets.0: has no name, so it cannot be matched with an item of the document; add name, or write replace: [secrets] next to the list",
    ],
  },
  {
    name: "number secret",
    overlay: `deploy:
  targets:
    staging:
      name: b
      secrets: [7]
`,
    problems: [
      "11:17: deploy.targets.staging.secrets.0: has no name, so it cannot be matched with an item of the document; add name, or write replace: [secrets] next to the list",
    ],
  },
  {
    name: "null secret item",
    overlay: `deploy:
  targets:
    staging:
      name: b
      secrets: [~]
`,
    problems: [
      "11:17: deploy.targets.staging.secrets.0: has no name, so it cannot be matched with an item of the document; add name, or write replace: [secrets] next to the list",
    ],
  },
  {
    name: "null secret value",
    overlay: `deploy:
  targets:
    staging:
      name: b
      secrets: [{ name: LOG_LEVEL, value: null }]
`,
    problems: [
      "11:43: secrets.1.value: must not be null here: a create needs it; write the value, or remove the line",
    ],
  },
  {
    name: "secret twice",
    overlay: `deploy:
  targets:
    staging:
      name: b
      secrets: [{ name: A, value: x1 }, { name: A, value: y1 }]
`,
    problems: [
      "11:41: deploy.targets.staging.secrets.1: repeats the name of line 11; write each once",
    ],
  },
  {
    name: "secret unset",
    overlay: `deploy:
  targets:
    staging:
      name: b
      secrets: [OTHER_KEY]
`,
    problems: [
      '11:17: secrets.2: the environment variable OTHER_KEY is not set; set it in the environment of this step (or pass --env-file FILE on the command line), or write { name: OTHER_KEY, value: "${OTHER_NAME}" }',
    ],
  },
  {
    name: "secret and variable",
    overlay: `deploy:
  targets:
    staging:
      name: b
      variables: { LOG_LEVEL: info }
`,
    problems: [
      "11:20: variables.LOG_LEVEL: is also listed under secrets; keep it in one of the two",
    ],
  },
  {
    name: "variable list",
    overlay: `deploy:
  targets:
    staging:
      name: b
      variables: { A: [1] }
`,
    problems: ["11:23: variables.A: takes text, got a list; write text"],
  },
  {
    name: "replace text",
    overlay: `deploy:
  targets:
    staging:
      name: b
      replace: secrets
      secrets: [OPENAI_API_KEY]
`,
    problems: [
      "11:16: deploy.targets.staging.replace: takes a list of the names of lists; write replace: [secrets]",
    ],
  },
  {
    name: "replace absent",
    overlay: `deploy:
  targets:
    staging:
      name: b
      replace: [secrets]
`,
    problems: [
      "11:17: deploy.targets.staging.replace: secrets is not written next to it; write the list that replaces it: secrets: [...]",
    ],
  },
  {
    name: "replace unknown",
    overlay: `deploy:
  targets:
    staging:
      name: b
      replace: [secret]
      secrets: [OPENAI_API_KEY]
`,
    problems: [
      "11:17: deploy.targets.staging.replace: secret is not a list here; did you mean secrets?",
    ],
  },
  {
    name: "replace elsewhere",
    overlay: `deploy:
  targets:
    staging:
      name: b
      replace: [volumes]
      secrets: [OPENAI_API_KEY]
`,
    problems: [
      "11:17: deploy.targets.staging.replace: volumes is not a list here; write replace next to the list that it names",
    ],
  },
  {
    name: "replace mapping",
    overlay: `deploy:
  targets:
    staging:
      name: b
      replace: [source_config]
      source_config: {}
`,
    problems: [
      "11:17: deploy.targets.staging.replace: source_config is not a list, and only a list can be replaced whole; remove it here",
    ],
  },
  {
    name: "mixed dialects",
    overlay: `deploy:
  targets:
    staging:
      name: b
      source_revision_config: { langgraph_config_path: x.json }
`,
    problems: [
      "11:33: source_revision_config.langgraph_config_path: langgraph_config_path mixes two spellings of the service, since source: repohost is in line 2; write graph_config_path, or source: github there",
    ],
  },
  {
    name: "deploy unknown",
    overlay: `deploy:
  targets:
    staging:
      name: b
      deploy: { on_failur: rollback }
`,
    problems: ["11:17: deploy.on_failur: is not a known key; did you mean on_failure?"],
  },
  {
    name: "bad timeout",
    overlay: `deploy:
  targets:
    staging:
      name: b
      deploy: { timeout: soon }
`,
    problems: [
      "11:26: deploy.timeout: is not a duration; write 500ms, 90s, 30m or 1h (at most 24 days)",
    ],
  },
  {
    name: "same name",
    overlay: `deploy:
  targets:
    staging: {}
    production: { deploy: { wave: 1 } }
`,
    problems: [
      "10:5: deploy.targets.production.name: has the name support-agent in the same place as the target staging, so both are one deployment unless their keys belong to different workspaces; write another name, or another region, control_plane_url or tenant_id",
    ],
  },
  {
    name: "same name written",
    overlay: `deploy:
  targets:
    staging: { name: b }
    production: { name: b }
`,
    problems: [
      "10:25: deploy.targets.production.name: has the name b in the same place as the target staging, so both are one deployment unless their keys belong to different workspaces; write another name, or another region, control_plane_url or tenant_id",
    ],
  },
  {
    name: "same id",
    overlay: `deploy:
  id: 0b6f8f7e-3c1d-4c57-9a52-6f2b0d1c9e11
  targets:
    staging: { name: b }
    production: { name: c }
`,
    problems: [
      "11:5: deploy.targets.production.deploy.id: has the id 0b6f8f7e-3c1d-4c57-9a52-6f2b0d1c9e11 in the same place as the target staging, so both would be one deployment; write another deploy.id, or another region, control_plane_url or tenant_id",
    ],
  },
  {
    name: "untrusted place",
    overlay: `deploy:
  targets:
    staging:
      name: b
      region: \${R}
`,
    interpolate: false,
    problems: [
      "5:53: secrets.1.value: ${LEVEL} is refused, since this run may read the spec of an untrusted pull request and a value would hand it the job's environment; write the value itself, or run from a trusted event",
      "11:15: deploy.targets.staging.region: ${R} is refused, since this run may read the spec of an untrusted pull request and a value would hand it the job's environment; write the value itself, or run from a trusted event",
    ],
  },
  {
    name: "nameless sidecar",
    base: IMAGE,
    overlay: `deploy:
  targets:
    staging:
      source_config: { resource_spec: { sidecars: [{ image: x }] } }
`,
    problems: [
      "16:52: deploy.targets.staging.source_config.resource_spec.sidecars.0: has no name, so it cannot be matched with an item of the document; add name, or write replace: [sidecars] next to the list",
    ],
  },
  {
    name: "null sidecar image",
    base: IMAGE,
    overlay: `deploy:
  targets:
    staging:
      source_config: { resource_spec: { sidecars: [{ name: proxy, image: null }] } }
`,
    problems: [
      "16:74: source_config.resource_spec.sidecars.0.image: must not be null here: a create needs it; write the value, or remove the line",
    ],
  },
  {
    name: "null image",
    base: IMAGE,
    overlay: `deploy:
  targets:
    staging:
      source_revision_config: { image_uri: null }
`,
    problems: [
      "16:44: source_revision_config.image_uri: must not be null here: a create needs it; write the value, or remove the line",
    ],
  },
  {
    name: "replace deep absent",
    base: IMAGE,
    overlay: `deploy:
  targets:
    staging:
      source_config: { resource_spec: { replace: [sidecars] } }
`,
    problems: [
      "16:51: deploy.targets.staging.source_config.resource_spec.replace: sidecars is not written next to it; write the list that replaces it: sidecars: [...]",
    ],
  },
  {
    name: "label list",
    base: IMAGE,
    overlay: `deploy:
  targets:
    staging:
      source_config: { resource_spec: { labels: { team: [a] } } }
`,
    problems: [
      "16:57: deploy.targets.staging.source_config.resource_spec.labels.team: is a single value in the document (line 10) and a list here; write a single value",
    ],
  },
  {
    name: "min over max",
    base: IMAGE,
    overlay: `deploy:
  targets:
    staging:
      source_config: { resource_spec: { min_scale: 3, max_scale: 2 } }
`,
    problems: [
      "16:52: source_config.resource_spec.min_scale: the minimum min_scale (3) is above the maximum max_scale (2); lower the minimum, or raise the maximum",
    ],
  },
  {
    name: "wave text",
    base: IMAGE,
    overlay: `deploy:
  targets:
    staging:
      deploy: { wave: first }
`,
    problems: [
      '16:23: deploy.wave: takes a whole number, got the text "first"; write a whole number',
    ],
  },
  {
    name: "wave negative",
    base: IMAGE,
    overlay: `deploy:
  targets:
    staging:
      deploy: { wave: -1 }
`,
    problems: ["16:23: deploy.wave: is out of bounds; write a number from 0 to 1000"],
  },
  {
    name: "image bad",
    base: IMAGE,
    overlay: `deploy:
  targets:
    staging:
      deploy: { image: digest }
`,
    problems: [
      '16:24: deploy.image: takes one of keep, resolve, got the text "digest"; write one of keep, resolve',
    ],
  },
];
