import { tracingUrl } from "./addresses.ts";
import { endedBy, PROVES_ABSENCE, ServiceError, type Limits } from "./control-plane.ts";
import type { Http, Read } from "./http.ts";
import { createPagesAhead, PAGE_LIMIT } from "./pages.ts";
import { UnreadableReply } from "./repeat.ts";
import { textOf, toObject } from "./replies.ts";
import type { JsonObject } from "../model/json.ts";

interface Route {
  readonly http: Http;
  readonly base: string;
  readonly limits: Limits;
}

interface Cut {
  readonly items: readonly JsonObject[];
  readonly next: string | null;
}

/** An experiment whose examples are read. */
export interface WantedExamples {
  readonly id: string;
  readonly dataset_id: string;
  /** The likely number of rows, whose pages are requested ahead; null if unknown. */
  readonly rows?: number | null;
}

const MAX_PAGES = 100_000;

/**
 * Reads the examples of an experiment with their runs: by offset, or by cursor if the service has
 * only that (contributing/service.md, "Rows of an experiment").
 */
export async function* readExamples(
  route: Route,
  wanted: WantedExamples,
): AsyncGenerator<readonly JsonObject[]> {
  const pages = createPagesAhead(
    (offset, signal) => readByOffset(route, wanted, offset, signal),
    wanted.rows ?? 0,
  );
  try {
    const first = await pages.read(0);
    if (first === null) yield* readByCursor(route, wanted);
    else yield* followPages(pages.read, first, wanted);
  } finally {
    pages.stop();
  }
}

async function* followPages(
  read: (offset: number) => Promise<readonly JsonObject[] | null>,
  first: readonly JsonObject[],
  wanted: WantedExamples,
): AsyncGenerator<readonly JsonObject[]> {
  let page = first;
  let offset = 0;
  for (let count = 1; page.length > 0; count += 1) {
    if (count > MAX_PAGES) throw endless(wanted);
    offset += page.length;
    // The next page is requested while this one is processed.
    const ahead = read(offset);
    ahead.catch(() => undefined);
    yield page;
    const next = (await ahead) ?? [];
    if (next.length > 0 && textOf(next[0]!, "id") === textOf(page[0]!, "id")) throw endless(wanted);
    page = next;
  }
}

function endless({ id }: WantedExamples): ServiceError {
  return new ServiceError(
    `the service gives the same rows of experiment ${id} again and again, so they cannot be used; ask its operator`,
  );
}

async function readByOffset(
  { http, base, limits }: Route,
  { id, dataset_id }: WantedExamples,
  offset: number,
  signal: AbortSignal,
): Promise<readonly JsonObject[] | null> {
  const read = await http.read(
    {
      url: tracingUrl(base, `/api/v1/datasets/${encodeURIComponent(dataset_id)}/runs`),
      post: JSON.stringify({ session_ids: [id], limit: PAGE_LIMIT, offset }),
      absent: PROVES_ABSENCE,
    },
    toExamples,
    endedBy(limits, signal),
  );
  return read.state === "found" ? read.value : null;
}

/** The fields of a run to read; without a selection the service returns only ids (langsmith 0.15.0). */
const RUN_FIELDS = [
  ...["ID", "PROJECT_ID", "START_TIME", "END_TIME", "ERROR", "METADATA", "INPUTS", "OUTPUTS"],
  "FEEDBACK_STATS",
];

async function* readByCursor(
  { http, base, limits }: Route,
  { id, dataset_id }: WantedExamples,
): AsyncGenerator<readonly JsonObject[]> {
  let cursor: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const before: string | null = cursor;
    const read: Read<Cut> = await http.read(
      {
        url: tracingUrl(base, `/api/v2/datasets/${encodeURIComponent(dataset_id)}/experiment-runs`),
        post: JSON.stringify({
          experiment_ids: [id],
          selects: RUN_FIELDS,
          page_size: PAGE_LIMIT,
          ...(before === null ? {} : { cursor: before }),
        }),
        absent: PROVES_ABSENCE,
      },
      (json) => {
        const reply = toObject(json, "a page of rows");
        return {
          items: toExamples(reply["items"]),
          next: textOf(reply, "next_cursor") || null,
        };
      },
      limits,
    );
    if (read.state === "absent")
      throw new ServiceError(
        `the rows of experiment ${id} cannot be read: the service has no route for them, or no dataset ${dataset_id} (it answers ${read.status}); give the file of its results instead`,
      );
    yield read.value.items;
    if (read.value.next === null) return;
    if (read.value.next === before) break;
    cursor = read.value.next;
  }
  throw endless({ id, dataset_id });
}

function toExamples(json: unknown): readonly JsonObject[] {
  if (!Array.isArray(json)) throw new UnreadableReply("the answer is not a list of rows");
  return json.map((one) => toObject(one, "a row"));
}
