import { judgeDocument } from "../model/rules.ts";
import { UNKNOWN, type Finding, type RuleInput } from "../model/rule-input.ts";
import {
  dialectOf,
  dialectOfKey,
  isHostedSource,
  spellKey,
  spellPath,
  spellSource,
  type Dialect,
} from "../model/dialect.ts";
import { fieldAt } from "../model/shape.ts";
import {
  toDeployBlock,
  errorAt,
  KNOWN_AT_APPLY,
  type DeployBlock,
  type Desired,
  type Position,
  type Diagnostic,
} from "./desired.ts";
import { type Json, isObject } from "../model/json.ts";
import { readDocument } from "./document.ts";
import { addDiagnostic, type Reading, type Spot } from "./reading.ts";
import { dropLeftOut } from "./secret-entry.ts";
import type { ResolvedDocument } from "./targets.ts";
import { joinVariables, type WithVariables } from "./variables.ts";
import { parseDuration } from "../duration.ts";
import { filledText, type Filling, type SpecMode } from "./interpolation.ts";
import { entryOf, type YamlMap, type YamlNode } from "./yaml-node.ts";

/** The result of validating one document; `desired` is undefined if there is an error. */
export interface ValidatedDocument {
  readonly desired: Desired | undefined;
  /** The name, if known, and its position, for the check across documents. */
  readonly name: string | undefined;
  readonly nameAt: Position;
  readonly problems: readonly Diagnostic[];
  readonly sensitiveValues: readonly string[];
}

/** Validates a resolved document; a field that the target removed with null is reported missing at that null. */
export function validateResolved(
  resolved: ResolvedDocument,
  checking: CheckOptions,
): ValidatedDocument {
  const { root, place, removed } = resolved;
  const result = validateDocument(root, checking);
  const problems = [
    ...resolved.problems,
    ...result.problems.map((problem) => atNull(problem, removed)),
  ];
  const failed = problems.some((problem) => problem.level === "error");
  const { desired } = result;
  const placed = desired === undefined || failed ? undefined : desired;
  return {
    ...result,
    problems,
    desired: placed === undefined || place === undefined ? placed : { ...placed, target: place },
  };
}

/** If a target removed a missing field, the problem is reported at that null. */
function atNull(problem: Diagnostic, removed: ResolvedDocument["removed"]): Diagnostic {
  if (problem.level !== "error" || problem.missing !== true) return problem;
  const path = spellPath(problem.path, "document");
  const gone = [...removed.keys()].find((one) => path === one || path.startsWith(`${one}.`));
  if (gone === undefined) return problem;
  const message =
    path === gone
      ? "must not be null here: a create needs it; write the value, or remove the line"
      : `must not be null here: a create needs ${problem.path}; write the value, or remove the line`;
  // As the document spells what was removed.
  const written = problem.path.split(".").slice(0, gone.split(".").length).join(".");
  return { ...problem, ...removed.get(gone)!, path: written, message };
}

/** How to check a document. */
export interface CheckOptions extends Filling {
  readonly mode: SpecMode;
  /** A `deployment-id` was given, so the document need not be complete enough for a create. */
  readonly adopted: boolean;
}

/** Validates one document of a spec: types first, then every rule. Reports all problems at once. */
export function validateDocument(root: YamlNode, checking: CheckOptions): ValidatedDocument {
  const nothing = { desired: undefined, name: undefined, nameAt: root.at, sensitiveValues: [] };
  if (root.kind === "broken") return { ...nothing, problems: [] };
  if (root.kind !== "map") {
    return {
      ...nothing,
      problems: [
        errorAt(
          root.at,
          "",
          "the document takes key: value pairs; write name: and source: of a deployment, each on a line of its own",
        ),
      ],
    };
  }
  const reading = startReading(root, checking);
  const { dialect } = reading;
  const { deploy: block, variables: written, ...rest } = readDocument(reading, root);
  const { body, variables, keepsOthers } = joinVariables(reading, rest, written);
  requireKnownSource(reading, body);
  const given = readDeploy(reading, block);
  const deploy: DeployBlock = keepsOthers ? { ...given, secrets: "merge" } : given;
  const source = body["source"] === UNKNOWN ? undefined : (body["source"] as string | undefined);
  judgeSourceFolder(reading, deploy, source);
  const adopted =
    checking.adopted || (isObject(block) && block["id"] !== undefined && block["id"] !== null);
  judge(reading, root, { source, dialect, body, adopted }, deploy.image === "resolve");
  const nameAt = reading.marks.get("name")?.value ?? root.at;
  const name = typeof body["name"] === "string" ? body["name"] : undefined;
  const failed = reading.problems.some((problem) => problem.level === "error");
  const desired = failed ? undefined : toDesired(reading, root, deploy, { body, variables });
  return {
    desired,
    name,
    nameAt,
    problems: reading.problems,
    sensitiveValues: reading.sensitiveValues,
  };
}

function startReading(root: YamlMap, checking: CheckOptions): Reading {
  const words = dialectWords(root, checking);
  return {
    ...checking,
    dialect: words[0]?.dialect ?? (isInternal(root, checking) ? "hosted" : "document"),
    problems: [...mixedDialects(words)],
    marks: new Map(),
    fromEnvironment: new Map(),
    sensitiveValues: [],
    shown: new Map(),
  };
}

function requireKnownSource(reading: Reading, { source }: RuleInput["body"]): void {
  const own = reading.problems.filter(({ path }) => path === "source");
  if (source !== UNKNOWN || own.every(({ level }) => level === "error")) return;
  addDiagnostic(
    reading,
    reading.marks.get("source")!,
    "decides what every other field means, so it must be known in every run; write the word itself",
  );
}

function readDeploy(reading: Reading, block: unknown): DeployBlock {
  const { timeout, ...rest } = isObject(block) ? block : {};
  const timeoutMs = typeof timeout === "string" ? parseDuration(timeout) : undefined;
  const refuse = (key: string, message: string): unknown =>
    addDiagnostic(reading, reading.marks.get(`deploy.${key}`)!, message);
  if (typeof timeout === "string" && timeoutMs === undefined)
    refuse("timeout", "is not a duration; write 500ms, 90s, 30m or 1h (at most 24 days)");
  const { wave, extra } = rest;
  if (typeof wave === "number" && (wave < 0 || wave > MAX_WAVE))
    refuse("wave", `is out of bounds; write a number from 0 to ${MAX_WAVE}`);
  judgeExtra(reading, extra);
  const settings = timeoutMs === undefined ? rest : { ...rest, timeoutMs };
  return toDeployBlock(settings, (value) => value !== null && value !== UNKNOWN);
}

const MAX_WAVE = 1000;

/** Keys that identify the deployment or are never shown cannot be in `deploy.extra`. */
const NEVER_EXTRA = ["name", "source", "secrets"];

/** A field is written either in the document or in `deploy.extra`, never in both. */
function judgeExtra(reading: Reading, extra: unknown, path: readonly string[] = []): void {
  if (!isObject(extra)) return;
  for (const [key, value] of Object.entries(extra)) {
    const at = [...path, spellKey(key, "document")];
    const why = whyNotExtra(reading, at, value);
    const mark = reading.marks.get(["deploy.extra", ...path, key].join("."));
    if (why === null) judgeExtra(reading, value, [...path, key]);
    else if (mark !== undefined) addDiagnostic(reading, mark, why, { at: mark.key });
  }
}

function whyNotExtra({ marks }: Reading, path: readonly string[], value: unknown): string | null {
  const [top = ""] = path;
  if (path.length === 1 && NEVER_EXTRA.includes(top))
    return `is a field that is known; write ${top} at the top of the document`;
  if (fieldAt(path)?.mutability === "read-only")
    return "is read-only, set by the service; remove it";
  const own = isObject(value) ? undefined : marks.get(path.join("."));
  return own === undefined ? null : `is written in line ${own.key.line} too; keep one of the two`;
}

/** Only a source that is packed from the checkout takes a folder. */
function judgeSourceFolder(
  reading: Reading,
  deploy: DeployBlock,
  source: string | undefined,
): void {
  const mark = reading.marks.get("deploy.source");
  if (deploy.source === undefined || mark === undefined) return;
  if (source === undefined || source === "internal_source") return;
  const message = "is only for source internal_source; remove it, or change source";
  addDiagnostic(reading, mark, message, { at: mark.key });
}

/** `deploy.image: resolve` replaces the tag with a digest, so warnings about the tag do not apply. */
function isAboutImageTag({ level, path }: Finding): boolean {
  return level === "warning" && path.join(".") === "source_revision_config.image_uri";
}

function judge(reading: Reading, root: YamlMap, document: RuleInput, resolvesImage: boolean): void {
  for (const finding of judgeDocument({ ...document, shown: reading.shown })) {
    if (resolvesImage && isAboutImageTag(finding)) continue;
    const at = placeOf(reading.marks, root, finding);
    const { level, missing } = finding;
    reading.problems.push({
      ...errorAt(at, writtenPath(reading, finding), finding.message),
      level,
      ...(missing === undefined ? {} : { missing }),
    });
  }
}

function placeOf(marks: ReadonlyMap<string, Spot>, root: YamlMap, { path, at }: Finding): Position {
  const mark = marks.get(path.join("."));
  return mark?.[at] ?? nearestMark(marks, path.join("."))?.key ?? root.at;
}

function nearestMark(marks: ReadonlyMap<string, Spot>, path: string): Spot | undefined {
  for (let at = path; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) {
    const mark = marks.get(at);
    if (mark !== undefined) return mark;
  }
  return undefined;
}

const writtenPath = ({ marks, dialect }: Reading, { path }: Finding): string =>
  marks.get(path.join("."))?.written ?? spellPath(path.join("."), dialect);

/** A word that belongs to one dialect, with its other spelling. */
interface DialectWord {
  readonly dialect: Dialect;
  readonly at: Position;
  readonly path: string;
  readonly spell: (to: Dialect) => string;
}

/** Every word of a document that belongs to one dialect, in written order. */
function dialectWords(root: YamlMap, filling: Filling): DialectWord[] {
  const words = root.entries.flatMap((written) => {
    const { key, value } = written;
    if (key === "source") {
      const source = filledText(written, filling) ?? "";
      const dialect = isHostedSource(source) ? undefined : dialectOf(source);
      const spell = (to: Dialect): string => `source: ${spellSource(source, to)}`;
      return [{ dialect, at: value.at, path: key, spell }];
    }
    if (key !== "source_revision_config" || value.kind !== "map") return [];
    return value.entries.map((entry) => ({
      dialect: dialectOfKey(entry.key),
      at: entry.keyAt,
      path: `${key}.${entry.key}`,
      spell: (to: Dialect) => spellKey(entry.key, to),
    }));
  });
  return words
    .filter((word): word is DialectWord => word.dialect !== undefined)
    .sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
}

const isInternal = (root: YamlMap, filling: Filling): boolean =>
  isHostedSource(filledText(entryOf(root, "source"), filling));

function mixedDialects(words: readonly DialectWord[]): Diagnostic[] {
  const [first, ...rest] = words;
  return rest
    .filter(({ dialect }) => dialect !== first!.dialect)
    .map(({ at, path, dialect, spell }) => {
      const message = `${spell(dialect)} mixes two spellings of the service, since ${first!.spell(first!.dialect)} is in line ${first!.at.line}; write ${spell(first!.dialect)}, or ${first!.spell(dialect)} there`;
      return errorAt(at, path, message);
    });
}

function toDesired(
  reading: Reading,
  root: YamlMap,
  deploy: DeployBlock,
  { body: checked, variables }: Pick<WithVariables, "body" | "variables">,
): Desired {
  const { body, leftOut } = dropLeftOut(reading, checked);
  const unknown = new Set<string>();
  const known = toKnown(body, unknown) as Desired["body"];
  const extra = toKnown(deploy.extra, unknown, "deploy.extra") as DeployBlock["extra"];
  return {
    name: known["name"] as string,
    source: known["source"] as string,
    dialect: reading.dialect,
    body: known,
    ...(variables.size === 0 ? {} : { variables }),
    ...(leftOut.size === 0 ? {} : { leftOut }),
    ...(reading.shown.size === 0 ? {} : { shown: reading.shown }),
    ...(reading.trusted ? {} : { untrusted: true as const }),
    deploy: extra === undefined ? deploy : { ...deploy, extra },
    fromEnvironment: reading.fromEnvironment,
    unknown,
    positionOf: (path) => nearestMark(reading.marks, spellPath(path, "document"))?.key ?? root.at,
  };
}

/** The value with KNOWN_AT_APPLY for everything unknown, whose paths it adds to `unknown`. */
function toKnown(value: unknown, unknown: Set<string>, path = ""): Json {
  const read = (child: unknown, key: string | number): Json =>
    toKnown(child, unknown, path === "" ? String(key) : `${path}.${key}`);
  if (Array.isArray(value)) return value.map(read);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, read(child, key)]));
  if (value !== UNKNOWN) return value as Json;
  unknown.add(path);
  return KNOWN_AT_APPLY;
}
