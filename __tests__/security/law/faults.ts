import type { Answer, Handle, Passing } from "./gateway.ts";

/** What goes wrong in a cell, each time with everything repeated that the run has ever said or may know. */
export interface Fault {
  /** At the service. */
  readonly service?: Handle;
  /** At GitHub. */
  readonly github?: Handle;
  /** The service's certificate is nobody's. */
  readonly tls?: true;
  /** The run gives up by this time, where the fault never ends. */
  readonly timeout?: string;
}

const told = ({ told: forms, said }: Passing): string => [...forms, said].join(" ");
const always =
  (answer: (passing: Passing) => Answer): Handle =>
  (passing) =>
    Promise.resolve(answer(passing));
/** The first request of each route meets it; what repeats it comes through. */
const once =
  (answer: (passing: Passing) => Answer | Promise<Answer>): Handle =>
  async (passing) =>
    passing.before === 0 ? answer(passing) : passing.forward();
const onWrites =
  (answer: (passing: Passing) => Answer): Handle =>
  async (passing) =>
    passing.method === "GET" ? passing.forward() : answer(passing);
const detail = (passing: Passing): string =>
  JSON.stringify({
    detail: [...passing.told, passing.said].map((input) => ({
      loc: ["body"],
      msg: `bad ${input}`,
      input,
    })),
  });
const html = (passing: Passing): string =>
  `<html><head><title>Error ${told(passing)}</title></head><body><pre>${told(passing)}</pre></body></html>`;
const HTML = { "content-type": "text/html" };

/** Strings below these keys of a reply are free text, which may repeat anything. */
const TEXTS = /^(?:status_message|error|message|display_name|reason|description|detail|log|text)$/u;

function withTexts(value: unknown, text: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withTexts(item, text));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    TEXTS.test(key) ? text : withTexts(item, text),
  ]);
  return { ...(Object.fromEntries(entries) as object), status_message: text, message: text };
}

async function spoilTexts(passing: Passing): Promise<Answer> {
  const answer = await passing.forward();
  try {
    const body = JSON.stringify(withTexts(JSON.parse(answer.body), told(passing)));
    return { ...answer, body };
  } catch {
    return answer;
  }
}

/** THE TABLE OF FAULTS. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  "no fault": {},
  "a refusal that repeats the key (401, JSON)": {
    service: always((passing) => ({ status: 401, body: detail(passing) })),
  },
  "a gateway's refusal (403, HTML)": {
    service: always((passing) => ({ status: 403, body: html(passing), headers: HTML })),
    timeout: "2s",
  },
  "a write that is refused with its input (422)": {
    service: onWrites((passing) => ({ status: 422, body: detail(passing) })),
  },
  "a write that is refused in plain text (400)": {
    service: onWrites((passing) => ({
      status: 400,
      body: told(passing),
      headers: { "content-type": "text/plain" },
    })),
  },
  "an error at first (500, JSON)": {
    service: once((passing) => ({
      status: 500,
      body: JSON.stringify({ error: told(passing), message: { error: passing.said } }),
    })),
  },
  "an error at first (502, HTML)": {
    service: once((passing) => ({ status: 502, body: html(passing), headers: HTML })),
  },
  "too many requests at first (429)": {
    service: once((passing) => ({
      status: 429,
      body: detail(passing),
      headers: { "retry-after": "0" },
    })),
  },
  "a connection that is reset at first": {
    service: once(() => ({ status: 200, body: "", reset: true })),
  },
  "an answer that is cut in two at first": {
    service: once(async (passing) => ({ ...(await spoilTexts(passing)), cut: true })),
  },
  "an answer that is not JSON at first": {
    service: once((passing) => ({ status: 200, body: `{"id": "${told(passing)}` })),
  },
  "an answer of another shape at first": {
    service: once((passing) => ({
      status: 200,
      body: JSON.stringify({
        id: passing.told,
        name: { a: told(passing) },
        resources: told(passing),
      }),
    })),
  },
  "an encoding that nobody asked for": {
    service: once((passing) => ({
      status: 200,
      body: told(passing),
      headers: { "content-encoding": encodeURIComponent(told(passing)).slice(0, 200) },
    })),
  },
  "a redirect to another origin": {
    service: always((passing) => ({
      status: 302,
      body: told(passing),
      headers: { location: `https://other.example.com/${encodeURIComponent(told(passing))}` },
    })),
    timeout: "2s",
  },
  "a redirect within": {
    service: always((passing) => ({
      status: 302,
      body: told(passing),
      headers: { location: `/login/${encodeURIComponent(told(passing))}` },
    })),
    timeout: "2s",
  },
  "texts of replies that repeat everything": { service: spoilTexts },
  "a certificate that is nobody's": { tls: true, timeout: "2s" },
  "a GitHub that refuses (403)": {
    github: always((passing) => ({
      status: 403,
      body: JSON.stringify({ message: told(passing), documentation_url: passing.said }),
    })),
  },
  "a GitHub that refuses what it is sent (422)": {
    github: onWrites((passing) => ({
      status: 422,
      body: JSON.stringify({ message: told(passing), errors: [{ message: passing.said }] }),
    })),
  },
  "a GitHub that answers with a page (404)": {
    github: always((passing) => ({ status: 404, body: html(passing), headers: HTML })),
  },
};

/** Whether the fault is one of GitHub only. */
export const isOfGithub = (fault: string): boolean => FAULTS[fault]!.github !== undefined;
