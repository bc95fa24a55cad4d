import { own, ownString } from "../model/json.ts";
import { COMMENT_LIMIT, type Limit } from "../report/truncation.ts";
import { isNewer, parseHeader, renderHeader, type CommentHeader } from "./comment-header.ts";
import { isByApp, type GithubApi } from "./api.ts";
import type { RunContext } from "../run-context.ts";
import { isRateLimited, messageOf, refusalOf, statusOf } from "./error.ts";

/**
 * Posts or updates one comment per key, in place during a run and by later runs of the pull request;
 * `mayCreate` false: only updates an existing one. Never throws: a refusal becomes one warning.
 * Returns where the comment is, with `id` null if we have none; if it could not be written, what is
 * known of it.
 */
export type StickyComment = (
  render: CommentRenderer,
  open: boolean,
  mayCreate?: boolean,
) => Promise<CommentPlace>;

/** Renders a comment below its header, within limits. */
export type CommentRenderer = (options: { readonly header: string } & Limit) => string;

/** Where a comment is; empty and null if there is none. */
export interface CommentPlace {
  readonly url: string;
  readonly id: number | null;
  /** The comment could not be written. */
  readonly isFailed?: true;
}

/** The place of no comment. */
export const NOWHERE: CommentPlace = { url: "", id: null };

/** What a comment needs to know about its pull request and run. */
export interface StickyCommentOptions {
  readonly api: GithubApi;
  readonly pullRequest: number;
  readonly key: string;
  readonly run: Pick<RunContext, "runId" | "runAttempt" | "headSha">;
  readonly notify: (level: "notice" | "warning", message: string) => void;
}

type Stamp = Pick<CommentHeader, "run" | "attempt">;

interface Thread extends Pick<StickyCommentOptions, "api" | "pullRequest" | "key"> {
  readonly stamp: Stamp;
  /**
   * The comment that this run made or could edit: ours whatever its author is called, even with
   * its header edited away.
   */
  own: { readonly id: number; readonly made: boolean } | null;
  /** Comments that refused an edit, or were deleted. */
  readonly refused: Set<number>;
}

interface Text {
  readonly render: CommentRenderer;
  readonly header: string;
}

/** The comment of one step on one pull request. */
export function createStickyComment(options: StickyCommentOptions): StickyComment {
  const { key, run, notify } = options;
  const stamp: Stamp = { run: run.runId || "0", attempt: run.runAttempt };
  const thread: Thread = { ...options, stamp, own: null, refused: new Set() };
  let [warned, yielded] = [false, false];

  const write = async (
    render: CommentRenderer,
    open: boolean,
    mayCreate: boolean,
  ): Promise<CommentPlace> => {
    const text = { render, header: renderHeader({ v: 1, key, ...stamp, sha: run.headSha, open }) };
    const updated = await update(thread, text);
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
    if (!mayCreate || (open && thread.refused.size > 0)) return NOWHERE;
    const made = await create(thread, text);
    // Another job with the same key may have looked and posted at the same time: the oldest comment stays.
    return (await update(thread, text, made.id))?.place ?? made;
  };

  return async (render, open, mayCreate = true) => {
    try {
      return await write(render, open, mayCreate);
    } catch (error) {
      if (!warned) notify("warning", toWarning(error));
      warned = true;
      return { url: "", id: thread.own?.id ?? null, isFailed: true };
    }
  };
}

/**
 * Updates our oldest comment that can be edited, and deletes a later one made by this run. Null if
 * there was none; `newer`: a later run has reported, so nothing was written.
 */
async function update(
  thread: Thread,
  text: Text,
  olderThan: number | null = null,
): Promise<{ readonly place: CommentPlace; readonly newer: boolean } | null> {
  const found = (await find(thread)).filter((one) => olderThan === null || one.id < olderThan);
  const newer = found.find((one) => one.header !== null && isNewer(one.header, thread.stamp));
  if (newer !== undefined) {
    await withdraw(thread, newer.id);
    return { place: { url: newer.url, id: null }, newer: true };
  }
  for (const { id } of found) {
    const place = await edit(thread, id, text);
    if (place === null) continue;
    await withdraw(thread, id);
    return { place, newer: false };
  }
  return null;
}

type Comment = NonNullable<ReturnType<typeof toComment>>;

/** Oldest first, over all pages; without those that refused an edit. */
async function find(thread: Thread): Promise<readonly Comment[]> {
  const found: Comment[] = [];
  const route = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments";
  for await (const listed of thread.api.items(route, { issue_number: thread.pullRequest })) {
    const comment = toComment(listed, thread);
    if (comment !== null && !thread.refused.has(comment.id)) found.push(comment);
  }
  return found.sort((a, b) => a.id - b.id);
}

/** Null if the edit is refused: the comment is another bot's, or gone. */
async function edit(thread: Thread, id: number, text: Text): Promise<CommentPlace | null> {
  const route = "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}";
  try {
    const edited = await sendFitting(text, (body) =>
      thread.api.request(route, { comment_id: id, body }),
    );
    thread.own ??= { id, made: false };
    return edited;
  } catch (error) {
    if (![403, 404, 410].includes(statusOf(error) ?? 0) || isRateLimited(error)) throw error;
    thread.refused.add(id);
    return null;
  }
}

/** Posts a comment, once also if the response is lost. */
async function create(thread: Thread, text: Text): Promise<CommentPlace> {
  const { api, pullRequest, stamp } = thread;
  const route = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
  const keep = ({ url, id }: CommentPlace): CommentPlace => {
    thread.own = id === null ? null : { id, made: true };
    return { url, id };
  };
  const send = (body: string): Promise<{ readonly data: unknown }> =>
    api.request(route, { issue_number: pullRequest, body });
  const isOfRun = ({ header }: Comment): boolean =>
    header?.run === stamp.run && header.attempt === stamp.attempt;
  return keep(
    await api.createOnce(
      () => sendFitting(text, send),
      async (): Promise<CommentPlace | undefined> => (await find(thread)).find(isOfRun),
    ),
  );
}

/** Deletes this run's comment if another one (`kept`) replaces it. */
async function withdraw(thread: Thread, kept: number): Promise<void> {
  const { api, own, refused } = thread;
  if (own === null || !own.made || own.id === kept) return;
  thread.own = { id: kept, made: false };
  refused.add(own.id);
  await api.request("DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", {
    comment_id: own.id,
  });
}

/**
 * Recognises our comment: its first line has the marker with our key, and a bot or app wrote it. A
 * person who pastes the marker does not count.
 */
function toComment(one: unknown, thread: Thread) {
  const { id, url } = toPlace(one);
  if (id === null) return null;
  const header = parseHeader(ownString(one, "body"));
  if (id !== thread.own?.id && !(isByApp(one) && header?.key === thread.key)) return null;
  return { id, url, header };
}

function toPlace(comment: unknown): CommentPlace {
  const id = own(comment, "id");
  return { id: typeof id === "number" ? id : null, url: ownString(comment, "html_url") ?? "" };
}

/** Sends a body; on 422 a shorter one, down to only the verdict. */
async function sendFitting(
  { render, header }: Text,
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
      return toPlace(data);
    } catch (error) {
      if (statusOf(error) !== 422 || share < 1 / 16) throw error;
    }
  }
}

function toWarning(error: unknown): string {
  if (/lock/i.test(messageOf(error)) && !isRateLimited(error))
    return `The pull request comment was not written: the conversation is locked (${statusOf(error) ?? "no status"}). The report is in the job summary.`;
  const refusal = refusalOf(error, "`permissions: pull-requests: write`, or set `comment: never`");
  return `The pull request comment was not written ${refusal} The report is in the job summary.`;
}
