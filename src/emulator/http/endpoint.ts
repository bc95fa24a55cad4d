import type * as z from "zod/v4";
import { withMembers, type Json } from "../../model/json.ts";
import type { Settings } from "../options.ts";
import type { Call, World } from "../world.ts";
import { testOf, type Filters, pageBy, type Paging } from "./listing.ts";
import { ok, type Reply } from "./reply.ts";

type Answering = (world: World, call: Call) => Reply | Promise<Reply>;

/** What an endpoint accepts and returns, for the router, the body checks and the OpenAPI. */
export interface Endpoint {
  readonly answer: Answering;
  /** Name of the reply's schema, with `[]` for a list; null: no body. */
  readonly reply: string | null;
  /** Rule of the body, checked before the endpoint is called unless that checks it itself. */
  readonly body?: (settings: Settings) => z.ZodType;
  readonly ownCheck?: true;
  /** A missing body means an empty object. */
  readonly mayLackBody?: true;
  /** Names of query parameters. */
  readonly query?: readonly string[];
  /** Status of success, if it is not 200. */
  readonly status?: (settings: Settings) => number;
  /** Whether the choices include it, or the status that says it does not exist; absent: always. */
  readonly served?: (settings: Settings) => boolean | number;
  /** The endpoint streams the body itself. */
  readonly streams?: true;
  /** Answered without credentials. */
  readonly open?: true;
}
/** Endpoints by method and path; `{x}` is a path parameter. */
export type Endpoints = Readonly<Record<string, Endpoint>>;

type More = Omit<Endpoint, "answer" | "reply">;

/** An endpoint: its reply, its handler and what else it accepts. */
export const row = (reply: string | null, answer: Answering, more: More = {}): Endpoint => ({
  reply,
  answer,
  ...more,
});

/** How a thing is shown to a caller. */
type View<T> = (world: World, call: Call) => (one: T) => Json;

/** The answer with one thing, found or made, as it is viewed. */
export const oneRow = <T>(
  reply: string,
  find: (world: World, call: Call) => T,
  view: View<T>,
  more: More = {},
): Endpoint => ({
  reply,
  answer: (world, call) => {
    const show = view(world, call);
    return ok(show(find(world, call)));
  },
  ...more,
});

/** The description of a list. */
interface Listed<T> extends Omit<Endpoint, "answer"> {
  readonly paging: Paging;
  readonly find: (world: World, call: Call) => readonly T[];
  readonly filters?: Filters<T>;
  readonly view: View<T>;
}

/** A paged list: the found items that match the filters, each as it is viewed; asked for by the body, if it has a rule. */
export const listRow = <T>({
  paging,
  find,
  filters = { by: {} },
  view,
  query = [],
  ...more
}: Listed<T>): Endpoint => ({
  ...more,
  query: more.body === undefined ? [...paging.names, ...Object.keys(filters.by), ...query] : [],
  answer: (world, call) => {
    const asked = more.body === undefined ? call.query : call.sent;
    const page = pageBy(asked, paging);
    const [fits, show] = [testOf(filters, asked), view(world, call)];
    return page(find(world, call).filter(fits), show);
  },
});

/** Endpoints that exist only if the choices say so. */
export const when = (served: NonNullable<Endpoint["served"]>, endpoints: Endpoints): Endpoints =>
  withMembers(endpoints, (one) => ({ ...one, served }));

/** For endpoints that are not in the interface document: served unless `strict`. */
export const BEYOND = ({ strict }: Settings): boolean => !strict;
/** Status after creating something. */
export const CREATED = (): number => 201;
/** Status of a reply without a body. */
export const GONE = (): number => 204;
