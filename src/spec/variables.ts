import { isObject } from "../model/json.ts";
import { UNKNOWN } from "../model/rule-input.ts";
import { addDiagnostic, type Reading, type Spot } from "./reading.ts";
import { looksLikeKey } from "../secrets/key-like.ts";

type Struct = Readonly<Record<string, unknown>>;

/** A body whose variables are merged into `secrets`, with their names. */
export interface WithVariables {
  readonly body: Struct;
  readonly variables: ReadonlySet<string>;
  /** Only variables are written: live entries that the document does not name are kept. */
  readonly keepsOthers: boolean;
}

/**
 * Appends `variables` to `secrets`, the service's one list for both; problems and positions still
 * name `variables.NAME`.
 */
export function joinVariables(reading: Reading, body: Struct, variables: unknown): WithVariables {
  const entries = isObject(variables) ? Object.entries(variables) : [];
  if (entries.length === 0) return { body, variables: new Set(), keepsOthers: false };
  const secrets = body["secrets"];
  const listed: readonly unknown[] = Array.isArray(secrets) ? secrets : [];
  const taken = new Set(
    listed.flatMap((item) =>
      isObject(item) && typeof item["name"] === "string" ? [item["name"]] : [],
    ),
  );
  const kept = entries.filter(([name, value]) => {
    judgeVariable(reading, name, value, taken);
    return !taken.has(name);
  });
  for (const [index, [name]] of kept.entries()) markEntry(reading, name, listed.length + index);
  const joined = [...listed, ...kept.map(([name, value]) => ({ name, value }))];
  return {
    body: { ...body, secrets: secrets === UNKNOWN ? UNKNOWN : joined },
    variables: new Set(kept.map(([name]) => name)),
    keepsOthers: secrets === undefined,
  };
}

function judgeVariable(
  reading: Reading,
  name: string,
  value: unknown,
  secrets: ReadonlySet<string>,
): void {
  const mark = reading.marks.get(`variables.${name}`);
  if (mark === undefined) return;
  if (secrets.has(name)) {
    const message = "is also listed under secrets; keep it in one of the two";
    addDiagnostic(reading, mark, message, { at: mark.key });
  }
  if (typeof value !== "string" || !looksLikeKey(value)) return;
  reading.sensitiveValues.push(value);
  const message =
    "looks like a key, and variables are shown; write it under secrets (it is masked)";
  addDiagnostic(reading, mark, message, { level: "warning" });
}

/** Gives a merged entry the positions of the variable it comes from. */
function markEntry(reading: Reading, name: string, index: number): void {
  const mark = reading.marks.get(`variables.${name}`);
  if (mark === undefined) return;
  const places: readonly (readonly [string, Spot])[] = [
    [`secrets.${index}`, mark],
    [`secrets.${index}.name`, { ...mark, value: mark.key }],
    [`secrets.${index}.value`, mark],
    [`secrets.${name}`, mark],
  ];
  for (const [path, place] of places) if (!reading.marks.has(path)) reading.marks.set(path, place);
  for (const [variable, paths] of reading.fromEnvironment)
    reading.fromEnvironment.set(
      variable,
      paths.map((path) => (path === `variables.${name}` ? `secrets.${index}.value` : path)),
    );
}
