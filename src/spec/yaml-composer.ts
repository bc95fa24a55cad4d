import type { Event } from "js-yaml";
import type { Diagnostic, Position } from "./desired.ts";
import type { YamlBroken, YamlNode } from "./yaml-node.ts";

/** Levels that a document may have. */
export const MAX_DEPTH = 100;

/** A node, with what it counts when every alias is written out. */
export interface Measured {
  readonly node: YamlNode;
  readonly size: number;
  readonly depth: number;
}

/** What is held while one file is composed of its events. */
export interface Composer {
  readonly source: string;
  readonly events: readonly Event[];
  readonly placeOf: (offset: number) => Position;
  readonly problems: Diagnostic[];
  index: number;
  /** Anchors of this document; undefined while the anchored node is still open. */
  anchors: Map<string, Measured | undefined>;
}

/** Reports what is wrong, and replaces the node. */
export function addDiagnostic(composer: Composer, at: Position, message: string): YamlBroken {
  composer.problems.push({ ...at, level: "error", path: "", message });
  return { kind: "broken", at };
}
