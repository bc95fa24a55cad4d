import { flawOfAddress } from "../model/address.ts";
import { documentShape, PLACE_KEYS } from "../model/deploy-block.ts";
import { REGIONS } from "../model/name-rules.ts";
import { errorAt, type Diagnostic, type Position, type TargetPlace } from "./desired.ts";
import { filledText, interpolate, type Filling, type Interpolated } from "./interpolation.ts";
import { overlayDocument } from "./overlay.ts";
import { didYouMean, nearestWord } from "./suggestion.ts";
import {
  entryOf,
  isNullNode,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from "./yaml-node.ts";

/** Which target a run uses. */
export interface TargetChoice {
  /** The input `target`. */
  readonly target?: string | undefined;
  /** The input `environment`: used if a target has that name. */
  readonly environment?: string | undefined;
  /** Check every target of every document, as `validate` does. */
  readonly all?: boolean;
}

/** One document of a file, separated from its targets. */
export interface TargetedDocument {
  /** The document without `deploy.targets`. */
  readonly base: YamlNode;
  /** Overlays by name, in order; empty if the document has no targets. */
  readonly overlays: ReadonlyMap<string, Overlay>;
  /** Position of `targets:`. */
  readonly at: Position;
  readonly problems: readonly Diagnostic[];
}

interface Overlay {
  readonly name: string;
  readonly keyAt: Position;
  readonly body: YamlMap;
}

/** A document resolved for one target, ready for validation. */
export interface ResolvedDocument {
  readonly root: YamlNode;
  /** Positions of everything that the target writes, as `line:column`. */
  readonly written: ReadonlySet<string>;
  /** Undefined if the document has no targets. */
  readonly place: TargetPlace | undefined;
  /** Canonical paths that the target removed, with the position of the null. */
  readonly removed: ReadonlyMap<string, Position>;
  readonly problems: readonly Diagnostic[];
}

/** The most targets of one document: each is checked against all others. */
const MAX_TARGETS = 50;

/** Separates `deploy.targets` from a document; reports what is malformed in `problems`. */
export function splitTargets(root: YamlNode): TargetedDocument {
  const deploy = entryOf(root, "deploy");
  const targets = entryOf(deploy?.value, "targets");
  if (root.kind !== "map" || deploy?.value.kind !== "map" || targets === undefined)
    return { base: root, overlays: new Map(), at: root.at, problems: [] };
  const block = deploy.value;
  const rest = { ...block, entries: block.entries.filter((entry) => entry !== targets) };
  const base: YamlMap = {
    ...root,
    entries: root.entries.map((entry) => (entry === deploy ? { ...entry, value: rest } : entry)),
  };
  return { base, at: targets.keyAt, ...readOverlays(targets) };
}

function readOverlays(targets: YamlEntry): Pick<TargetedDocument, "overlays" | "problems"> {
  const path = "deploy.targets";
  if (targets.value.kind === "broken") return { overlays: new Map(), problems: [] };
  if (targets.value.kind !== "map" || targets.value.entries.length === 0) {
    const message =
      "takes a mapping of targets; write staging: with what differs there below it, or remove the key";
    return { overlays: new Map(), problems: [errorAt(targets.value.at, path, message)] };
  }
  const { entries } = targets.value;
  const problems: Diagnostic[] = [];
  if (entries.length > MAX_TARGETS) {
    const message = `holds ${entries.length} targets, and at most ${MAX_TARGETS} are allowed; write several documents`;
    problems.push(errorAt(entries[MAX_TARGETS]!.keyAt, path, message));
  }
  const overlays = new Map<string, Overlay>();
  for (const { key, keyAt, value } of entries.slice(0, MAX_TARGETS)) {
    if (key.trim() === "")
      problems.push(errorAt(keyAt, path, "has a target without a name; name it"));
    else if (value.kind === "map") overlays.set(key, { name: key, keyAt, body: value });
    else {
      overlays.set(key, { name: key, keyAt, body: { kind: "map", at: keyAt, entries: [] } });
      if (value.kind !== "broken" && !isNullNode(value))
        problems.push(
          errorAt(
            value.at,
            `${path}.${key}`,
            `takes a mapping of what differs in this target, got a ${value.kind === "list" ? "list" : "single value"}`,
          ),
        );
    }
  }
  return { overlays, problems };
}

/** The target chosen for all documents; undefined if there is none. */
export function chosenTarget(
  documents: readonly TargetedDocument[],
  { target, environment }: TargetChoice,
): string | undefined {
  if (target !== undefined) return target;
  const named = documents.some(({ overlays }) => overlays.has(environment ?? ""));
  return named ? environment : undefined;
}

/** Problems with the choice itself; a run with any of these stops. */
export function judgeChoice(
  documents: readonly TargetedDocument[],
  choice: TargetChoice,
): readonly Diagnostic[] {
  const names = [...new Set(documents.flatMap(({ overlays }) => [...overlays.keys()]))];
  const { target, environment } = choice;
  const unreadable = documents.some(
    ({ overlays, problems }) => overlays.size + problems.length > 0,
  );
  if (names.length === 0 && unreadable) return [];
  if (target !== undefined && !names.includes(target)) {
    const at = documents.find(({ overlays }) => overlays.size > 0) ?? documents[0];
    if (at === undefined) return [];
    const message =
      names.length === 0
        ? `no document has targets, so there is no target ${target}; remove target, or write deploy.targets`
        : `no document has the target ${target}${didYouMean(target, names)}; the spec has ${names.join(", ")}`;
    return [errorAt(at.at, "deploy.targets", message)];
  }
  const chosen = chosenTarget(documents, choice);
  if (choice.all === true && chosen === undefined) return [];
  return documents.flatMap(({ overlays, at }) => {
    if (overlays.size === 0 || overlays.has(chosen ?? "")) return [];
    const own = [...overlays.keys()].join(", ");
    const none =
      environment === undefined
        ? "none is chosen"
        : `the environment ${environment} names none of them${didYouMean(environment, names)}`;
    const message =
      chosen === undefined
        ? `the document has the targets ${own}, and ${none}; set target (--target) or environment to one of them`
        : `the document has no target ${chosen}${didYouMean(chosen, [...overlays.keys()])}; it has ${own}`;
    return [errorAt(at, "deploy.targets", message)];
  });
}

/** The document resolved for the named target; as written if there is no name or there are no targets. */
export function resolveTarget(
  document: TargetedDocument,
  name: string | undefined,
  filling: Filling,
): ResolvedDocument {
  const overlay = document.overlays.get(name ?? "");
  if (overlay === undefined || document.base.kind !== "map")
    return {
      root: document.base,
      written: new Set(),
      place: undefined,
      removed: new Map(),
      problems: [],
    };
  const prefix = `deploy.targets.${overlay.name}`;
  const problems: Diagnostic[] = [];
  const body = withoutForeignKeys(overlay.body, prefix, problems);
  const merged = overlayDocument(document.base, body, prefix);
  const place = readPlace(overlay, prefix, filling, problems);
  return {
    root: merged.root,
    written: new Set(placesOf(overlay.body)),
    place,
    removed: merged.removed,
    problems: [...problems, ...merged.problems],
  };
}

/** A position as one word, unique within a file. */
export const placeWord = ({ line, column }: Position): string => `${line}:${column}`;

function* placesOf(node: YamlNode): Generator<string> {
  yield placeWord(node.at);
  if (node.kind === "list") for (const item of node.items) yield* placesOf(item);
  if (node.kind !== "map") return;
  for (const { keyAt, value } of node.entries) {
    yield placeWord(keyAt);
    yield* placesOf(value);
  }
}

/** The overlay without keys that are no document fields: the place, anchor keys, unknown keys and targets (refused). */
function withoutForeignKeys(body: YamlMap, prefix: string, problems: Diagnostic[]): YamlMap {
  const chained = "a target cannot hold targets; write each target under deploy.targets";
  const { fields } = documentShape;
  const known = [...fields.keys(), ...PLACE_KEYS, "replace", "langgraph_config_path"];
  const entries = body.entries.flatMap((entry): YamlEntry[] => {
    if (isPlaceKey(entry.key) || entry.key.startsWith("x-")) return [];
    if (entry.key === "targets") {
      problems.push(errorAt(entry.keyAt, `${prefix}.targets`, chained));
      return [];
    }
    if (entry.key === "deploy" && entry.value.kind === "map") {
      const inner = entryOf(entry.value, "targets");
      if (inner === undefined) return [entry];
      problems.push(errorAt(inner.keyAt, `${prefix}.deploy.targets`, chained));
      const rest = entry.value.entries.filter((one) => one !== inner);
      return [{ ...entry, value: { ...entry.value, entries: rest } }];
    }
    if (fields.has(entry.key) || entry.key === "replace") return [entry];
    const near = nearestWord(entry.key, known);
    const advice = near === undefined ? "remove it" : `did you mean ${near}?`;
    const message = `is not a known key of a target; ${advice}`;
    problems.push(errorAt(entry.keyAt, `${prefix}.${entry.key}`, message));
    return [];
  });
  return { ...body, entries };
}

const isPlaceKey = (key: string): boolean => (PLACE_KEYS as readonly string[]).includes(key);

function readPlace(
  overlay: Overlay,
  prefix: string,
  filling: Filling,
  problems: Diagnostic[],
): TargetPlace {
  const values: Record<string, string> = {};
  const shown: Record<string, string> = {};
  const lines: Record<string, Position> = {};
  for (const { key, value } of overlay.body.entries) {
    if (!isPlaceKey(key) || value.kind === "broken" || isNullNode(value)) continue;
    const path = `${prefix}.${key}`;
    if (value.kind !== "scalar" || typeof value.value !== "string") {
      problems.push(errorAt(value.at, path, `takes text; write ${PLACE_EXAMPLES[key]}`));
      continue;
    }
    const filled = interpolate(value.value, filling);
    const text = placeText(value, path, filled, problems);
    if (text === undefined) continue;
    if (key === "region" && REGIONS.every((one) => one !== text)) {
      const message = `takes one of ${REGIONS.join(", ")}${didYouMean(text, REGIONS)}`;
      problems.push(errorAt(value.at, path, message));
      continue;
    }
    const flaw = key === "control_plane_url" ? flawOfAddress(text.trim()) : undefined;
    if (flaw !== undefined) problems.push(errorAt(value.at, path, flaw));
    values[key] = text;
    shown[key] = filled.shown ?? text;
    lines[key] = value.at;
  }
  return { name: overlay.name, at: overlay.keyAt, values, shown, lines };
}

const PLACE_EXAMPLES: Readonly<Record<string, string>> = {
  region: `one of ${REGIONS.join(", ")}`,
  control_plane_url: "an address, such as https://host/api-host",
  tenant_id: "the id of a workspace",
};

/** The text of a place. It decides where the key is sent, so an unset variable is always an error. */
function placeText(
  node: YamlScalar,
  path: string,
  { text, faults }: Interpolated,
  problems: Diagnostic[],
): string | undefined {
  for (const { message } of faults) problems.push(errorAt(node.at, path, message));
  if (text === "") problems.push(errorAt(node.at, path, "is empty; write it, or remove the key"));
  return text === "" ? undefined : text;
}

/** What makes two targets the same deployment, read only from the nodes: no target has to be valid. */
interface TargetIdentity {
  readonly document: number;
  readonly target: Overlay;
  readonly name: string | undefined;
  readonly id: string | undefined;
  readonly place: string;
  readonly nameAt: Position;
  readonly idAt: Position;
}

function identityOf(
  document: number,
  base: YamlNode,
  target: Overlay,
  filling: Filling,
): TargetIdentity {
  const filled = (entry: YamlEntry | undefined) => filledText(entry, filling);
  const name = entryOf(target.body, "name");
  const deploy = entryOf(target.body, "deploy")?.value;
  const id = entryOf(deploy, "id");
  const [region, url, tenant] = PLACE_KEYS.map((key) => filled(entryOf(target.body, key)));
  const baseDeploy =
    deploy !== undefined && isNullNode(deploy) ? undefined : entryOf(base, "deploy");
  return {
    document,
    target,
    name: filled(name ?? entryOf(base, "name")),
    id: filled(id ?? entryOf(baseDeploy?.value, "id")),
    place: JSON.stringify([url ?? region ?? "us", tenant ?? ""]),
    nameAt: name?.value.at ?? target.keyAt,
    idAt: id?.value.at ?? target.keyAt,
  };
}

/**
 * Reports targets that are the same deployment: promoting one would overwrite the other. The same
 * id always is; the same name in the same place is, unless each target has its own workspace's key.
 */
export function repeatedTargets(
  documents: readonly TargetedDocument[],
  filling: Filling,
): readonly Diagnostic[] {
  const byName = new Map<string, TargetIdentity>();
  const byId = new Map<string, TargetIdentity>();
  const problems: Diagnostic[] = [];
  documents.forEach(({ base, overlays }, document) => {
    for (const overlay of overlays.values()) {
      const one = identityOf(document, base, overlay, filling);
      const sameName = one.name === undefined ? undefined : `${one.place} ${one.name}`;
      const sameId = one.id === undefined ? undefined : `${one.place} ${one.id}`;
      const other = byName.get(sameName ?? "") ?? byId.get(sameId ?? "");
      if (other === undefined) {
        if (sameName !== undefined) byName.set(sameName, one);
        if (sameId !== undefined) byId.set(sameId, one);
      } else if (other.document === document || other.target.name !== overlay.name)
        problems.push(repeated(one, other, byName.has(sameName ?? "")));
    }
  });
  return problems;
}

function repeated(one: TargetIdentity, other: TargetIdentity, name: boolean): Diagnostic {
  const { file, line, column } = other.target.keyAt;
  const where =
    other.document === one.document ? "" : ` of the document at ${file}:${line}:${column}`;
  const what = name ? `the name ${one.name}` : `the id ${one.id}`;
  const key = name ? "name" : "deploy.id";
  const both = name
    ? "so both are one deployment unless their keys belong to different workspaces"
    : "so both would be one deployment";
  const place = `the same place as the target ${other.target.name}${where}`;
  const next = `write another ${key}, or another region, control_plane_url or tenant_id`;
  const message = `has ${what} in ${place}, ${both}; ${next}`;
  const path = `deploy.targets.${one.target.name}.${key}`;
  const problem = errorAt(name ? one.nameAt : one.idAt, path, message);
  return name ? { ...problem, level: "warning" } : problem;
}
