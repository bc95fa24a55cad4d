import type { OptionRule } from "../control/schema.ts";
import type { Json } from "../../model/json.ts";
import type { Settings } from "../options.ts";
import type { Call, World } from "../world.ts";
import { testOf, type Filters, pageBy, type Paging } from "./listing.ts";
import type { Reply } from "./reply.ts";

type Answer = (world: World, call: Call) => Reply | Promise<Reply>;

/** What an endpoint takes and gives: the router, the checks of bodies and the OpenAPI read it. */
export interface Endpoint {
  readonly answer: Answer;
  /** Schema of the reply, by name; `[]` after the name of a list's items; null: no body. */
  readonly reply: string | null;
  /** What a body must be; it is checked before the endpoint is called, unless that does it by itself. */
  readonly body?: (settings: Settings) => OptionRule;
  readonly ownCheck?: true;
  /** A request without a body asks for what an empty one does. */
  readonly mayLackBody?: true;
  /** Names of query parameters. */
  readonly query?: readonly string[];
  /** Of success, where it is not 200. */
  readonly status?: (settings: Settings) => number;
  /** Whether the choices have it; absent: always. */
  readonly served?: (settings: Settings) => boolean;
  /** It is there only to say that it is not. */
  readonly refuses?: (settings: Settings) => boolean;
  /** The endpoint reads the body itself, as a stream. */
  readonly streams?: true;
  /** Answered without credentials. */
  readonly open?: true;
}
/** Endpoints by method and path; `{x}` is a path parameter. */
export type Endpoints = Readonly<Record<string, Endpoint>>;

/** What an entry of a table is made with: its reply, what answers, and what else it takes. */
export const row = (
  reply: string | null,
  answer: Answer,
  more: Omit<Endpoint, "answer" | "reply"> = {},
): Endpoint => ({ reply, answer, ...more });

/** What a list is made with. */
interface Listed<T> extends Omit<Endpoint, "answer"> {
  readonly paging: Paging;
  readonly find: (world: World, call: Call) => readonly T[];
  readonly filters?: Filters<T>;
  readonly view: (world: World, call: Call) => (one: T) => Json;
}

/** A list in pages: what is found and fits the filters, each item as it is viewed. */
export const listRow = <T>({
  paging,
  find,
  filters = { by: {} },
  view,
  query = [],
  ...more
}: Listed<T>): Endpoint => ({
  ...more,
  query: [...paging.names, ...Object.keys(filters.by), ...query],
  answer: (world, call) => {
    const page = pageBy(call.query, paging);
    const [fits, show] = [testOf(filters, call.query), view(world, call)];
    return page(find(world, call).filter(fits), show);
  },
});

/** Endpoints that are there only where the choices say so. */
export const when = (served: (settings: Settings) => boolean, endpoints: Endpoints): Endpoints =>
  Object.fromEntries(Object.entries(endpoints).map(([key, one]) => [key, { ...one, served }]));

/** What the interface document does not have. */
export const BEYOND = ({ strict }: Settings): boolean => !strict;
/** Of a reply to what was made. */
export const CREATED = (): number => 201;
/** Of a reply without a body. */
export const GONE = (): number => 204;
