"use strict";
exports.id = 7;
exports.ids = [7];
exports.modules = {

/***/ 4007:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  connect: () => (/* binding */ connect),
  withConnection: () => (/* binding */ withConnection)
});

;// CONCATENATED MODULE: ./build/service/budget.js
const USED_SHARE = 0.9;
const SLOWEST_FACTOR = 0.1;
const RECOVERY_MS = 20_000;
function createBucket(count, intervalMs, startMs) {
    const burst = Math.max(1, Math.floor(count / 10));
    const perMs = (USED_SHARE * count - (burst - 1)) / intervalMs;
    let tokens = burst;
    let factor = 1;
    let countedAt = startMs;
    let pausedUntil = startMs;
    const refill = (now) => {
        const elapsed = now - countedAt;
        if (elapsed <= 0)
            return;
        tokens = Math.min(burst, tokens + elapsed * perMs * factor);
        factor = Math.min(1, factor + elapsed / RECOVERY_MS);
        countedAt = now;
    };
    return {
        taken: (now) => {
            refill(now);
            if (now < pausedUntil || tokens < 1 - 1e-9)
                return false;
            tokens -= 1;
            return true;
        },
        nextAt: (now) => Math.max(pausedUntil, now) + Math.max(0, 1 - tokens) / (perMs * factor),
        pause: (now, ms) => {
            refill(now);
            if (now >= pausedUntil)
                factor = Math.max(SLOWEST_FACTOR, factor / 2);
            pausedUntil = Math.max(pausedUntil, now + ms);
            countedAt = pausedUntil;
            tokens = Math.min(tokens, 0);
        },
    };
}
function parseRateLimit(text) {
    const [, count, seconds] = /^\s*(\d{1,7})\s*\/\s*(\d{1,5}(?:\.\d+)?)\s*$/.exec(text) ?? [];
    const limit = { count: Number(count), intervalMs: Number(seconds) * 1000 };
    return limit.count >= 1 && limit.intervalMs >= 1 ? limit : null;
}
function createBudget(options) {
    const { clock, count = 1000, intervalMs = 10_000 } = options;
    const bucket = createBucket(count, intervalMs, clock.monotonic());
    const queue = [];
    let pumping = false;
    let timedWaiters = 0;
    let waking = new AbortController();
    const dropLate = (now) => {
        if (timedWaiters === 0)
            return;
        for (let i = queue.length - 1; i >= 0; i--)
            if (queue[i].deadlineMs <= now)
                queue.splice(i, 1)[0].settle(false);
    };
    const wakeAt = (now) => timedWaiters === 0
        ? bucket.nextAt(now)
        : queue.reduce((earliest, { deadlineMs }) => Math.min(earliest, deadlineMs), bucket.nextAt(now));
    const pump = async () => {
        pumping = true;
        while (queue.length > 0) {
            const now = clock.monotonic();
            dropLate(now);
            while (queue.length > 0 && bucket.taken(now))
                queue.shift().settle(true);
            if (queue.length === 0)
                break;
            waking = new AbortController();
            await clock.sleep(Math.max(1, wakeAt(now) - now), waking.signal).catch(() => undefined);
        }
        pumping = false;
    };
    return {
        pause: (ms) => bucket.pause(clock.monotonic(), ms),
        take: ({ signal, deadlineMs = Infinity } = {}) => new Promise((resolve, reject) => {
            if (signal?.aborted) {
                reject(signal.reason);
                return;
            }
            const now = clock.monotonic();
            if (deadlineMs <= now) {
                resolve(false);
                return;
            }
            if (queue.length === 0 && bucket.taken(now)) {
                resolve(true);
                return;
            }
            const isTimed = deadlineMs < Infinity ? 1 : 0;
            const leave = () => {
                queue.splice(queue.indexOf(waiter), 1);
                timedWaiters -= isTimed;
                waking.abort();
                reject(signal?.reason);
            };
            const waiter = {
                deadlineMs,
                settle: (turn) => {
                    timedWaiters -= isTimed;
                    signal?.removeEventListener("abort", leave);
                    resolve(turn);
                },
            };
            signal?.addEventListener("abort", leave, { once: true });
            queue.push(waiter);
            timedWaiters += isTimed;
            if (!pumping)
                void pump();
            else if (isTimed)
                waking.abort();
        }),
    };
}

// EXTERNAL MODULE: ./build/model/dialect.js
var model_dialect = __webpack_require__(6156);
// EXTERNAL MODULE: ./build/service/control-plane.js
var control_plane = __webpack_require__(2502);
;// CONCATENATED MODULE: ./build/service/pages.js

const PAGE_LIMIT = 100;
const MAX_PAGES = 1000;
async function readAllPages(readPage) {
    const items = new Map();
    let offset = 0;
    for (let pages = 0; pages < MAX_PAGES; pages++) {
        const page = await readPage(offset);
        if (page.state === "absent")
            return { state: "absent-lookup", status: page.status };
        const before = items.size;
        for (const item of page.value.items)
            if (!items.has(item.id))
                items.set(item.id, item);
        if (items.size === before)
            return { state: "found", items: [...items.values()] };
        const { next } = page.value;
        offset = next !== null && next > offset ? next : offset + page.value.items.length;
    }
    throw new control_plane/* ServiceError */._(`the service's list does not end after ${MAX_PAGES} pages (${items.size} items), so nothing can be told from it; ask its operator`);
}

;// CONCATENATED MODULE: ./build/model/json-depth.js
const MAX_JSON_DEPTH = 200;
function nestsDeeper(value, levels = MAX_JSON_DEPTH) {
    if (typeof value !== "object" || value === null)
        return false;
    if (levels === 0)
        return true;
    if (Array.isArray(value))
        return value.some((item) => nestsDeeper(item, levels - 1));
    for (const key in value)
        if (nestsDeeper(value[key], levels - 1))
            return true;
    return false;
}

;// CONCATENATED MODULE: ./build/service/error-text.js

const MAX_WORDS = 500;
const MAX_READ = 100_000;
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
function shownUrl(text) {
    if (!URL.canParse(text))
        return "(an address that is no URL)";
    const url = new URL(text);
    const query = [...url.searchParams].map(([key, value]) => `${key}=${PLAIN_QUERY.includes(key) ? encodeURIComponent(value) : "…"}`);
    return url.origin + url.pathname + (query.length === 0 ? "" : `?${query.join("&")}`);
}
function cut(text, max = MAX_WORDS) {
    const line = text
        .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")
        .replace(/\s+/g, " ")
        .trim();
    return line.length <= max ? line : `${line.slice(0, max - 1)}…`;
}
function withoutUserInfo(text) {
    return text.replace(/(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@"']+@/gi, "$1***@");
}
function isObject(json) {
    return typeof json === "object" && json !== null && !Array.isArray(json);
}
function detailEntry(entry) {
    if (typeof entry === "string")
        return entry;
    if (!isObject(entry))
        return "";
    const loc = Array.isArray(entry["loc"])
        ? entry["loc"].filter((part, i) => !(i === 0 && part === "body")).join(".")
        : "";
    const msg = typeof entry["msg"] === "string"
        ? entry["msg"]
        : typeof entry["message"] === "string"
            ? entry["message"]
            : "";
    return [loc, msg].filter((part) => part !== "").join(": ");
}
function jsonWords(json) {
    if (!isObject(json))
        return "";
    const { detail, error, message } = json;
    if (typeof detail === "string")
        return detail;
    if (Array.isArray(detail))
        return detail
            .map(detailEntry)
            .filter((line) => line !== "")
            .join("; ");
    if (isObject(detail))
        return jsonWords(detail);
    const words = [error, message]
        .map((part) => (typeof part === "string" ? part : isObject(part) ? jsonWords(part) : ""))
        .filter((part) => part !== "");
    return words.join(": ");
}
function decodeHtml(html) {
    const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(html)?.[1];
    const text = title ??
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
function isHtml(contentType, text) {
    return /\bhtml\b/i.test(contentType) || /^\s*<(!doctype|html)/i.test(text);
}
function serviceWords(text, contentType, redact) {
    const clean = (words, max) => cut(withoutUserInfo(redact(words).slice(0, MAX_READ)), max);
    if (isHtml(contentType, text))
        return clean(decodeHtml(text.slice(0, 100_000)), 120);
    try {
        return clean(jsonWords(JSON.parse(text)));
    }
    catch {
        return /json/i.test(contentType) ? "" : clean(text.slice(0, 10_000), 200);
    }
}
function adviceOn403(story, words) {
    const here = story.region === null
        ? `the address comes from ${story.addressInput}`
        : `region is "${story.region}"`;
    const region = `region: ${here}, and a good key of another region or installation answers 403 too`;
    const tenant = story.tenant
        ? "tenant-id: the key may not act on the workspace that is given"
        : "tenant-id: a key of the whole organisation has to name the workspace, and none is given";
    const plan = "the plan or role: the key's organisation may not have deployments enabled";
    if (/org.?scoped|tenant|workspace/i.test(words))
        return { next: `Check ${tenant}; ${region}.`, input: "tenant-id" };
    if (/not enabled|plan\b|upgrade/i.test(words))
        return { next: `Check ${plan}; ${tenant}; ${region}.`, input: "tenant-id" };
    return { next: `Check ${region}; ${tenant}; ${plan}.`, input: "region" };
}
function adviceOn(status, story, words) {
    const own = story.next?.[status];
    if (own !== undefined)
        return { next: own, input: null };
    const credential = story.bearer ? "bearer-token" : "api-key";
    if (status === 401) {
        const where = story.region === null ? "" : ` of region "${story.region}"`;
        return {
            next: `The ${credential} input is not accepted: check that the secret holds a current ${story.bearer ? "token" : "key"}${where}.`,
            input: credential,
        };
    }
    if (status === 403)
        return adviceOn403(story, words);
    if (status === 404) {
        const inputs = [...new Set(["tenant-id", "region", story.addressInput])].join(", ");
        return { next: `Check the id, and that it lives under the given ${inputs}.`, input: null };
    }
    if (status === 409)
        return {
            next: "Something of that name or in that state exists already: look it up before trying again.",
            input: null,
        };
    if (status === 413)
        return {
            next: "The request is too large for the service or a proxy before it: send less, or have the limit raised (self-hosted: frontend.maxBodySize).",
            input: null,
        };
    if (status === 400 || status === 422)
        return { next: "Correct what the service names in the spec or inputs.", input: null };
    if (status === 429)
        return {
            next: "Others use up the rate limit of this key: lower concurrency, or run again later.",
            input: null,
        };
    if (status === 407)
        return { next: "The proxy wants a user and password: put them into HTTPS_PROXY.", input: null };
    if (status >= 500)
        return {
            next: "The service failed; run again later, and ask its operator if it stays so.",
            input: null,
        };
    return {
        next: `Check ${story.addressInput}: this is not an answer that the service is known to give.`,
        input: story.addressInput,
    };
}
function head(story) {
    return `${story.method} ${shownUrl(story.url)}`;
}
function connectAdvice(code, story) {
    const host = URL.canParse(story.url) ? new URL(story.url).host : "the host";
    const address = `Check ${story.addressInput}, and from this machine the network and HTTPS_PROXY / NO_PROXY.`;
    if (code === "ENOTFOUND" || code === "EAI_AGAIN")
        return [`the name of ${host} cannot be resolved (${code})`, address];
    if (code === "ECONNREFUSED")
        return [`${host} refused the connection (ECONNREFUSED)`, address];
    if (code === "PROXY_407")
        return [
            "the proxy wants a user and password (407)",
            "Put them into HTTPS_PROXY (http://user:password@host:port, special characters percent-encoded).",
        ];
    if (code.startsWith("PROXY_"))
        return [
            `the proxy did not connect to ${host} (${code.slice(6).toLowerCase()})`,
            "Check HTTPS_PROXY / HTTP_PROXY / NO_PROXY.",
        ];
    if (code === "CERT_HAS_EXPIRED")
        return [
            `the certificate of ${host} has expired`,
            "Have it renewed, and check the clock of this machine.",
        ];
    if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
        return [`the certificate of ${host} is for another name`, `Check ${story.addressInput}.`];
    if (/CERT|UNABLE_TO_|SELF_SIGNED/.test(code)) {
        return [
            `the certificate of ${host} is not trusted (${code})`,
            "With a private authority, set NODE_EXTRA_CA_CERTS to a file with its certificate.",
        ];
    }
    if (/SSL|EPROTO|TLS/.test(code))
        return [
            `no TLS connection to ${host} (${code})`,
            `Check ${story.addressInput}: is it an https address?`,
        ];
    if (code === "UND_ERR_TRY_TIMEOUT" ||
        code === "UND_ERR_HEADERS_TIMEOUT" ||
        code === "UND_ERR_BODY_TIMEOUT")
        return [`${host} did not answer in time`, address];
    if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT")
        return [`no connection to ${host} in time (${code})`, address];
    if (code === "NO_TURN")
        return [
            "the time limit passed before the rate limit left room for it",
            "Raise timeout, or lower concurrency.",
        ];
    if (code === "ABORTED")
        return [
            "given up, since the run was cancelled",
            "Read the state of the deployment before running again.",
        ];
    return [`the connection to ${host} broke (${code})`, address];
}
function toServiceError(exchange, story, tries = 1) {
    const after = tries > 1 ? ` (${tries} tries)` : "";
    switch (exchange.kind) {
        case "answer": {
            const words = serviceWords(exchange.text, exchange.contentType, story.redact);
            const { next, input } = adviceOn(exchange.status, story, words);
            return new control_plane/* ServiceError */._(`${head(story)}: ${exchange.status}${after}${words === "" ? "" : `: ${words}`}${/[.!?…]$/.test(words) ? "" : "."} ${next}`, { status: exchange.status, input });
        }
        case "redirect": {
            const target = URL.canParse(exchange.location, story.url)
                ? new URL(exchange.location, story.url)
                : null;
            const what = target === null
                ? "redirects to no address"
                : target.origin === new URL(story.url).origin
                    ? `redirects to ${cut(target.pathname, 100)} instead of answering`
                    : `redirects to ${target.origin}, which is refused, since the key travels in a header`;
            return new control_plane/* ServiceError */._(`${head(story)}: ${exchange.status}${after}: ${what}. Set ${story.addressInput} to the address of the service itself.`, {
                status: exchange.status,
                input: story.addressInput,
            });
        }
        case "unreadable":
            return new control_plane/* ServiceError */._(`${head(story)}: ${exchange.status}${after}: ${cut(withoutUserInfo(story.redact(exchange.why)))}. Check ${story.addressInput}, and any proxy in between.`, {
                status: exchange.status,
                input: story.addressInput,
            });
        case "no-answer": {
            if (exchange.bodyFailed) {
                const why = cut(withoutUserInfo(story.redact(String(exchange.cause.message ?? exchange.cause))));
                return new control_plane/* ServiceError */._(`${head(story)}: not sent whole: the body could not be made: ${why}`, { cause: exchange.cause });
            }
            const [what, next] = connectAdvice(exchange.code, story);
            const state = exchange.sent ? "no answer" : "nothing was sent";
            return new control_plane/* ServiceError */._(`${head(story)}: ${state}${after}: ${cut(story.redact(what))}. ${next}`, {
                input: exchange.sent ? null : story.addressInput,
                cause: exchange.cause,
            });
        }
    }
}

;// CONCATENATED MODULE: ./build/service/retry.js
const TRANSIENT = [408, 425, 429];
const NOT_BEGUN = [425, 429];
const ELSEWHERE = [307, 308];
const NEVER_BETTER = [501, 505];
const WRITE = {
    tryMs: 60_000,
    silenceMs: 60_000,
    statuses: (status) => NOT_BEGUN.includes(status),
    noAnswer: "unsent",
    unreadable: false,
    forMs: 60_000,
    minTries: 6,
    redirects: 0,
    freshConnection: true,
};
const ROUTE_RULES = {
    read: {
        tryMs: 20_000,
        silenceMs: 20_000,
        noAnswer: "always",
        unreadable: true,
        forMs: 60_000,
        minTries: 6,
        redirects: 3,
        freshConnection: false,
        statuses: (status) => TRANSIENT.includes(status) || (status >= 500 && !NEVER_BETTER.includes(status)),
    },
    write: WRITE,
    upload: { ...WRITE, tryMs: null, silenceMs: 300_000 },
    probe: {
        tryMs: 5_000,
        silenceMs: 5_000,
        statuses: () => false,
        noAnswer: "never",
        unreadable: false,
        forMs: 0,
        minTries: 1,
        redirects: 3,
        freshConnection: false,
    },
};
const BASE_MS = 500;
const CAP_MS = 10_000;
const RETRY_AFTER_CAP_MS = 60_000;
const CONFIGURATION_ERRORS = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT_|PROXY_407)/;
function isConfigurationError(code) {
    return CONFIGURATION_ERRORS.test(code);
}
function isUnbegunRedirect(exchange) {
    return exchange.kind === "redirect" && ELSEWHERE.includes(exchange.status);
}
const REDIRECTED = { tries: 7, capMs: 2_000 };
function repeats(rule, exchange, tries = 1) {
    switch (exchange.kind) {
        case "answer":
            return rule.statuses(exchange.status);
        case "unreadable":
            return rule.unreadable;
        case "redirect":
            return (tries < REDIRECTED.tries &&
                (rule.unreadable || (rule.noAnswer === "unsent" && isUnbegunRedirect(exchange))));
        case "no-answer":
            if (isConfigurationError(exchange.code))
                return false;
            return rule.noAnswer === "always" || (rule.noAnswer === "unsent" && !exchange.sent);
    }
}
function waitMs(tries, retryAfterMs, random, kind) {
    const jittered = random() *
        Math.min(kind === "redirect" ? REDIRECTED.capMs : CAP_MS, BASE_MS * 2 ** Math.min(tries - 1, 20));
    return Math.max(jittered, retryAfterMs ?? 0);
}
function parseRetryAfter(header, nowMs) {
    const text = header?.trim() ?? "";
    if (text === "")
        return null;
    const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
    return Number.isNaN(ms) ? null : Math.min(RETRY_AFTER_CAP_MS, Math.max(0, ms));
}

;// CONCATENATED MODULE: ./build/service/repeat.js



class UnreadableReply extends Error {
    name = "UnreadableReply";
}
const WRITE_GRACE_MS = 2_000;
const UNTOLD_PAUSE_MS = 1_000;
const NO_TURN = {
    kind: "no-answer",
    sent: false,
    bodyFailed: false,
    code: "NO_TURN",
    cause: undefined,
};
function readAnswer(exchange, parse, redact) {
    if (exchange.kind !== "answer" || exchange.status < 200 || exchange.status > 299)
        return { exchange };
    const { status, text, contentType } = exchange;
    const unreadable = (why) => ({
        exchange: { kind: "unreadable", status, why },
    });
    if (isHtml(contentType, text))
        return unreadable(`answers with a web page ("${serviceWords(text, contentType, redact)}") where JSON is expected`);
    let json;
    try {
        json = text === "" ? null : JSON.parse(text);
    }
    catch {
        return unreadable(/json/i.test(contentType)
            ? "the answer is broken JSON"
            : `answers with ${contentType || "no content type"} where JSON is expected`);
    }
    if (nestsDeeper(json))
        return unreadable(`the answer nests deeper than ${MAX_JSON_DEPTH} levels`);
    try {
        return { exchange, value: { is: parse(json) } };
    }
    catch (cause) {
        if (cause instanceof UnreadableReply)
            return unreadable(cause.message);
        throw cause;
    }
}
function delayed(signal, graceMs) {
    if (signal === undefined)
        return { signal, done: () => undefined };
    const late = new AbortController();
    let timer;
    const start = () => {
        timer = setTimeout(() => late.abort(), graceMs);
    };
    if (signal.aborted)
        start();
    else
        signal.addEventListener("abort", start, { once: true });
    return {
        signal: late.signal,
        done: () => {
            clearTimeout(timer);
            signal.removeEventListener("abort", start);
        },
    };
}
function createSend(wire, { clock, budget, writeGraceMs = WRITE_GRACE_MS }) {
    return async (request, rule, limits) => {
        const patient = request.route === "write" || request.route === "upload";
        const grace = patient
            ? delayed(limits.signal, writeGraceMs)
            : { signal: limits.signal, done: () => undefined };
        try {
            for (let url = request.url, hops = 0;; hops++) {
                const left = limits.deadlineMs === undefined ? Infinity : limits.deadlineMs - clock.monotonic();
                const tryMs = Math.min(rule.tryMs ?? Infinity, Math.max(1, left));
                const exchange = await wire.send({ ...request, url }, rule, tryMs === Infinity ? null : tryMs, grace.signal);
                if (exchange.kind !== "redirect" ||
                    hops >= rule.redirects ||
                    !URL.canParse(exchange.location, url))
                    return exchange;
                const target = new URL(exchange.location, url);
                if (target.origin !== new URL(url).origin || !(await budget.take(limits)))
                    return exchange;
                url = target.href;
            }
        }
        finally {
            grace.done();
        }
    };
}
function pauseMs(exchange, retryAfterMs, wait) {
    if (exchange.kind !== "answer")
        return 0;
    if (exchange.status === 429)
        return retryAfterMs ?? Math.max(UNTOLD_PAUSE_MS, wait);
    return exchange.status >= 500 ? (retryAfterMs ?? 0) : 0;
}
function createRepeat(wire, options) {
    const { clock, random, budget, onRetry } = options;
    const send = createSend(wire, options);
    return async (request, rule, parse, limits) => {
        const startedAt = clock.monotonic();
        let last = { exchange: NO_TURN, tries: 0 };
        for (let tries = 1;; tries++) {
            if (!(await budget.take(limits)))
                return last;
            last = {
                ...readAnswer(await send(request, rule, limits), parse, request.story.redact),
                tries,
            };
            const ended = last.exchange;
            const retryAfterMs = ended.kind === "answer" ? parseRetryAfter(ended.retryAfter, clock.now()) : null;
            let wait = waitMs(tries, retryAfterMs, random, ended.kind);
            const pause = pauseMs(ended, retryAfterMs, wait);
            if (pause > 0)
                budget.pause(pause);
            if (ended.kind === "answer" && request.absent.includes(ended.status))
                return last;
            if (!repeats(rule, ended, tries) || limits.signal?.aborted)
                return last;
            const elapsed = clock.monotonic() - startedAt;
            if (tries >= rule.minTries) {
                if (elapsed >= rule.forMs)
                    return last;
                wait = Math.max(retryAfterMs ?? 0, Math.min(wait, rule.forMs - elapsed));
            }
            if (clock.monotonic() + wait >= (limits.deadlineMs ?? Infinity))
                return last;
            onRetry?.(`${toServiceError(ended, request.story).message} Trying again in ${(wait / 1000).toFixed(1)} s.`);
            await clock.sleep(wait, limits.signal);
        }
    };
}

;// CONCATENATED MODULE: ./build/service/replies.js


function toObject(json, what) {
    if (typeof json !== "object" || json === null || Array.isArray(json))
        throw new UnreadableReply(`the answer is no ${what}`);
    return json;
}
function idOf(object, what) {
    const id = object["id"];
    if (typeof id !== "string" || id === "")
        throw new UnreadableReply(`the answer is a ${what} without an id`);
    return id;
}
function textOf(object, key) {
    const value = object[key];
    return typeof value === "string" ? value : "";
}
function revisionIdOf(object, key) {
    const id = object[key] ?? null;
    if (id !== null && typeof id !== "string")
        throw new UnreadableReply(`the answer's ${key} is no id`);
    return id === "" ? null : id;
}
function nested(object, key) {
    const value = object[key];
    return typeof value === "object" && value !== null && !Array.isArray(value)
        ? value
        : {};
}
function dialectOfReply(reply) {
    const key = Object.keys(nested(reply, "source_revision_config")).find((name) => (0,model_dialect/* dialectOfKey */.PY)(name) !== undefined);
    return ((0,model_dialect/* dialectOf */.E3)(reply["source"]) ?? (key === undefined ? undefined : (0,model_dialect/* dialectOfKey */.PY)(key)) ?? "document");
}
function toDeployment(json) {
    const reply = toObject(json, "deployment");
    const id = idOf(reply, "deployment");
    const body = (0,model_dialect/* spell */.lO)(reply, "document");
    return {
        id,
        body,
        dialect: dialectOfReply(reply),
        name: textOf(body, "name"),
        source: textOf(body, "source"),
        status: textOf(body, "status") || "UNKNOWN",
        latest_revision_id: revisionIdOf(body, "latest_revision_id"),
        active_revision_id: revisionIdOf(body, "active_revision_id"),
        updated_at: textOf(body, "updated_at"),
        tenant_id: textOf(body, "tenant_id") || null,
        url: textOf(body, "url") || textOf(nested(body, "source_config"), "custom_url"),
    };
}
function toRevision(json) {
    const reply = (0,model_dialect/* spell */.lO)(toObject(json, "revision"), "document");
    return {
        id: idOf(reply, "revision"),
        status: textOf(reply, "status") || "UNKNOWN",
        created_at: textOf(reply, "created_at"),
        updated_at: textOf(reply, "updated_at"),
        status_message: textOf(reply, "status_message"),
        source_revision_config: nested(reply, "source_revision_config"),
    };
}
function toIntegration(json) {
    const reply = toObject(json, "integration");
    return { id: idOf(reply, "integration"), name: textOf(reply, "name") };
}
function toIntegrations(json) {
    const single = typeof json === "object" &&
        json !== null &&
        !Array.isArray(json) &&
        "id" in json &&
        !("resources" in json);
    return single ? [toIntegration(json)] : toPage(json, toIntegration).items;
}
function toListener(json) {
    const reply = toObject(json, "listener");
    const namespaces = nested(reply, "compute_config")["k8s_namespaces"];
    return {
        id: idOf(reply, "listener"),
        compute_id: textOf(reply, "compute_id"),
        compute_type: textOf(reply, "compute_type"),
        namespaces: Array.isArray(namespaces)
            ? namespaces.filter((name) => typeof name === "string")
            : [],
    };
}
function toPage(json, toItem) {
    const items = Array.isArray(json) ? json : toObject(json, "list")["resources"];
    if (!Array.isArray(items))
        throw new UnreadableReply("the answer is no list");
    const offset = Array.isArray(json) ? null : json["offset"];
    return {
        items: items.map(toItem),
        next: typeof offset === "number" && Number.isSafeInteger(offset) ? offset : null,
    };
}
function toLine(entry) {
    if (typeof entry === "string")
        return { atMs: NaN, text: entry };
    if (typeof entry !== "object" || entry === null)
        return { atMs: NaN, text: "" };
    const { timestamp, message, text, content } = entry;
    const said = [message, text, content].find((part) => typeof part === "string");
    const atMs = typeof timestamp === "number"
        ? timestamp
        : typeof timestamp === "string"
            ? Date.parse(timestamp)
            : NaN;
    return { atMs, text: typeof said === "string" ? said : "" };
}
const MAX_LINE_CHARS = 2000;
const MAX_SCRUBBED_CHARS = 256 * 1024;
function toLogTail(json, lines, redact = (text) => text) {
    const reply = typeof json === "object" && json !== null ? json : {};
    const entries = [json, reply["logs"], reply["items"], reply["resources"]].find((list) => Array.isArray(list));
    if (!Array.isArray(entries))
        return null;
    const read = entries.map(toLine);
    const dated = read.every(({ atMs }) => !Number.isNaN(atMs));
    const oldestFirst = dated && (read[0]?.atMs ?? 0) < (read.at(-1)?.atMs ?? 0) ? read : read.reverse();
    if (dated)
        oldestFirst.sort((a, b) => a.atMs - b.atMs);
    return oldestFirst
        .flatMap(({ text }) => text.split(/\r?\n/))
        .filter((line) => line.trim() !== "")
        .slice(-lines)
        .map((line) => redact(line.trimEnd().slice(0, MAX_SCRUBBED_CHARS)).slice(0, MAX_LINE_CHARS));
}

;// CONCATENATED MODULE: ./build/service/control-plane-http.js




const NO_LIST = [404, 405, 501];
const LOG_TAIL_MS = 10_000;
function secretValues(json) {
    if (typeof json !== "object" || json === null)
        return [];
    if (Array.isArray(json))
        return json.flatMap(secretValues);
    return Object.entries(json).flatMap(([key, value]) => key === "value" && typeof value === "string" ? [value] : secretValues(value));
}
function jsonBody(body, dialect) {
    return { body: JSON.stringify((0,model_dialect/* spell */.lO)(body, dialect)), secretValues: secretValues(body) };
}
function newestFirst(revisions) {
    const dated = revisions.every(({ created_at }) => !Number.isNaN(Date.parse(created_at)));
    return dated
        ? [...revisions].sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
        : revisions;
}
function logRoutes(deployment, revision, phase, lines) {
    const many = Math.min(1000, Math.max(1, lines));
    return [
        {
            method: "GET",
            path: `/v2/deployments/${deployment}/revisions/${revision}/logs?type=${phase}&order=desc&limit=${many}`,
        },
        {
            method: "GET",
            path: `/v2/deployment-logs?deployment_id=${deployment}&revision_id=${revision}&log_type=${phase.toUpperCase()}&sort_order=desc&page_size=${Math.min(100, many)}`,
        },
        {
            method: "POST",
            path: `/v1/projects/${deployment}/revisions/${revision}/${phase}_logs`,
            body: JSON.stringify({ limit: many, order: "desc" }),
        },
    ];
}
const REDEPLOY_NEXT = {
    400: "This revision cannot be redeployed now: choose another one with revision-id, or apply the spec, which makes a new revision.",
    404: "Check deployment-id and revision-id: the service names the one it does not know.",
    422: "deployment-id and revision-id are UUIDs, as the service and the outputs of an earlier step give them.",
};
function createControlPlane(options) {
    const { http, base, clock, limits = {} } = options;
    const at = encodeURIComponent;
    const deploymentUrl = (id) => `${base}/v2/deployments/${at(id)}`;
    const revisionUrl = (id, revision) => `${deploymentUrl(id)}/revisions/${at(revision)}`;
    const valueOrNull = (read) => (read.state === "found" ? read.value : null);
    const pageOf = (path, toItem, absent) => (offset) => http.read({
        url: `${base}${path}${path.includes("?") ? "&" : "?"}limit=${PAGE_LIMIT}&offset=${offset}`,
        absent,
    }, (json) => toPage(json, toItem), limits);
    const named = (id) => (json) => {
        const deployment = toDeployment(json);
        if (deployment.id.toLowerCase() !== id.toLowerCase())
            throw new UnreadableReply("the answer is another deployment than the one asked for");
        return deployment;
    };
    return {
        within: (narrower) => createControlPlane({ ...options, limits: { ...limits, ...narrower } }),
        listDeployments: ({ nameContains }) => readAllPages(pageOf(`/v2/deployments${nameContains === undefined ? "" : `?name_contains=${at(nameContains)}`}`, toDeployment, NO_LIST)),
        getDeployment: async (id) => valueOrNull(await http.read({ url: deploymentUrl(id), absent: [404] }, named(id), limits)),
        createDeployment: (body, dialect) => http.write({
            method: "POST",
            url: `${base}/v2/deployments`,
            route: "write",
            ...jsonBody(body, dialect),
        }, toDeployment, limits),
        patchDeployment: (id, body, dialect) => http.write({ method: "PATCH", url: deploymentUrl(id), route: "write", ...jsonBody(body, dialect) }, named(id), limits),
        getRevision: async (id, revision) => valueOrNull(await http.read({ url: revisionUrl(id, revision), absent: [404] }, toRevision, limits)),
        listRevisions: async (id, limit) => {
            const page = await http.read({ url: `${deploymentUrl(id)}/revisions?limit=${limit}&offset=0`, absent: NO_LIST }, (json) => toPage(json, toRevision), limits);
            return page.state === "absent"
                ? { state: "absent-lookup", status: page.status }
                : { state: "found", items: newestFirst(page.value.items).slice(0, limit) };
        },
        redeploy: (id, revision) => http.write({
            method: "POST",
            url: `${revisionUrl(id, revision)}/redeploy`,
            route: "write",
            next: REDEPLOY_NEXT,
        }, named(id), limits),
        deleteDeployment: (id, { deleteTracingProject }) => http.write({
            method: "DELETE",
            url: `${deploymentUrl(id)}?delete_tracing_project=${deleteTracingProject}`,
            route: "write",
        }, () => null, limits),
        listIntegrations: async (dialect) => {
            const read = (to, absent) => http.read({ url: base + (0,model_dialect/* integrationsPath */.tm)(to), absent }, toIntegrations, limits);
            const own = await read(dialect, [404]);
            if (own.state === "found")
                return own.value;
            const other = await read(dialect === "hosted" ? "document" : "hosted", []);
            return other.state === "found" ? other.value : [];
        },
        listListeners: async () => {
            const lookup = await readAllPages(pageOf("/v2/listeners", toListener, []));
            return lookup.state === "found" ? lookup.items : [];
        },
        logTail: async (id, revision, phase, lines, dialect) => {
            const deadlineMs = Math.min(limits.deadlineMs ?? Infinity, clock.monotonic() + LOG_TAIL_MS);
            for (const { method, path, body } of logRoutes(at(id), at(revision), phase, lines)) {
                if (method === "POST" && dialect === "document")
                    continue;
                const reply = await http.probe({ method, url: base + path, ...(body === undefined ? {} : { body }) }, { ...limits, deadlineMs });
                const tail = toLogTail(reply, lines, options.redact);
                if (tail !== null)
                    return tail;
            }
            return null;
        },
    };
}

// EXTERNAL MODULE: external "node:stream"
var external_node_stream_ = __webpack_require__(7075);
// EXTERNAL MODULE: ./build/service/addresses.js
var addresses = __webpack_require__(876);
;// CONCATENATED MODULE: ./build/service/exchange.js



const TIMED_OUT = "UND_ERR_TRY_TIMEOUT";
function proxyOf(env, name) {
    const text = (env[name.toLowerCase()] || env[name] || "").trim();
    if (text === "")
        return "";
    const url = text.includes("://") ? text : `http://${text}`;
    try {
        const { protocol, username, password } = new URL(url);
        decodeURIComponent(username + password);
        if (/^(https?|socks5?):$/.test(protocol))
            return url;
    }
    catch {
    }
    throw new control_plane/* ServiceError */._(`${name}: is not a proxy address; write http://user:password@host:port, with special characters of the password percent-encoded`);
}
async function createAgents({ env, connectMs }) {
    const { EnvHttpProxyAgent, Pool, request } = (await Promise.all(/* import() */[__webpack_require__.e(38), __webpack_require__.e(161)]).then(__webpack_require__.bind(__webpack_require__, 4161))).createUndici();
    const tls = { timeout: connectMs, rejectUnauthorized: true };
    const httpProxy = proxyOf(env, "HTTP_PROXY");
    const options = {
        connect: tls,
        requestTls: tls,
        httpProxy: httpProxy !== "" && (0,addresses/* isLoopback */.U9)(new URL(httpProxy)) ? httpProxy : "",
        httpsProxy: proxyOf(env, "HTTPS_PROXY") || httpProxy,
        noProxy: env["no_proxy"] || env["NO_PROXY"] || "",
        proxyTls: tls,
        clientFactory: (origin, poolOptions) => {
            const pool = new Pool(origin, poolOptions);
            const connect = pool.connect.bind(pool);
            const failing = (to) => connect(to).catch((cause) => {
                throw codeOf(cause).startsWith("UND_ERR_") ? hungUp(cause) : cause;
            });
            return Object.assign(pool, { connect: failing });
        },
    };
    return {
        kept: new EnvHttpProxyAgent(options),
        fresh: new EnvHttpProxyAgent({ ...options, pipelining: 0 }),
        request,
    };
}
function hungUp(cause) {
    return Object.assign(new Error("the proxy closed the connection", { cause }), {
        code: "PROXY_CLOSED",
    });
}
function codeOf(cause) {
    const error = cause;
    const proxyStatus = /^Proxy response \((\d+)\)/.exec(String(error?.message ?? ""));
    if (proxyStatus !== null)
        return `PROXY_${proxyStatus[1]}`;
    if (typeof error?.code === "string" && error.code !== "")
        return error.code;
    const inner = error?.errors?.[0] ?? error?.cause;
    return inner === undefined || inner === null
        ? String(error?.message ?? "unknown failure")
        : codeOf(inner);
}
function noteSending(onSending) {
    return (dispatch) => (options, handler) => dispatch(options, {
        onRequestStart: (controller, context) => {
            onSending();
            handler.onRequestStart?.(controller, context);
        },
        onRequestUpgrade: (...all) => handler.onRequestUpgrade?.(...all),
        onResponseStart: (...all) => handler.onResponseStart?.(...all),
        onResponseData: (...all) => handler.onResponseData?.(...all),
        onResponseEnd: (...all) => handler.onResponseEnd?.(...all),
        onResponseError: (...all) => handler.onResponseError?.(...all),
    });
}
function headerOf(headers, name) {
    const value = headers[name];
    return typeof value === "string" ? value : value?.[0];
}
async function readText(body, maxBytes) {
    const chunks = [];
    let bytes = 0;
    for await (const chunk of body) {
        bytes += chunk.length;
        if (bytes > maxBytes)
            return null;
        chunks.push(chunk);
    }
    return new TextDecoder().decode(Buffer.concat(chunks));
}
async function receive({ statusCode, headers, body }, maxBytes) {
    if (statusCode >= 300 && statusCode < 400) {
        body.on("error", () => undefined).destroy();
        return { kind: "redirect", status: statusCode, location: headerOf(headers, "location") ?? "" };
    }
    const announced = Number(headerOf(headers, "content-length") ?? 0);
    const text = announced > maxBytes ? null : await readText(body, maxBytes);
    if (text === null) {
        body.on("error", () => undefined).destroy();
        return {
            kind: "unreadable",
            status: statusCode,
            why: `the answer is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB`,
        };
    }
    return {
        kind: "answer",
        status: statusCode,
        text,
        contentType: headerOf(headers, "content-type") ?? "",
        retryAfter: headerOf(headers, "retry-after"),
    };
}
function toStream(factory, onFailure) {
    async function* chunks() {
        const source = factory()[Symbol.asyncIterator]();
        const next = () => source.next().catch((cause) => {
            onFailure();
            throw cause;
        });
        try {
            for (let step = await next(); step.done !== true; step = await next())
                yield step.value;
        }
        finally {
            await source.return?.();
        }
    }
    return external_node_stream_.Readable.from(chunks(), { objectMode: false });
}
function createWire(options) {
    let agents;
    return {
        close: async () => {
            const made = await agents?.catch(() => undefined);
            await Promise.all([made?.kept.destroy(), made?.fresh.destroy()]);
        },
        send: async (wire, rule, tryMs, signal) => {
            const { kept, fresh, request } = await (agents ??= createAgents(options));
            const stop = new AbortController();
            const stopped = new Promise((_, reject) => stop.signal.addEventListener("abort", () => reject(stop.signal.reason)));
            const timer = tryMs === null ? undefined : setTimeout(() => stop.abort({ code: TIMED_OUT }), tryMs);
            const onAbort = () => stop.abort({ code: "ABORTED" });
            if (signal?.aborted)
                onAbort();
            signal?.addEventListener("abort", onAbort, { once: true });
            let sent = false;
            let bodyFailed = false;
            const body = typeof wire.body === "function"
                ? toStream(wire.body, () => {
                    bodyFailed = true;
                })
                : (wire.body ?? null);
            const talk = async () => receive(await request(wire.url, {
                method: wire.method,
                body,
                signal: stop.signal,
                headersTimeout: rule.silenceMs,
                bodyTimeout: rule.silenceMs,
                headers: {
                    ...wire.headers,
                    "accept-encoding": "identity",
                    ...(wire.contentLength === undefined
                        ? {}
                        : { "content-length": String(wire.contentLength) }),
                },
                dispatcher: (rule.freshConnection ? fresh : kept).compose(noteSending(() => {
                    sent = true;
                })),
            }), options.maxReplyBytes);
            try {
                return await Promise.race([talk(), stopped]);
            }
            catch (cause) {
                return { kind: "no-answer", sent, code: codeOf(cause), cause, bodyFailed };
            }
            finally {
                clearTimeout(timer);
                signal?.removeEventListener("abort", onAbort);
            }
        },
    };
}

;// CONCATENATED MODULE: ./build/service/http.js





const MAX_REPLY_BYTES = 32 * 1024 * 1024;
const CONNECT_MS = 10_000;
function masking(secrets, redact) {
    const spelled = secrets
        .flatMap((secret) => [
        secret,
        JSON.stringify(secret).slice(1, -1),
        encodeURIComponent(Buffer.from(secret).toString()),
    ])
        .filter((secret) => secret.length >= 3)
        .sort((a, b) => b.length - a.length);
    return (text) => spelled.reduce((clean, secret) => clean.replaceAll(secret, "***"), redact(text));
}
function createRouting(options) {
    const { headers, addresses, region, userAgent } = options;
    const redact = masking(Object.values(headers).flatMap((value) => [value, value.replace(/^Bearer /, "")]), options.redact ?? ((text) => text));
    return (route, { method, url, absent = [], body, contentLength, secretValues = [], next }) => {
        const address = addresses.find(({ base }) => url.startsWith(`${base}/`)) ??
            addresses.find(({ base }) => new URL(base).origin === new URL(url).origin);
        if (address === undefined)
            throw new control_plane/* ServiceError */._(`${method} ${shownUrl(url)}: is none of the service's addresses, so the key is not sent there`);
        return {
            method,
            url,
            route,
            absent,
            headers: {
                ...headers,
                accept: "application/json",
                "user-agent": userAgent,
                ...(body === undefined ? {} : { "content-type": "application/json" }),
            },
            ...(body === undefined ? {} : { body }),
            ...(contentLength === undefined ? {} : { contentLength }),
            story: {
                method,
                url,
                next,
                addressInput: address.input,
                region: address.input === "region" ? region : null,
                bearer: headers["Authorization"] !== undefined && headers["X-Api-Key"] === undefined,
                tenant: headers["X-Tenant-Id"] !== undefined,
                redact: masking(secretValues, redact),
            },
        };
    };
}
function toWriteResult({ exchange, tries, value }, { story }) {
    if (value !== undefined)
        return { state: "taken", reply: value.is };
    const error = toServiceError(exchange, story, tries);
    if (exchange.kind === "no-answer" && (!exchange.sent || exchange.bodyFailed))
        return { state: "refused", status: 0, error };
    if (isUnbegunRedirect(exchange))
        return { state: "refused", status: error.status ?? 0, error };
    const refused = exchange.kind === "answer" &&
        ((exchange.status >= 400 && exchange.status < 500 && exchange.status !== 408) ||
            exchange.status === 501);
    return refused
        ? { state: "refused", status: exchange.status, error }
        : { state: "unknown", error };
}
function createHttp(options) {
    const wire = options.wire ??
        createWire({
            maxReplyBytes: options.maxReplyBytes ?? MAX_REPLY_BYTES,
            connectMs: options.connectMs ?? CONNECT_MS,
            env: options.env ?? process.env,
        });
    const repeat = createRepeat(wire, options);
    const toRequest = createRouting(options);
    const boundedBy = (limits) => {
        const signals = [...new Set([options.signal, limits.signal])].filter((signal) => signal !== undefined);
        return signals.length === 0
            ? limits
            : { ...limits, signal: signals.length === 1 ? signals[0] : AbortSignal.any(signals) };
    };
    const exchange = (request, parse, bounds) => repeat(request, { ...ROUTE_RULES[request.route], ...options.rules?.[request.route] }, parse, bounds);
    return {
        close: wire.close,
        read: async (given, parse, limits = {}) => {
            const bounds = boundedBy(limits);
            const request = toRequest("read", { method: "GET", ...given });
            const { exchange: ended, tries, value } = await exchange(request, parse, bounds);
            if (value !== undefined)
                return { state: "found", value: value.is };
            bounds.signal?.throwIfAborted();
            if (ended.kind === "answer" && request.absent.includes(ended.status))
                return { state: "absent", status: ended.status };
            throw toServiceError(ended, request.story, tries);
        },
        write: async (given, parse, limits = {}) => {
            const bounds = boundedBy(limits);
            const request = toRequest(given.route, given);
            try {
                const result = toWriteResult(await exchange(request, parse, bounds), request);
                if (result.state === "refused" && result.status === 0)
                    bounds.signal?.throwIfAborted();
                return result;
            }
            catch (cause) {
                if (cause instanceof control_plane/* ServiceError */._)
                    return { state: "refused", status: 0, error: cause };
                throw cause;
            }
        },
        probe: async (given, limits = {}) => {
            try {
                return ((await exchange(toRequest("probe", given), (json) => json, boundedBy(limits))).value
                    ?.is ?? null);
            }
            catch {
                return null;
            }
        },
    };
}

;// CONCATENATED MODULE: ./build/service/tracing.js



function objectOr(json, otherwise) {
    return typeof json === "object" && json !== null && !Array.isArray(json)
        ? json
        : otherwise;
}
function numberOf(object, key) {
    const value = object[key];
    return typeof value === "number" ? value : null;
}
function toSession(json) {
    const body = toObject(json, "experiment");
    return {
        id: idOf(body, "experiment"),
        name: textOf(body, "name"),
        body,
        tenant_id: textOf(body, "tenant_id") || null,
        dataset_id: textOf(body, "reference_dataset_id") || null,
        test_run_number: numberOf(body, "test_run_number"),
        run_count: numberOf(body, "run_count"),
        metadata: objectOr(objectOr(body["extra"], {})["metadata"], {}),
    };
}
function toUploaded(json) {
    const reply = toObject(json, "uploaded experiment");
    const dataset = toObject(reply["dataset"], "uploaded experiment: it has no dataset");
    return {
        dataset: { id: idOf(dataset, "dataset"), name: textOf(dataset, "name"), body: dataset },
        experiment: toSession(reply["experiment"]),
    };
}
const NEXT_ON_UPLOAD = {
    404: "Check tracing-url and region: the service has no upload of experiments there.",
    409: "An experiment of that name exists in the workspace: give another experiment-name.",
    413: "The experiment is too large for the service or a proxy before it: split the file (self-hosted: raise frontend.maxBodySize).",
};
function createTracing(options) {
    const { http, base, limits = {} } = options;
    return {
        within: (narrower) => createTracing({ ...options, limits: { ...limits, ...narrower } }),
        uploadExperiment: (toBody, { contentLength } = {}) => http.write({
            method: "POST",
            url: (0,addresses/* tracingUrl */.ep)(base, "/api/v1/datasets/upload-experiment"),
            route: "upload",
            body: toBody,
            next: NEXT_ON_UPLOAD,
            ...(contentLength === undefined ? {} : { contentLength }),
        }, toUploaded, limits),
        getSession: async (id) => {
            const read = await http.read({
                url: (0,addresses/* tracingUrl */.ep)(base, `/api/v1/sessions/${encodeURIComponent(id)}?include_stats=true`),
                absent: [404],
            }, toSession, limits);
            return read.state === "found" ? read.value : null;
        },
        findSessionsByName: async (name) => {
            const readPage = (offset) => http.read({
                url: (0,addresses/* tracingUrl */.ep)(base, `/api/v1/sessions?name=${encodeURIComponent(name)}&limit=${PAGE_LIMIT}&offset=${offset}`),
                absent: [404, 405, 501],
            }, (json) => toPage(json, toSession), limits);
            const lookup = await readAllPages(readPage);
            return lookup.state === "found"
                ? { state: "found", items: lookup.items.filter((session) => session.name === name) }
                : lookup;
        },
    };
}

// EXTERNAL MODULE: ./build/run/access.js + 1 modules
var access = __webpack_require__(6767);
// EXTERNAL MODULE: ./build/run/session.js
var session = __webpack_require__(5834);
;// CONCATENATED MODULE: ./build/run/service-connection.js






function toBudget({ clock, env }) {
    const given = (env["AGENT_DEPLOY_RATE_LIMIT"] ?? "").trim();
    if (given === "")
        return createBudget({ clock });
    const limit = parseRateLimit(given);
    if (limit === null)
        throw new session/* UsageError */.e(`AGENT_DEPLOY_RATE_LIMIT: "${given.slice(0, 40)}" is no rate limit; write requests/seconds, such as 1000/10`);
    return createBudget({ clock, ...limit });
}
async function withConnection(session, work) {
    const connection = connect(session);
    try {
        return await work(connection);
    }
    finally {
        await connection.close();
    }
}
function connect(session) {
    const { options, clock, random, signal, host } = session;
    const { headers, addresses } = (0,access/* checkAccess */.x)(session);
    const http = createHttp({
        clock,
        random,
        signal,
        budget: toBudget(session),
        headers,
        userAgent: `agent-deploy/${session.version}`,
        addresses: [
            { base: addresses.controlPlane, input: addresses.inputs.controlPlane },
            { base: addresses.tracing, input: addresses.inputs.tracing },
        ],
        region: addresses.inputs.controlPlane === "region" ? options.region : null,
        redact: session.redact,
        onRetry: (line) => {
            host.progress(line);
        },
    });
    return {
        controlPlane: createControlPlane({
            http,
            base: addresses.controlPlane,
            clock,
            redact: session.redact,
        }),
        tracing: createTracing({ http, base: addresses.tracing }),
        ui: addresses.ui,
        close: http.close,
    };
}


/***/ }),

/***/ 2502:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   _: () => (/* binding */ ServiceError)
/* harmony export */ });
class ServiceError extends Error {
    name = "ServiceError";
    status;
    input;
    constructor(message, options = {}) {
        super(message, options.cause === undefined ? undefined : { cause: options.cause });
        this.status = options.status ?? null;
        this.input = options.input ?? null;
    }
}


/***/ })

};
;