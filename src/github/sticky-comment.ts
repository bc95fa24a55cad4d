import type { Clock } from "../clock.ts";
import { COMMENT_LIMIT, type Limit } from "../report/truncation.ts";
import { isNewer, parseHeader, renderHeader, type CommentHeader } from "./comment-header.ts";
import type { GithubApi } from "./api.ts";
import { isDenied, isRateLimited, messageOf, reasonOf, statusOf } from "./error.ts";

/** One comment per key, updated in place during a run and by later runs of the pull request. */
export interface StickyComment {
  /**
   * Posts or updates the comment; `mayCreate` false: only updates an existing one. Never throws: a
   * refusal becomes one warning. Returns where the comment is, with `id` null if we have none; if
   * it could not be written, what is known of it.
   */
  readonly put: (
    render: (options: { readonly header: string } & Limit) => string,
    open: boolean,
    mayCreate?: boolean,
  ) => Promise<CommentPlace>;
}

/** Where a comment is; empty and null if there is none. */
export interface CommentPlace {
  readonly url: string;
  readonly id: number | null;
  /** The comment could not be written. */
  readonly isFailed?: true;
}

/** What a comment needs to know about its pull request and run. */
export interface StickyCommentOptions {
  readonly api: GithubApi;
  readonly clock: Clock;
  readonly pullRequest: number;
  readonly key: string;
  readonly run: { readonly id: string; readonly attempt: number; readonly sha: string };
  readonly notify: (level: "notice" | "warning", message: string) => void;
}

/** Renders a comment below its header, within limits. */
export type CommentRenderer = Parameters<StickyComment["put"]>[0];
type Stamp = Pick<CommentHeader, "run" | "attempt">;
const NOWHERE: CommentPlace = { url: "", id: null };

/** The comment of one step on one pull request. */
export function createStickyComment(options: StickyCommentOptions): StickyComment {
  const { key, run, notify } = options;
  const stamp: Stamp = { run: run.id === "" ? "0" : run.id, attempt: run.attempt };
  const thread = createThread(options, stamp);
  let [warned, yielded] = [false, false];

  const write = async (
    render: CommentRenderer,
    open: boolean,
    mayCreate: boolean,
  ): Promise<CommentPlace> => {
    const header = renderHeader({ v: 1, key, ...stamp, sha: run.sha, open });
    const updated = await update(thread, { stamp, render, header });
    if (updated !== null) {
      if (updated.newer && !yielded)
        notify(
          "notice",
          "The pull request comment was left as it is: a newer run of this job has written it.",
        );
      yielded ||= updated.newer;
      return updated.place;
    }
    // A new comment in place of one that could not be edited might not be editable either: only the end makes one.
    if (!mayCreate || (open && thread.wasRefused())) return NOWHERE;
    const made = await thread.create(render, header);
    // Another job with the same key may have looked and posted at the same time: the oldest comment stays.
    return (await update(thread, { stamp, render, header, olderThan: made.id }))?.place ?? made;
  };

  const put: StickyComment["put"] = async (render, open, mayCreate = true) => {
    try {
      return await write(render, open, mayCreate);
    } catch (error) {
      if (!warned) notify("warning", toWarning(error));
      warned = true;
      return { url: "", id: thread.ownId(), isFailed: true };
    }
  };
  return { put };
}

/**
 * Updates our oldest comment that can be edited, and deletes a later one made by this run. Null if
 * there was none; `newer`: a later run has reported, so nothing was written.
 */
async function update(
  thread: Thread,
  {
    stamp,
    render,
    header,
    olderThan = null,
  }: { stamp: Stamp; render: CommentRenderer; header: string; olderThan?: number | null },
): Promise<{ readonly place: CommentPlace; readonly newer: boolean } | null> {
  const found = (await thread.find()).filter((one) => olderThan === null || one.id < olderThan);
  const newer = found.find((one) => one.header !== null && isNewer(one.header, stamp));
  if (newer !== undefined) {
    await thread.withdraw(newer.id);
    return { place: { url: newer.url, id: null }, newer: true };
  }
  for (const { id } of found) {
    const place = await thread.edit(id, render, header);
    if (place === null) continue;
    await thread.withdraw(id);
    return { place, newer: false };
  }
  return null;
}

interface Comment {
  readonly id: number;
  readonly url: string;
  readonly header: CommentHeader | null;
}

/** Our comments on one pull request. */
interface Thread {
  /** Oldest first, over all pages; without those that refused an edit. */
  readonly find: () => Promise<readonly Comment[]>;
  /** Null if the edit is refused: the comment is another bot's, or gone. */
  readonly edit: (
    id: number,
    render: CommentRenderer,
    header: string,
  ) => Promise<CommentPlace | null>;
  readonly create: (render: CommentRenderer, header: string) => Promise<CommentPlace>;
  /** Deletes this run's comment if another one (`kept`) replaces it. */
  readonly withdraw: (kept: number) => Promise<void>;
  /** The comment that this run wrote; null if it wrote none. */
  readonly ownId: () => number | null;
  /** Whether an edit was refused. */
  readonly wasRefused: () => boolean;
}

/** Posts a comment; if the response is lost, checks whether it was accepted before posting again. */
async function postOnce({
  post,
  find,
  clock,
  stamp,
}: {
  readonly post: () => Promise<CommentPlace>;
  readonly find: Thread["find"];
  readonly clock: Clock;
  readonly stamp: Stamp;
}): Promise<CommentPlace> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await post();
    } catch (error) {
      const status = statusOf(error);
      if (tries >= 3 || (status !== null && status < 500)) throw error;
    }
    // No response, or a gateway's: it may have been accepted.
    await clock.sleep(1000 * tries);
    const taken = (await find()).find(
      ({ header: read }) => read?.run === stamp.run && read.attempt === stamp.attempt,
    );
    if (taken !== undefined) return { url: taken.url, id: taken.id };
  }
}

function createThread(
  { api, clock, pullRequest, key }: StickyCommentOptions,
  stamp: Stamp,
): Thread {
  const place = { issue_number: pullRequest };
  /**
   * The comment that this run made or could edit: ours whatever its author is called, even with
   * its header edited away.
   */
  let own: { readonly id: number; readonly made: boolean } | null = null;
  const refused = new Set<number>();

  const find: Thread["find"] = async () => {
    const found: Comment[] = [];
    const route = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments";
    for await (const listed of api.items(route, place)) {
      const comment = toComment(listed, { key, ownId: own?.id ?? null });
      if (comment !== null && !refused.has(comment.id)) found.push(comment);
    }
    return found.sort((a, b) => a.id - b.id);
  };

  const edit: Thread["edit"] = async (id, render, header) => {
    try {
      const edited = await sendFitting(render, header, (body) =>
        api.request("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", {
          comment_id: id,
          body,
        }),
      );
      own ??= { id, made: false };
      return edited;
    } catch (error) {
      if (!isDenied(error, [403, 404, 410])) throw error;
      refused.add(id);
      return null;
    }
  };

  const post = (render: CommentRenderer, header: string): Promise<CommentPlace> =>
    sendFitting(render, header, (body) =>
      api.request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", { ...place, body }),
    );
  const create: Thread["create"] = async (render, header) => {
    const made = await postOnce({ post: () => post(render, header), find, clock, stamp });
    own = made.id === null ? null : { id: made.id, made: true };
    return made;
  };

  const withdraw: Thread["withdraw"] = async (kept) => {
    if (own === null || !own.made || own.id === kept) return;
    const { id } = own;
    own = { id: kept, made: false };
    refused.add(id);
    await api.request("DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", {
      comment_id: id,
    });
  };
  const ownId: Thread["ownId"] = () => own?.id ?? null;
  return { find, edit, create, withdraw, ownId, wasRefused: () => refused.size > 0 };
}

/**
 * Recognises our comment: its first line has the marker with our key, and a bot or app wrote it. A
 * person who pastes the marker does not count.
 */
function toComment(
  one: unknown,
  { key, ownId }: { key: string; ownId: number | null },
): Comment | null {
  const { id, body, user, html_url, performed_via_github_app } = one as {
    id?: unknown;
    body?: unknown;
    user?: { type?: unknown } | null;
    html_url?: unknown;
    performed_via_github_app?: unknown;
  };
  if (typeof id !== "number") return null;
  const header = parseHeader(typeof body === "string" ? body : "");
  const byApp =
    user?.type === "Bot" ||
    (performed_via_github_app !== null && performed_via_github_app !== undefined);
  if (id !== ownId && !(byApp && header?.key === key)) return null;
  return { id, url: typeof html_url === "string" ? html_url : "", header };
}

/** Sends a body; on 422 a shorter one, down to only the verdict. */
async function sendFitting(
  render: CommentRenderer,
  header: string,
  send: (body: string) => Promise<{ readonly data: unknown }>,
): Promise<CommentPlace> {
  for (let share = 1; ; share /= 4) {
    try {
      const { data } = await send(
        render({
          header,
          maxChars: Math.floor(COMMENT_LIMIT.maxChars * share),
          maxBytes: Math.floor(COMMENT_LIMIT.maxBytes * share),
        }),
      );
      const { id, html_url } = data as { id?: unknown; html_url?: unknown };
      return {
        id: typeof id === "number" ? id : null,
        url: typeof html_url === "string" ? html_url : "",
      };
    } catch (error) {
      if (statusOf(error) !== 422 || share < 1 / 16) throw error;
    }
  }
}

function toWarning(error: unknown): string {
  const status = statusOf(error);
  const reason = reasonOf(error);
  if (/lock/i.test(messageOf(error)) && !isRateLimited(error))
    return `The pull request comment was not written: the conversation is locked (${status ?? "no status"}). The report is in the job summary.`;
  if (isDenied(error))
    return `The pull request comment was not written: the token may not (${reason}). Give the job \`permissions: pull-requests: write\`, or set \`comment: never\`. The report is in the job summary.`;
  return `The pull request comment was not written (${reason}). The report is in the job summary.`;
}
