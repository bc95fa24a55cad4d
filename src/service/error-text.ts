import { parseJson, isObject } from "../model/json.ts";
import type { AddressInput } from "./addresses.ts";
import { beginsAsKey, replaceWords } from "../secrets/key-like.ts";
import { hideUserInfo } from "../model/user-info.ts";
import type { Exchange } from "./exchange.ts";
import { ServiceError } from "./control-plane.ts";
import { UUID } from "../model/live.ts";

/** What an error message needs to know about the request; contains no sensitive values. */
export interface RequestStory {
  readonly method: string;
  readonly url: string;
  /** The input that set the address. */
  readonly addressInput: AddressInput;
  /** Null if the address was given as a URL. */
  readonly region: string | null;
  readonly bearer: boolean;
  readonly tenant: boolean;
  /** Removes secret values that the service or a proxy may have repeated. */
  readonly redact: (text: string) => string;
  /** What to do next, by status, where the route knows better than the table below. */
  readonly next?: Readonly<Record<number, string>> | undefined;
}

const MAX_WORDS = 500;
/** The rest of a longer text is ignored. */
const MAX_READ = 100_000;
/** Query keys whose values may be shown. */
const PLAIN_QUERY = [
  "limit",
  "offset",
  "name_contains",
  "name",
  "type",
  "log_type",
  "order",
  "include_stats",
  "delete_tracing_project",
];

/** A URL for printing: no user-info, no fragment, and only query values that cannot be secret. */
export function shownUrl(text: string): string {
  if (!URL.canParse(text)) return "(not a valid URL)";
  const url = new URL(text);
  const query = [...url.searchParams].map(
    ([key, value]) => `${key}=${PLAIN_QUERY.includes(key) ? encodeURIComponent(value) : "…"}`,
  );
  return url.origin + url.pathname + (query.length === 0 ? "" : `?${query.join("&")}`);
}

function cut(text: string, max = MAX_WORDS): string {
  // Control characters could forge log lines.
  const line = text
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`;
}

const CREDENTIAL = /\b(bearer|basic)( +)[^\s"',;]{8,}/gi;
/** `name=value` and `"name": "value"` with a name that marks the value as secret. */
const NAMED =
  /((?:key|token|secret|passw(?:or)?d|credential|value)s?(?:\\?["']\s*:\s*\\?["']|=["']?))[^\s"',;&\\]{8,}/gi;

/**
 * Removes what is certainly a key: a run that has read no spec does not know the secrets that the
 * service's error may repeat.
 */
function withoutKeys(text: string): string {
  return replaceWords(text.replace(CREDENTIAL, "$1$2***").replace(NAMED, "$1***"), (word) =>
    beginsAsKey(word) ? "***" : word,
  );
}

/** One entry of a 422's `detail`: where and what. Leaves out `input` and `ctx`, which repeat the rejected value. */
function detailEntry(entry: unknown): string {
  if (typeof entry === "string") return entry;
  if (!isObject(entry)) return "";
  const loc = Array.isArray(entry["loc"])
    ? entry["loc"].filter((part, i) => !(i === 0 && part === "body")).join(".")
    : "";
  const msg = [entry["msg"], entry["message"]].find((part) => typeof part === "string") ?? "";
  return [loc, msg].filter((part) => part !== "").join(": ");
}

function jsonWords(json: unknown): string {
  if (!isObject(json)) return "";
  const { detail, error, message } = json;
  if (typeof detail === "string") return detail;
  if (Array.isArray(detail))
    return detail
      .map(detailEntry)
      .filter((line) => line !== "")
      .join("; ");
  if (isObject(detail)) return jsonWords(detail);
  const words = [error, message]
    .map((part) => (typeof part === "string" ? part : jsonWords(part)))
    .filter((part) => part !== "");
  return words.join(": ");
}

function decodeHtml(html: string): string {
  const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(html)?.[1];
  // Text between two such tags is skipped: every second piece.
  const text =
    title ??
    html
      .split(/<\/?(?:script|style)\b[^<>]*>/i)
      .filter((_, at) => at % 2 === 0)
      .join(" ")
      .replace(/<[^<>]*>/g, " ");
  return text
    .replace(/&nbsp;/g, " ")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&");
}

/** Whether a response is JSON, as all of the service's own are. */
export function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}

/** Whether a response is a web page, as from a proxy, a login or a wrong address. */
export function isHtml(contentType: string, text: string): boolean {
  return /\bhtml\b/i.test(contentType) || /^\s*<(!doctype|html)/i.test(text);
}

/** The service's own words in a response, on one line and limited in length; empty if nothing is safe to repeat. */
export function serviceWords(
  text: string,
  contentType: string,
  redact: (text: string) => string,
): string {
  // Redact before cutting: half a secret would no longer be recognised.
  const clean = (words: string, max?: number): string =>
    cut(withoutKeys(hideUserInfo(redact(words).slice(0, MAX_READ))), max);
  // Half-decoded HTML would contain a secret in neither of its forms.
  if (isHtml(contentType, text)) return clean(decodeHtml(redact(text).slice(0, MAX_READ)), 120);
  const json = parseJson(text);
  if (json !== undefined) return clean(jsonWords(json));
  return /json/i.test(contentType) ? "" : clean(redact(text).slice(0, 10_000), 200);
}

function adviceOn403(story: RequestStory, words: string): Pick<Meaning, "next" | "input"> {
  const region =
    story.region === null
      ? `region (the address comes from ${story.addressInput})`
      : `region, now "${story.region}" (another region answers 403)`;
  const tenant = story.tenant
    ? "tenant-id (the key may not act on that workspace)"
    : "tenant-id (an organization key needs it)";
  const plan = "the plan or role";
  const advise = (input: string, ...[first, second, third]: readonly string[]) => ({
    next: `Check ${first}, ${second} and ${third}.`,
    input,
  });
  if (/org.?scoped|tenant|workspace/i.test(words)) return advise("tenant-id", tenant, region, plan);
  if (/not enabled|plan\b|upgrade/i.test(words)) return advise("tenant-id", plan, tenant, region);
  return advise("region", region, tenant, plan);
}

/** A name in place of an id is the usual cause of a 404 or 422 here. */
function hintOnId({ url }: RequestStory): string | undefined {
  const [, id] = /\/deployments\/([^/?#]+)/.exec(url) ?? [];
  return id === undefined || UUID.test(id)
    ? undefined
    : "deployment-id takes a UUID; agent-deploy list shows the ids.";
}

/** What a status means: its short form, what to do next, and the input to change. */
interface Meaning {
  readonly headline?: string;
  readonly next: string;
  readonly input?: string;
}

/** The service names a field, or only says what it does not like, or nothing. */
const REFUSED = (_: RequestStory, words: string): Meaning => ({
  next:
    words === ""
      ? "The service does not say why: check the values that were sent."
      : "Fix what the service names.",
});

const MEANINGS: Readonly<Record<number, (story: RequestStory, words: string) => Meaning>> = {
  400: REFUSED,
  401: ({ bearer, region }) => {
    const where = region === null ? " of this service" : ` of region "${region}"`;
    const input = bearer ? "bearer-token" : "api-key";
    return {
      headline: bearer ? "Bearer token rejected" : "API key rejected",
      next: `The ${input} is not accepted: check that it is complete, current and a ${bearer ? "token" : "key"}${where}.`,
      input,
    };
  },
  402: ({ bearer }) => ({
    headline: "Plan or payment limit",
    next: "The organization's plan does not allow this, or a payment is due: check its billing page.",
    input: bearer ? "bearer-token" : "api-key",
  }),
  403: (story, words) => ({ headline: "Access denied", ...adviceOn403(story, words) }),
  404: ({ addressInput }) => {
    const inputs = [...new Set(["tenant-id", "region", addressInput])].join(", ");
    return { next: `Check the id, and that it lives under the given ${inputs}.` };
  },
  407: () => ({ next: "The proxy wants a user and password: put them into HTTPS_PROXY." }),
  409: () => ({
    next: "Something of that name or in that state exists already: look it up before trying again.",
  }),
  413: () => ({
    next: "The request is too large for the service or a proxy before it: send less, or have the limit raised (self-hosted: frontend.maxBodySize).",
  }),
  422: REFUSED,
  429: () => ({
    next: "The rate limit of this key is used up: lower concurrency, or run again later.",
  }),
};

function meaningOf(status: number, story: RequestStory, words: string): Meaning {
  const hint = status === 404 || status === 422 ? hintOnId(story) : undefined;
  if (hint !== undefined) return { next: hint, input: "deployment-id" };
  const own = story.next?.[status];
  if (own !== undefined) return { next: own };
  const known = MEANINGS[status]?.(story, words);
  if (known !== undefined) return known;
  return status >= 500
    ? { next: "The service failed; run again later, and ask its operator if it stays so." }
    : { next: `Unexpected response. Check ${story.addressInput}.`, input: story.addressInput };
}

/** Without the query, so that the same failure of several deployments reads the same. */
function head(story: RequestStory): string {
  return `${story.method} ${shownUrl(story.url).replace(/\?.*$/, "")}`;
}

const PROXY_ADVICE = "Check HTTPS_PROXY / HTTP_PROXY / NO_PROXY.";
const ADDRESS_ADVICE = "Check $input, the network, and HTTPS_PROXY / NO_PROXY.";

/**
 * Why there was no response, by error code, and what to do next; the first match counts. `$host`
 * is the service's, `$code` the code without `PROXY_`, `$input` the input for the address.
 */
const NO_ANSWER: readonly (readonly [code: RegExp, what: string, next: string])[] = [
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, "$host cannot be resolved ($code)", ADDRESS_ADVICE],
  [/^ECONNREFUSED$/, "$host refused the connection ($code)", ADDRESS_ADVICE],
  [
    /^PROXY_407$/,
    "the proxy wants a user and password (407)",
    "Put them into HTTPS_PROXY (http://user:password@host:port, special characters percent-encoded).",
  ],
  [
    /^PROXY_ECONNREFUSED$/,
    "the proxy on the way to $host refused the connection ($code)",
    PROXY_ADVICE,
  ],
  [
    /^PROXY_(?:ENOTFOUND|EAI_AGAIN)$/,
    "the name of the proxy cannot be resolved ($code)",
    PROXY_ADVICE,
  ],
  [/^PROXY_/, "the proxy did not connect to $host ($reason)", PROXY_ADVICE],
  [
    /^CERT_HAS_EXPIRED$/,
    "the certificate of $host has expired",
    "Have it renewed, and check the clock of this machine.",
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    "the certificate of $host is for another name",
    "Check $input.",
  ],
  [
    /CERT|UNABLE_TO_|SELF_SIGNED/,
    "the certificate of $host is not trusted ($code)",
    "With a private CA, set NODE_EXTRA_CA_CERTS to a file with its certificate.",
  ],
  [
    /SSL|EPROTO|TLS/,
    "no TLS connection to $host ($code)",
    "Check $input: use http:// (loopback only), or check the port.",
  ],
  [/^UND_ERR_(?:TRY|HEADERS|BODY)_TIMEOUT$/, "$host did not answer in time", ADDRESS_ADVICE],
  [
    /^(?:UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/,
    "no connection to $host in time ($code)",
    ADDRESS_ADVICE,
  ],
  [
    /^NO_TURN$/,
    "the time limit passed before the rate limit left room for it",
    "Raise timeout, or lower concurrency.",
  ],
  [/^NO_TIME$/, "the time limit had passed", "Raise timeout."],
  [
    /^ABORTED$/,
    "given up, since the run was cancelled",
    "Check what the service has before running again.",
  ],
  [/^/, "the connection to $host broke ($code)", ADDRESS_ADVICE],
];

function connectAdvice(code: string, story: RequestStory): readonly string[] {
  const host = URL.canParse(story.url) ? new URL(story.url).host : "the host";
  const bare = code.replace(/^PROXY_/, "");
  const words: Readonly<Record<string, string>> = {
    host,
    code: bare,
    reason: bare.toLowerCase(),
    input: story.addressInput,
  };
  const [, ...texts] = NO_ANSWER.find(([pattern]) => pattern.test(code))!;
  return texts.map((text) => text.replace(/\$(\w+)/g, (_, name: string) => words[name]!));
}

/** The error for the last try; mentions `tries` if there was more than one. */
export function toServiceError(exchange: Exchange, story: RequestStory, tries = 1): ServiceError {
  const { addressInput } = story;
  const after = tries > 1 ? ` (${tries} tries)` : "";
  const begin = (what: string | number): string => `${head(story)}: ${what}${after}`;
  const clean = (text: string): string => cut(hideUserInfo(story.redact(text)));
  switch (exchange.kind) {
    case "answer": {
      const { status, text, headers } = exchange;
      const words = serviceWords(text, headers["content-type"] ?? "", story.redact);
      const { headline: short, next, input = null } = meaningOf(status, story, words);
      const headline = short === undefined ? "" : `${short} (${status})`;
      return new ServiceError(
        `${headline === "" ? "" : `${headline}: `}${begin(status)}${words === "" ? "" : `: ${words}`}${/[.!?…]$/.test(words) ? "" : "."} ${next}`,
        { status, headline, input, tries, ownWords: isJson(text) },
      );
    }
    case "redirect":
      return new ServiceError(
        `${begin(exchange.status)}: ${redirectWords(story.redact(exchange.location), story.url)}. Set ${addressInput} to the address of the service itself.`,
        { status: exchange.status, input: addressInput, tries },
      );
    case "unreadable":
      return new ServiceError(
        `${begin(exchange.status)}: ${clean(exchange.why)}. Check ${addressInput}, and any proxy in between.`,
        { status: exchange.status, input: addressInput, tries },
      );
    case "no-answer": {
      const { sent, cause } = exchange;
      if (exchange.bodyFailed)
        return new ServiceError(
          `${head(story)}: not sent whole: the body could not be made: ${clean(String((cause as { message?: unknown }).message ?? cause))}`,
          { cause },
        );
      const [what, next] = connectAdvice(exchange.code, story);
      return new ServiceError(
        `${begin(sent ? "no answer" : "nothing was sent")}: ${cut(story.redact(what!))}. ${next}`,
        { input: sent ? null : addressInput, sent, tries, cause },
      );
    }
  }
}

/** Where a redirect leads, and why it is not followed. */
function redirectWords(location: string, url: string): string {
  if (!URL.canParse(location, url)) return "redirects to no address";
  const target = new URL(location, url);
  return target.origin === new URL(url).origin
    ? `redirects to ${cut(target.pathname, 100)} instead of answering`
    : `redirects to ${target.origin}, which is refused: it would get the key`;
}
