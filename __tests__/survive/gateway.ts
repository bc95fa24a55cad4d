import type { Exchange, Wire, WireRequest } from "../../src/service/exchange.ts";

/** A gateway before the service that shows a page of its own in place of some answers. */
export interface Gateway {
  /** The method it meets, or `*`. */
  readonly method: string;
  /** The one request it meets, as `METHOD /path` with ids as `{id}`; absent: every one of the method. */
  readonly route?: string;
  /** The status of its page. */
  readonly page: number;
  /** The first call it meets, from 1, and how many from there on. */
  readonly nth: number;
  readonly times: number;
  /** Whether the service did what was asked, and the page replaces its answer. */
  readonly after: boolean;
}

/** The wire to a service through a gateway. */
export function withGateway(wire: Wire, gateway: Gateway): Wire {
  let calls = 0;
  return {
    ...wire,
    send: async (request, ...rest) => {
      const path = new URL(request.url).pathname.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "{id}");
      const fits =
        gateway.route === undefined
          ? gateway.method === "*" || gateway.method === request.method
          : gateway.route === `${request.method} ${path}`;
      if (fits) calls += 1;
      const meets = fits && calls >= gateway.nth && calls < gateway.nth + gateway.times;
      if (!meets) return wire.send(request, ...rest);
      if (gateway.after) await wire.send(request, ...rest);
      return {
        kind: "answer",
        status: gateway.page,
        text: "<html><head><title>nginx</title></head><body>nginx</body></html>",
        headers: { "content-type": "text/html" },
      };
    },
  };
}

type Answer = Extract<Exchange, { readonly kind: "answer" }>;

/** The wire to a service whose answers are changed on their way. */
export function changingAnswers(
  change: (answer: Answer, request: WireRequest) => Exchange,
): (wire: Wire) => Wire {
  return (wire) => ({
    ...wire,
    send: async (request, ...rest) => {
      const exchange = await wire.send(request, ...rest);
      return exchange.kind === "answer" ? change(exchange, request) : exchange;
    },
  });
}

const isList = ({ method, url }: WireRequest): boolean =>
  method === "GET" && new URL(url).pathname === "/v2/deployments";

/** The wire to a service whose list keeps showing what it showed first while `isFrozen`. */
export function freezingList(isFrozen: (request: WireRequest) => boolean): (wire: Wire) => Wire {
  let frozen: string | null = null;
  return changingAnswers((answer, request) => {
    if (!isFrozen(request) || !isList(request)) return answer;
    frozen ??= answer.text;
    return { ...answer, text: frozen };
  });
}
