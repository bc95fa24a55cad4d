import { isObject, ownAt } from "../model/json.ts";
import { withoutStamps } from "./input/identity.ts";

/** Names of what a run makes up, as plain words: `run_id`, `traceId`, `latency_ms`. */
const MADE_UP =
  /(?:^|_)(?:(?:run|trace|span|session|thread|request|conversation|execution|job|build)_?id|uuid|timestamp|(?:created|started|asked)_?at|latency|duration|elapsed)(?:_(?:ms|s))?$/;

function isMadeUp(path: readonly string[], inputs: object): boolean {
  const value = ownAt(inputs, ...path);
  if (typeof value !== "string" && typeof value !== "number") return false;
  const name = path
    .at(-1)!
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase();
  return MADE_UP.test(name) || (value !== "" && withoutStamps(String(value)) === "");
}

const pathsIn = (value: object): string[][] =>
  Object.entries(value).flatMap(([key, inner]) =>
    isObject(inner) ? pathsIn(inner).map((path) => [key, ...path]) : [[key]],
  );

/** Finds the inputs that seem to be new in every run, such as a time: those that look so in each row. */
export function createMadeUpInputs() {
  let paths: string[][] | undefined;
  return {
    add: (inputs: object): void => {
      if (paths?.length !== 0)
        paths = (paths ?? pathsIn(inputs)).filter((path) => isMadeUp(path, inputs));
    },
    list: (): string[] => (paths ?? []).map((path) => ["inputs", ...path].join(".")),
  };
}
