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

/** The `source` of each kind, and what its line says about the others. */
const SOURCES = {
  repository: {
    name: "repohost",
    line: "source: github  # built by the hosted service; external_docker for a container image",
  },
  checkout: {
    name: "internal_source",
    line: "source: internal_source  # uploads this checkout; external_docker for a container image",
  },
  image: {
    name: "external_container",
    line: "source: external_docker  # a container image, run by a self-hosted service",
  },
} as const;

const isReserved = ({ kind }: Draft, name: string): boolean =>
  isReservedName(name, SOURCES[kind].name);

/** The secrets that a spec of this source may name. */
export const usableSecrets = (draft: Draft): string[] =>
  draft.secrets.filter((name) => !isReserved(draft, name) && C_IDENTIFIER.test(name));

/** The settings that a spec of this source may give. */
export const usableSettings = (draft: Draft): Draft["settings"] =>
  draft.settings.filter(([name]) => !isReserved(draft, name));

function renderEnvironment(draft: Draft): string[] {
  const settings = usableSettings(draft);
  const reserved = draft.secrets.filter((name) => isReserved(draft, name));
  const free = draft.secrets.filter((name) => !reserved.includes(name));
  return [
    ...(free.length === 0
      ? ["# secrets:", "#   - OPENAI_API_KEY  # value = the environment variable of the same name"]
      : ["secrets:  # values are the environment variables of the same names"]),
    ...free.map((name) => `  - ${C_IDENTIFIER.test(name) ? name : quote(name)}`),
    ...(reserved.length === 0
      ? []
      : [`# left out, since the service sets these itself: ${reserved.join(", ")}`]),
    ...(settings.length === 0 ? [] : ["variables:"]),
    ...settings.map(([name, value]) => `  ${name}: ${quote(value)}`),
  ];
}

/** A first document, with comments on what the reader may want to change. */
export function renderDraft(draft: Draft): string {
  const { name, kind, repoUrl, branch, configPath, folder, imageUri } = draft;
  const [isImage, isRepository] = [kind === "image", kind === "repository"];
  const unknown = "  # write yours: this folder has no git remote named origin with an address";
  const only = (isWanted: boolean, ...lines: readonly string[]) => (isWanted ? lines : []);
  return [
    `name: ${name}`,
    SOURCES[kind].line,
    "source_config:",
    ...only(
      isRepository,
      `  repo_url: ${quote(repoUrl)}${repoUrl === UNKNOWN_REPOSITORY ? unknown : ""}`,
    ),
    isImage
      ? "  resource_spec: { min_scale: 1, max_scale: 1, cpu: 1, memory_mb: 1024 }"
      : "  deployment_type: prod  # dev_free, dev or prod; cannot change later",
    ...only(isRepository, "  build_on_push: false  # agent-deploy builds when the branch moved"),
    "source_revision_config:",
    ...only(isRepository, `  repo_ref: ${quote(branch)}`),
    isImage ? `  image_uri: ${quote(imageUri)}` : `  langgraph_config_path: ${quote(configPath)}`,
    ...renderEnvironment(draft),
    ...only(
      isRepository && folder !== "",
      "deploy:",
      `  paths: [${quote(`${folder}/**`)}]  # a commit that changed nothing here builds nothing`,
    ),
  ].join("\n");
}
