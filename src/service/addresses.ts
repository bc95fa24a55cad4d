import { BlockList, isIP } from "node:net";
import { flawOfAddress, isLoopback } from "../model/address.ts";
import { REGIONS } from "../model/name-rules.ts";

/** Where a run sends its requests. Base URLs have no trailing slash and are the prefix of every path. */
export interface Addresses {
  readonly kind: "addresses";
  readonly controlPlane: string;
  /** May end in `/api` or `/api/v1`: join paths with `tracingUrl`. */
  readonly tracing: string;
  /** For links shown to people; never gets the key. */
  readonly ui: string;
  /** The input that set each base, to name when a request to it fails. */
  readonly inputs: { readonly controlPlane: AddressInput; readonly tracing: AddressInput };
}

/** The input to change if an address is wrong. */
export type AddressInput = "region" | "control-plane-url" | "tracing-url";

/**
 * Why no addresses could be derived; the message begins with the input to change, and never
 * repeats a URL's user-info or query.
 */
export interface AddressProblem {
  readonly kind: "problem";
  readonly message: string;
}

/**
 * NO_PROXY for undici, for requests to this host: undici compares names and does not understand
 * networks such as `10.0.0.0/8`. As in curl, a network matches addresses; names are not resolved.
 */
export function noProxyFor(env: Readonly<Record<string, string | undefined>>, url: URL): string {
  const text = env["no_proxy"] || env["NO_PROXY"] || "";
  const host = url.hostname.replace(/^\[|\]$/gu, "");
  if (isIP(host) === 0 || !text.includes("/")) return text;
  return networksIn(text).check(host, familyOf(host)) ? "*" : text;
}

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4");

function networksIn(noProxy: string): BlockList {
  const networks = new BlockList();
  for (const entry of noProxy.split(/[,\s]+/u)) {
    const [address = "", bits = ""] = entry.split("/");
    if (isIP(address) === 0 || !/^\d{1,3}$/u.test(bits)) continue;
    const family = familyOf(address);
    if (Number(bits) <= (family === "ipv6" ? 128 : 32))
      networks.addSubnet(address, Number(bits), family);
  }
  return networks;
}

function toBase(url: URL): string {
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function parseBase(text: string, input: AddressInput): URL | AddressProblem {
  const flaw = flawOfAddress(text);
  return flaw === undefined ? new URL(text) : { kind: "problem", message: `${input}: ${flaw}` };
}

/**
 * Replaces `[from]` with `[to]` in a host such as `eu.api.host.example.com`; undefined if the host
 * does not have that form.
 */
function swapHost(url: URL, from: string, to: string): string | undefined {
  const found = new RegExp(`^((?:[a-z0-9-]+\\.)?)${from}\\.(.+)$`).exec(url.hostname);
  if (found === null || url.pathname.replace(/\/+$/, "") !== "") return undefined;
  // For api.host.com the other name would be somebody else's domain, and the key would go there.
  if (/^(?:[a-z0-9-]+|[a-z]{2,3}\.[a-z]{2})$/.test(found[2]!)) return undefined;
  return `${url.protocol}//${found[1]}${to}.${found[2]}${url.port === "" ? "" : `:${url.port}`}`;
}

/** Replaces the last path segments of a base; undefined if it does not end in them. */
function swapPath(base: string, from: RegExp, to: string): string | undefined {
  return from.test(base) ? base.replace(from, to) : undefined;
}

function toTracing(controlPlane: URL): string | undefined {
  return (
    swapHost(controlPlane, "api\\.host", "api.smith") ??
    swapPath(toBase(controlPlane), /(?<!\/)\/api-host$/, "/api") ??
    (isLoopback(controlPlane) ? toBase(controlPlane) : undefined)
  );
}

function toControlPlane(tracing: URL): string | undefined {
  const base = toBase(tracing);
  return (
    swapHost(tracing, "api\\.smith", "api.host") ??
    swapPath(base, /(?<!\/)\/api(\/v1)?$/, "/api-host") ??
    siblingOf(tracing, base)
  );
}

/** On this machine both APIs have one address; elsewhere, a bare origin has the other API below it. */
function siblingOf(tracing: URL, base: string): string | undefined {
  if (isLoopback(tracing)) return base;
  return base === tracing.origin ? `${base}/api-host` : undefined;
}

function toUi(tracing: string): string {
  const url = new URL(tracing);
  return swapHost(url, "api\\.smith", "smith") ?? toBase(url).replace(/(?<!\/)\/api(\/v1)?$/, "");
}

/**
 * The addresses of a run: the region's, unless URLs are given. A given URL is never combined with
 * a regional default: the other one is derived from it (contributing/service.md 5) or must be
 * given too.
 */
export function resolveAddresses(given: {
  readonly region: string;
  readonly controlPlaneUrl?: string | undefined;
  readonly tracingUrl?: string | undefined;
}): Addresses | AddressProblem {
  const controlPlaneText = given.controlPlaneUrl?.trim() ?? "";
  const tracingText = given.tracingUrl?.trim() ?? "";
  if (controlPlaneText === "" && tracingText === "") return regionalAddresses(given.region);
  const controlPlane =
    controlPlaneText === "" ? undefined : parseBase(controlPlaneText, "control-plane-url");
  if (controlPlane !== undefined && "kind" in controlPlane) return controlPlane;
  const tracing = tracingText === "" ? undefined : parseBase(tracingText, "tracing-url");
  if (tracing !== undefined && "kind" in tracing) return tracing;

  const controlPlaneBase =
    controlPlane === undefined ? toControlPlane(tracing!) : toBase(controlPlane);
  const tracingBase = tracing === undefined ? toTracing(controlPlane!) : toBase(tracing);
  if (tracingBase === undefined)
    return underivable("tracing-url", "control-plane-url", "/api-host");
  if (controlPlaneBase === undefined)
    return underivable("control-plane-url", "tracing-url", "/api");
  return {
    kind: "addresses",
    controlPlane: controlPlaneBase,
    tracing: tracingBase,
    ui: toUi(tracingBase),
    inputs: {
      controlPlane: controlPlane === undefined ? "tracing-url" : "control-plane-url",
      tracing: tracing === undefined ? "control-plane-url" : "tracing-url",
    },
  };
}

function regionalAddresses(region: string): Addresses | AddressProblem {
  if (REGIONS.every((one) => one !== region)) {
    return {
      kind: "problem",
      message: `region: there is no region "${region}"; use one of ${REGIONS.join(", ")}`,
    };
  }
  const prefix = region === "us" ? "" : `${region}.`;
  return {
    kind: "addresses",
    controlPlane: `https://${prefix}api.host.langchain.com`,
    tracing: `https://${prefix}api.smith.langchain.com`,
    ui: `https://${prefix}smith.langchain.com`,
    inputs: { controlPlane: "region", tracing: "region" },
  };
}

function underivable(missing: AddressInput, given: AddressInput, form: string): AddressProblem {
  return {
    kind: "problem",
    message:
      `${missing}: is needed as well, because this ${given} does not end in ${form}: ` +
      `add ${form} if this is the address of the web page, or give both addresses`,
  };
}

/**
 * A URL of the tracing API. `path` begins with `/api/v1/` or `/api/v2/`; a self-hosted base
 * may already contain a part of that.
 */
export function tracingUrl(base: string, path: `/api/v${1 | 2}/${string}`): string {
  return base.replace(/(?<!\/)\/api(\/v1)?$/, "") + path;
}
