import { isVendorBuilt, spellSource } from "./dialect.ts";
import {
  duplicateNames,
  fieldsOfOtherKind,
  limitBelowRequest,
  minAboveMax,
  mountsMatchVolumes,
  requiredBySourceKind,
} from "./document-rules.ts";
import { isObject } from "./json.ts";
import { C_IDENTIFIER, DNS_LABEL, IDENTIFIER_ADVICE, isReservedName } from "./name-rules.ts";
import {
  type DocumentRule,
  type Finding,
  isSet,
  type RuleInput,
  structAt,
  written,
  type WrittenField,
} from "./rule-input.ts";
import { SOURCE_VARIABLE } from "./source-mark.ts";

/** A field with its value as a message quotes it. */
interface QuotedField extends WrittenField {
  readonly quoted: unknown;
}

/** A rule for one field wherever it is written; it ignores unknown values. */
interface FieldRule {
  readonly name: string;
  /** Absent: an error. */
  readonly level?: "warning";
  /** Absent: at the value. */
  readonly at?: "key";
  readonly breaks: (field: WrittenField, document: RuleInput) => boolean;
  readonly message: string | ((field: QuotedField, document: RuleInput) => string);
}

const LABEL_ADVICE =
  "use 1 to 63 lowercase letters, digits and -, beginning and ending with a letter or digit";
/** The longest name that leaves room for the suffixes of a self-hosted service (contributing/service.md 2.8). */
const MAX_SELF_HOSTED = 21;
const SECRET_NAMES: readonly string[] = ["secrets.name", "secret_references.name"];

const isText = (value: unknown): value is string => typeof value === "string";

const hostedSpelling = ({ source }: RuleInput): string =>
  source === undefined ? "" : ` (source: ${spellSource(source, "hosted")})`;

const isEmptyGroup = (value: unknown): boolean =>
  value === null || (isObject(value) && Object.keys(value).length === 0);

const isFraction = (value: unknown): boolean =>
  typeof value === "number" && !Number.isInteger(value);

/** Every rule in checking order; each has a test file named after it. */
export const RULES: readonly (FieldRule | DocumentRule)[] = [
  { name: "requiredBySourceKind", judge: requiredBySourceKind },
  { name: "fieldsOfOtherKind", judge: fieldsOfOtherKind },
  {
    name: "readOnlyFields",
    at: "key",
    breaks: ({ row }) => row.mutability === "read-only",
    message: ({ row }) =>
      row.path === "id"
        ? "is read-only; remove it, or write it as id in the deploy block to adopt that deployment"
        : "is read-only, set by the service; remove it",
  },
  {
    name: "nameIsDnsLabel",
    breaks: ({ row, value }) => row.path === "name" && value === "",
    message: `is empty; ${LABEL_ADVICE}`,
  },
  // contributing/service.md 2.8: a name that is not a DNS label may build and then fail at the image registry.
  {
    name: "nameIsDnsLabel",
    level: "warning",
    breaks: ({ row, value }) =>
      row.path === "name" && isText(value) && value !== "" && !DNS_LABEL.test(value),
    message: `is not a valid DNS label, which the service may refuse or fail to build; ${LABEL_ADVICE}`,
  },
  // contributing/service.md 2.8: the service derives names from it, which are limited to 63 characters.
  {
    name: "nameIsShort",
    level: "warning",
    breaks: ({ row, value }, { source }) =>
      row.path === "name" &&
      source === "external_container" &&
      isText(value) &&
      value.length > MAX_SELF_HOSTED,
    message: ({ value }) =>
      `has ${String(value).length} characters: names that the service makes of it may grow too long, and then no revision becomes ready; use at most ${MAX_SELF_HOSTED}`,
  },
  // contributing/service.md 2.3: a display name is never empty, and cannot be cleared.
  {
    name: "displayNameIsSet",
    breaks: ({ row, value }) => row.path === "display_name" && value === "",
    message: "is empty; write a name, or remove the line",
  },
  // contributing/interface.md, SourceConfig: `build_on_push` cannot be true when `repo_ref` is a tag.
  {
    name: "buildOnPushWithTag",
    breaks: ({ row, value }, { body }) => {
      const ref = structAt(body, "source_revision_config")?.["repo_ref"];
      const isTag = isText(ref) && ref.startsWith("refs/tags/");
      return row.path === "source_config.build_on_push" && value === true && isTag;
    },
    message: "cannot be true while repo_ref is a tag; write false, or a branch name as repo_ref",
  },
  // The vendor's own tools made the deployment: this tool sets its secrets and never builds it.
  {
    name: "internalSourceFields",
    level: "warning",
    at: "key",
    breaks: ({ path, row, value }, { source }) =>
      path.length === 1 &&
      isVendorBuilt(source) &&
      !["name", "source", "secrets"].includes(row.name) &&
      row.mutability !== "read-only" &&
      !isEmptyGroup(value),
    message: (_, { source }) =>
      `cannot be managed for source ${source}, which the vendor's own tools build: a plan that would change it is blocked; ` +
      "keep only name, source, secrets and deploy, or migrate: write a new deployment under another name with source repohost or external_container",
  },
  // contributing/interface.md, Volume and Container.
  {
    name: "dnsLabels",
    breaks: ({ row, value }) =>
      row.meta.format === "dns-label" && isText(value) && !DNS_LABEL.test(value),
    message: `is not a valid DNS label; ${LABEL_ADVICE}`,
  },
  { name: "duplicateNames", judge: duplicateNames },
  { name: "mountsMatchVolumes", judge: mountsMatchVolumes },
  // contributing/interface.md, EnvVar: `valueFrom` is not allowed when `value` is non-empty.
  {
    name: "valueWithValueFrom",
    at: "key",
    breaks: ({ row, value, around: { value: other } }) =>
      row.name === "valueFrom" && isSet(value) && isText(other) && other !== "",
    message: "cannot be combined with a non-empty value; keep one of the two",
  },
  // contributing/interface.md, EnvVar. A secret becomes a variable too, though the service may accept more.
  {
    name: "variableNames",
    breaks: ({ row, value }) =>
      row.meta.format === "variable" && isText(value) && !C_IDENTIFIER.test(value),
    message: `is not a valid environment variable name; ${IDENTIFIER_ADVICE}`,
  },
  { name: "limitBelowRequest", judge: limitBelowRequest },
  { name: "minAboveMax", judge: minAboveMax },
  {
    name: "negativeSizes",
    breaks: ({ value }) => typeof value === "number" && value < 0,
    message: ({ quoted }) => `is below 0 (${String(quoted)}); write 0 or more`,
  },
  // A trailing line break, left by a command, in an address, a branch, a path or a name.
  {
    name: "lineBreaks",
    breaks: ({ row, value }) => isText(value) && /[\r\n]/u.test(value) && row.meta.lines !== "many",
    message:
      "holds a line break; write it on one line (a file or a variable often ends in one: set it with printf %s)",
  },
  // contributing/service.md 2.4: secret names that the service reserves.
  {
    name: "reservedSecretNames",
    level: "warning",
    breaks: ({ row, value }, { source }) =>
      SECRET_NAMES.includes(row.path) && isText(value) && isReservedName(value, source),
    message: ({ quoted }) =>
      `${String(quoted)} is a name the service keeps for itself and may refuse; use another name, or remove it`,
  },
  {
    name: "sourceVariable",
    breaks: ({ row, value }) => row.path === "secrets.name" && value === SOURCE_VARIABLE,
    message: `${SOURCE_VARIABLE} is where agent-deploy remembers the source that it uploaded; use another name`,
  },
  {
    name: "fieldsToAvoid",
    level: "warning",
    at: "key",
    breaks: ({ row }) => row.meta.avoid === true,
    message: "is deprecated and not to be used; remove it",
  },
  {
    name: "hostedOnly",
    level: "warning",
    at: "key",
    breaks: ({ row }, { dialect }) =>
      dialect === "document" && row.mutability !== "read-only" && row.meta.hosted === "only",
    message: (_, document) =>
      `is only known to the hosted service; remove it, or use the hosted spelling${hostedSpelling(document)}`,
  },
  {
    name: "hostedOnly",
    level: "warning",
    breaks: ({ row, value }, { dialect }) =>
      dialect === "document" && row.meta.hosted === "fraction" && isFraction(value),
    message: (_, document) =>
      `is a fraction, which only the hosted service takes; write a whole number, or use the hosted spelling${hostedSpelling(document)}`,
  },
  // contributing/service.md 2.6: the hosted service rounds these to one decimal, so further decimals have no effect.
  {
    name: "fractionsOfCores",
    level: "warning",
    breaks: ({ row, value }) =>
      row.meta.compareWith === "one-decimal" &&
      typeof value === "number" &&
      Math.abs(value * 10 - Math.round(value * 10)) > 1e-6,
    message: "has more than one decimal, and the service rounds it to one; write one decimal",
  },
  // A PATCH with the same tag builds nothing, even if the tag has moved.
  {
    name: "mutableImageTag",
    level: "warning",
    breaks: ({ row, value }) =>
      row.meta.format === "image" &&
      isText(value) &&
      value !== "" &&
      !/@sha256:[0-9a-f]{64}$/iu.test(value.trim()),
    message:
      "names an image by a tag that can move, and an unchanged tag is not redeployed; write the digest, as in image@sha256:…",
  },
];

/** Everything that the rules find in a document. */
export function judgeDocument(document: RuleInput): Finding[] {
  const quote = (field: WrittenField): QuotedField => ({
    ...field,
    quoted: document.shown?.get(field.path.join(".")) ?? field.value,
  });
  const fields = written(document.body);
  return RULES.flatMap((rule): readonly Finding[] => {
    if ("judge" in rule) return rule.judge(document);
    const { level = "error", at = "value", breaks, message } = rule;
    return fields
      .filter((field) => breaks(field, document))
      .map((field) => {
        const words = typeof message === "string" ? message : message(quote(field), document);
        return { level, at, path: field.path, message: words };
      });
  });
}
