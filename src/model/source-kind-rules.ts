import { isObject } from "./json.ts";
import { fieldAt } from "./shape.ts";
import { isHostedSource, spellKey, spellSource } from "./dialect.ts";
import type { SourceKind } from "./field-shape.ts";
import {
  type RuleInput,
  type Finding,
  structAt,
  found,
  isSet,
  written,
  RESOURCE_SPEC,
} from "./rule-input.ts";

/**
 * A document that may have to create must say what is built: contributing/interface.md, SourceConfig and
 * SourceRevisionConfig.
 */
export function requiredBySourceKind({ source, dialect, body, adopted }: RuleInput): Finding[] {
  const required: readonly (readonly [
    kind: SourceKind,
    config: string,
    key: string,
    example: string,
  ])[] = [
    ["repohost", "source_config", "repo_url", "the URL of the git repository"],
    [
      "repohost",
      "source_revision_config",
      "graph_config_path",
      "the path of the graph configuration file",
    ],
    ["external_container", "source_revision_config", "image_uri", "the URI of the container image"],
  ];
  return adopted
    ? []
    : required.flatMap(([kind, config, key, example]) => {
        // A block with nothing below it is written, and empty.
        const written = body[config] === null ? {} : structAt(body, config);
        if (
          kind !== source ||
          written === undefined ||
          (isSet(written[key]) && written[key] !== "")
        )
          return [];
        const message = `is required for source ${spellSource(kind, dialect)}; write ${spellKey(key, dialect)}: ${example}`;
        // `null` is no change where nothing is set, and a blocked one where something is: only the plan can decide.
        const level = written[key] === null ? "warning" : "error";
        return [{ ...found(level, "key", [config, key], message), missing: true as const }];
      });
}

/** What a repository's build and one of the checkout have in common (contributing/service.md 2.9). */
const OF_EVERY_BUILD = new Set([
  "source_config.deployment_type",
  "source_revision_config.graph_config_path",
]);

/** Fields that belong to the other source kind; the topmost of a branch, and none that has a sentence of its own. */
export function fieldsOfOtherKind({ source, dialect, body }: RuleInput): Finding[] {
  if (source !== "repohost" && source !== "external_container" && source !== "internal_source")
    return [];
  const findings: Finding[] = [];
  for (const { path, row, value } of written(body)) {
    const special =
      source === "repohost" &&
      ["source_config.custom_url", "source_config.resource_spec"].includes(row.path);
    const nested = findings.some((other) => other.path.every((key, index) => key === path[index]));
    if (
      row.meta.only === undefined ||
      row.meta.only === source ||
      (source === "internal_source" && OF_EVERY_BUILD.has(row.path)) ||
      row.mutability === "read-only" ||
      special ||
      nested ||
      value === null
    )
      continue;
    findings.push(
      found(
        "error",
        "key",
        path,
        `is only for source ${spellSource(row.meta.only, dialect)}; remove it, or change source`,
      ),
    );
  }
  return findings;
}

/** What only the service sets may not be written. */
export function readOnlyFields({ body }: RuleInput): Finding[] {
  return written(body).flatMap(({ path, row }) =>
    row.mutability === "read-only"
      ? [
          found(
            "error",
            "key",
            path,
            row.path === "id"
              ? "is read-only; remove it, or write it as id in the deploy block to adopt that deployment"
              : "is read-only, set by the service; remove it",
          ),
        ]
      : [],
  );
}

/** contributing/interface.md, SourceConfig: for a repository source the service sets the URL itself. */
export function customUrlOnRepohost({ source, dialect, body }: RuleInput): Finding[] {
  return source === "repohost" && isSet(structAt(body, "source_config")?.["custom_url"])
    ? [
        found(
          "error",
          "key",
          ["source_config", "custom_url"],
          `is set by the service for source ${spellSource(source, dialect)}; remove it`,
        ),
      ]
    : [];
}

/** contributing/interface.md, ResourceSpec: applies only to a container source. */
export function resourceSpecOnRepohost({ source, dialect, body }: RuleInput): Finding[] {
  return source === "repohost" && isSet(structAt(body, "source_config")?.["resource_spec"])
    ? [
        found(
          "error",
          "key",
          RESOURCE_SPEC,
          `applies only to source ${spellSource("external_container", dialect)}; remove it (deployment_type chooses the size of a repository deployment)`,
        ),
      ]
    : [];
}

/** Deployments of the vendor's own tools: this tool keeps their secrets and nothing that is built. */
export function internalSourceFields({ source, body }: RuleInput): Finding[] {
  if (!isHostedSource(source) || source === "internal_source") return [];
  const isEmpty = (value: unknown): boolean =>
    value === null || (isObject(value) && Object.keys(value).length === 0);
  return Object.entries(body).flatMap(([key, value]) => {
    const own =
      ["name", "source", "secrets"].includes(key) ||
      fieldAt([key])?.mutability === "read-only" ||
      isEmpty(value);
    const message =
      `cannot be managed for source ${source}, which the vendor's own tools build: a plan that would change it is blocked; ` +
      "keep only name, source, secrets and deploy, or migrate: write a new deployment under another name with source repohost or external_container";
    return own ? [] : [found("warning", "key", [key], message)];
  });
}

/** Fields that contributing/interface.md marks as not to be used. */
export function fieldsToAvoid({ body }: RuleInput): Finding[] {
  return written(body).flatMap(({ path, row }) =>
    row.meta.avoid === true
      ? [
          found(
            "warning",
            "key",
            path,
            "is marked as not to be used by the service's documentation; remove it",
          ),
        ]
      : [],
  );
}

/**
 * Fields and fractions that only the hosted service documents, in a document written in the
 * interface document's dialect.
 */
export function hostedOnly({ source, dialect, body }: RuleInput): Finding[] {
  if (dialect !== "document") return [];
  const hosted = source === undefined ? "" : ` (source: ${spellSource(source, "hosted")})`;
  return written(body).flatMap(({ path, row, value }) => {
    if (row.mutability === "read-only") return [];
    if (row.meta.hosted === "only")
      return [
        found(
          "warning",
          "key",
          path,
          `is only known to the hosted service; remove it, or use the hosted spelling${hosted}`,
        ),
      ];
    return row.meta.hosted === "fraction" && typeof value === "number" && !Number.isInteger(value)
      ? [
          found(
            "warning",
            "value",
            path,
            `is a fraction, which only the hosted service takes; write a whole number, or use the hosted spelling${hosted}`,
          ),
        ]
      : [];
  });
}
