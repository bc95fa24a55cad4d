import {
  CORE_SCHEMA,
  type Event,
  EVENT_ID,
  getScalarValue,
  NOT_RESOLVED,
  SCALAR_STYLE,
  type ScalarEvent,
} from "js-yaml";
import { errorAt, type Diagnostic, type Position } from "./desired.ts";
import type { YamlBroken, YamlNode, YamlScalar } from "./yaml-node.ts";

/** A node with its size when every alias is expanded. */
export interface Measured {
  readonly node: YamlNode;
  readonly size: number;
  readonly depth: number;
}

/** State while composing one file. */
export interface Composer {
  readonly source: string;
  readonly events: readonly Event[];
  readonly placeOf: (offset: number) => Position;
  readonly problems: Diagnostic[];
  index: number;
  /** Anchors of this document; undefined while the anchored node is still open. */
  anchors: Map<string, Measured | undefined>;
}

/** Reports a problem and returns a placeholder node. */
export function addDiagnostic(composer: Composer, at: Position, message: string): YamlBroken {
  composer.problems.push(errorAt(at, "", message));
  return { kind: "broken", at };
}

/** YAML reads a leading `!` as a tag. No message repeats it. */
export const NO_TAG =
  "what begins with ! here is a tag that is not known; put a value that begins with ! in quotes, or remove the tag";

function tagName(
  composer: Composer,
  event: { readonly tagStart: number; readonly tagEnd: number },
): string {
  const raw = event.tagStart < 0 ? "" : composer.source.slice(event.tagStart, event.tagEnd);
  return raw.replace(/^!<tag:yaml\.org,2002:(.*)>$/u, "!!$1");
}

/** An unknown tag is more likely the beginning of a value, which may be a secret. */
function refuseTag(composer: Composer, at: Position, tag: string, why: string): YamlBroken {
  const isOfYaml = /^!!(?:null|bool|int|float|str|seq|map|set|omap|pairs|binary|timestamp)$/u.test(
    tag,
  );
  return addDiagnostic(composer, at, isOfYaml ? `the tag ${tag} ${why}; remove it` : NO_TAG);
}

/** Whether the tag of a list or mapping allows it. */
export function fitsCollection(
  composer: Composer,
  event: Extract<Event, { type: 2 | 3 }>,
  at: Position,
): boolean {
  const tag = tagName(composer, event);
  const fitting = event.type === EVENT_ID.SEQUENCE ? "!!seq" : "!!map";
  const fits = tag === "" || tag === "!" || tag === fitting;
  if (!fits) refuseTag(composer, at, tag, "is not known here");
  return fits;
}

/** Resolves a scalar by its tag and YAML's core schema. */
export function composeScalar(
  composer: Composer,
  event: ScalarEvent,
  at: Position,
): YamlScalar | YamlBroken {
  const { source, placeOf } = composer;
  const text = getScalarValue(source, event);
  const value = resolveScalar(composer, event, text, at);
  if (typeof value === "object" && value !== null) return value;
  if (typeof value !== "string") return { kind: "scalar", at, value, text };
  if (event.valueEnd < 0 || !/[\r\n]/u.test(source.slice(event.valueStart, event.valueEnd)))
    return { kind: "scalar", at, value };
  const locate = (needle: string): Position | undefined => {
    const found = source.slice(event.valueStart, event.valueEnd).indexOf(needle);
    const place = found < 0 ? undefined : placeOf(event.valueStart + found);
    return place === undefined || place.line === at.line ? undefined : place;
  };
  return { kind: "scalar", at, value, locate };
}

function resolveScalar(
  composer: Composer,
  event: ScalarEvent,
  text: string,
  at: Position,
): YamlScalar["value"] | YamlBroken {
  const tag = tagName(composer, event);
  if (tag === "!" || (tag === "" && event.style !== SCALAR_STYLE.PLAIN)) return text;
  const known = tag.startsWith("!!")
    ? CORE_SCHEMA.lookupScalarTag(`tag:yaml.org,2002:${tag.slice(2)}`)
    : undefined;
  const explicit = known === undefined ? NOT_RESOLVED : known.resolve(text, true, known.tagName);
  const value = tag === "" ? CORE_SCHEMA.resolveImplicitScalarTag(text).value : explicit;
  if (value === NOT_RESOLVED) return refuseTag(composer, at, tag, "does not fit this value");
  return typeof value === "number"
    ? checkNumber(composer, value, at)
    : (value as YamlScalar["value"]);
}

function checkNumber(composer: Composer, value: number, at: Position): number | YamlBroken {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
    return addDiagnostic(
      composer,
      at,
      "the number is too large, or none that JSON can carry; write a smaller one, or put it in quotes where text is meant",
    );
  }
  return value === 0 ? 0 : value;
}
