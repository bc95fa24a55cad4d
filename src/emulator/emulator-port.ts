import type { Json, JsonObject } from "../model/json.ts";
import type { RevisionRule } from "./deployments/revision.ts";
import type { FaultRule } from "./http/fault.ts";
import type { LoggedRequest } from "./http/request-log.ts";
import type { Answer } from "./http/answer.ts";
import type { EmulatorOptions, Seed, Settings } from "./options.ts";
import type { World } from "./world.ts";

/** The service, in this process: no port, no timer, no file unless a journal was given. */
export interface Emulator {
  /**
   * Answers a request; a broken connection rejects as undici's fetch does. `ip` is the client's
   * address, for the limits.
   */
  readonly fetch: (request: Request, ip?: string) => Promise<Response>;
  /** The same before it is a Response: for servers, which can break a connection for real. */
  readonly answer: (request: Request, ip: string) => Promise<Answer>;
  readonly now: () => number;
  /** Moves the clock on; one that runs by itself keeps running from there. */
  readonly advance: (ms: number) => void;
  /** Back to the start: the seed, the first faults and revision rules, an empty request log. */
  readonly reset: () => void;
  readonly requests: () => readonly LoggedRequest[];
  /** What a request was answered, secrets masked; null where that is not kept. */
  readonly replyTo: (seq: number) => Json;
  readonly clearRequests: () => void;
  /** Everything held, statuses as of now, secret values masked. */
  readonly state: () => JsonObject;
  /** A push to a repository; gives the ids of the deployments that build it. */
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
  /** True where the kept state began with another seed than the one given: that one is not used. */
  readonly ignoresSeed: () => boolean;
  /** Changes options (choices, phases, read-back…) while running; time scale and phases hold for later revisions. */
  readonly configure: (
    options: Omit<EmulatorOptions, "clock" | "random" | "seed" | "faults" | "revisions">,
  ) => void;
  readonly settings: () => Settings;
  /** Calls back after every request that is not about the emulator itself, until the returned function is called. */
  readonly watch: (happened: () => void) => () => void;
  readonly world: World;
  readonly close: () => void;
}
