import { C_IDENTIFIER, isReservedName } from "../model/name-rules.ts";

/** The repository of a spec where the checkout has no remote. */
export const UNKNOWN_REPOSITORY = "https://github.com/your-org/your-repo";

/** What a first document is written from. */
export interface Draft {
  readonly name: string;
  /** What is built: the connected repository, an upload of the checkout, or nothing: an image runs. */
  readonly kind: "repository" | "checkout" | "image";
  readonly repoUrl: string;
  readonly branch: string;
  readonly configPath: string;
  /** Folder whose changes count; empty if it is the only document in its repository. */
  readonly folder: string;
  readonly imageUri: string;
  readonly secrets: readonly string[];
  /** Variables whose names and values are those of settings. */
  readonly settings: readonly (readonly [name: string, value: string])[];
}

/** A YAML string on one line, with a literal `${` doubled so that it is no reference. */
const quote = (text: string): string => JSON.stringify(text.replaceAll("${", () => "$${"));

const SOURCES = {
  repository: "repohost",
  checkout: "internal_source",
  image: "external_container",
} as const;
const sourceOf = ({ kind }: Draft): string => SOURCES[kind];

/** The secrets that a spec of this source may name. */
export function usableSecrets(draft: Draft): string[] {
  const isUsable = (name: string): boolean =>
    !isReservedName(name, sourceOf(draft)) && C_IDENTIFIER.test(name);
  return draft.secrets.filter(isUsable);
}

/** The settings that a spec of this source may give. */
export const usableSettings = (draft: Draft): Draft["settings"] =>
  draft.settings.filter(([name]) => !isReservedName(name, sourceOf(draft)));

function renderEnvironment(draft: Draft): string[] {
  const settings = usableSettings(draft);
  return [
    ...renderSecrets(draft),
    ...(settings.length === 0
      ? []
      : ["variables:", ...settings.map(([name, value]) => `  ${name}: ${quote(value)}`)]),
  ];
}

function renderSecrets(draft: Draft): string[] {
  const reserved = draft.secrets.filter((name) => isReservedName(name, sourceOf(draft)));
  const free = draft.secrets.filter((name) => !reserved.includes(name));
  const listed = free.map((name) => `  - ${C_IDENTIFIER.test(name) ? name : quote(name)}`);
  return [
    ...(free.length === 0
      ? ["# secrets:", "#   - OPENAI_API_KEY  # value = the environment variable of the same name"]
      : ["secrets:  # values are the environment variables of the same names", ...listed]),
    ...(reserved.length === 0
      ? []
      : [`# left out, since the service sets these itself: ${reserved.join(", ")}`]),
  ];
}

/** A first document, with comments on what the reader may want to change. */
export function renderDraft(draft: Draft): string {
  const { name, kind, repoUrl, branch, configPath, folder, imageUri } = draft;
  if (kind === "image")
    return [
      `name: ${name}`,
      "source: external_docker  # a container image, run by a self-hosted service",
      "source_config:",
      "  resource_spec: { min_scale: 1, max_scale: 1, cpu: 1, memory_mb: 1024 }",
      "source_revision_config:",
      `  image_uri: ${quote(imageUri)}`,
      ...renderEnvironment(draft),
    ].join("\n");
  if (kind === "checkout")
    return [
      `name: ${name}`,
      "source: internal_source  # uploads this checkout; external_docker for a container image",
      "source_config:",
      "  deployment_type: prod  # dev_free, dev or prod; cannot change later",
      "source_revision_config:",
      `  langgraph_config_path: ${quote(configPath)}`,
      ...renderEnvironment(draft),
    ].join("\n");
  return [
    `name: ${name}`,
    "source: github  # built by the hosted service; external_docker for a container image",
    "source_config:",
    `  repo_url: ${quote(repoUrl)}${repoUrl === UNKNOWN_REPOSITORY ? "  # write yours: this folder has no git remote named origin with an address" : ""}`,
    "  deployment_type: prod  # dev_free, dev or prod; cannot change later",
    "  build_on_push: false  # agent-deploy builds when the branch moved",
    "source_revision_config:",
    `  repo_ref: ${quote(branch)}`,
    `  langgraph_config_path: ${quote(configPath)}`,
    ...renderEnvironment(draft),
    ...(folder === ""
      ? []
      : [
          "deploy:",
          `  paths: [${quote(`${folder}/**`)}]  # a commit that changed nothing here builds nothing`,
        ]),
  ].join("\n");
}
