import type { Json, JsonObject } from "../model/json.ts";
import type { RevisionRule } from "./deployments/revision.ts";
import type { FaultRule } from "./http/fault.ts";
import type { LoggedRequest } from "./http/request-log.ts";
import type { Reply } from "./http/reply.ts";
import type { EmulatorOptions, Seed, Settings } from "./options.ts";
import type { World } from "./world.ts";

/** The service in this process: no port, no timer, and no file unless a journal is given. */
export interface Emulator {
  /** Answers a request; `ip` is the client's address, for the limits. */
  readonly answer: (request: Request, ip: string) => Promise<Reply>;
  readonly now: () => number;
  /** Advances the clock; one that runs by itself continues from there. */
  readonly advance: (ms: number) => void;
  /** Returns to the start: the seed, the first faults and revision rules, an empty request log. */
  readonly reset: () => void;
  readonly requests: () => readonly LoggedRequest[];
  /** The response to a request, secrets masked; null if it is not kept. */
  readonly replyTo: (seq: number) => Json;
  readonly clearRequests: () => void;
  /** The whole state, with current statuses and secret values masked. */
  readonly state: () => JsonObject;
  /** A push to a repository; returns the ids of the deployments that build it. */
  readonly push: (what: {
    readonly repo_url: string;
    readonly ref: string;
    readonly commit: string;
  }) => readonly string[];
  readonly addFaults: (rules: readonly FaultRule[]) => void;
  readonly clearFaults: () => void;
  readonly faults: () => readonly JsonObject[];
  readonly addRevisionRules: (rules: readonly RevisionRule[]) => void;
  readonly seed: (seed: Seed) => void;
  /** True if the stored state began with another seed than the given one, which is not used. */
  readonly ignoresSeed: () => boolean;
  /** Changes options (choices, phases, read-back…) while running; time scale and phases apply to later revisions. */
  readonly configure: (
    options: Omit<EmulatorOptions, "clock" | "random" | "seed" | "faults" | "revisions">,
  ) => void;
  readonly settings: () => Settings;
  /** Calls back after every request to the service, until the returned function is called. */
  readonly watch: (happened: () => void) => () => void;
  readonly world: World;
  readonly close: () => void;
}
