import type { IncomingMessage } from "node:http";

export interface StubRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage["headers"];
  readonly body: any;
}
export interface StubOptions {
  /** Statuses of every new revision, one further with each read of it. */
  readonly timeline?: readonly string[];
  readonly dialect?: "document" | "hosted";
  /** False: the list answers 404. */
  readonly lookup?: boolean;
  /** `reuse`: a redeploy runs the same revision again. */
  readonly redeploy?: "new" | "reuse";
  readonly secrets?: "shown" | "masked";
  readonly pageSize?: number;
  readonly integrations?: readonly { readonly id: string; readonly name: string }[];
  readonly listeners?: readonly {
    readonly id: string;
    readonly compute_id: string;
    readonly compute_type?: string;
    readonly compute_config?: unknown;
  }[];
}
export interface Stub {
  readonly url: string;
  /** Every request, oldest first. */
  readonly requests: StubRequest[];
  /** POST, PATCH and DELETE alone, as `METHOD path`. */
  readonly writes: () => string[];
  readonly deployments: Map<string, any>;
  readonly revisions: Map<string, any>;
  readonly experiments: any[];
  readonly options: StubOptions & { timeline: readonly string[] };
  readonly close: () => Promise<void>;
}
/**
 * A stand-in for the service in at most 200 lines, written from docs/interface.md alone: it shares
 * nothing with src/, so it can disagree with it.
 */
export function startStub(options?: StubOptions): Promise<Stub>;
