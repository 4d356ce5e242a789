import { z } from "zod";
import type { Scope } from "../../../accounts/scope.ts";
import type { Database, Sql } from "../../../database/database.ts";
import { invalid, notFound, Refusal } from "../../../errors.ts";
import type { Access, Caller } from "../../../http/access.ts";
import type { Client } from "../../../http/client/client.ts";
import type { Routes } from "../../../http/endpoint.ts";
import { limits } from "../../../limits.ts";
import { COMMENT_MAX } from "../../../records/comment-members.ts";
import { text } from "../../../text.ts";
import { FormNumber } from "../../../web/forms/form-number.ts";
import { asList, FormState } from "../../../web/forms/form-state.ts";
import type { NoticeCode } from "../../../web/messages/en.ts";
import type { PageContext, RefusedForm } from "../../../web/page.tsx";
import { withUndo } from "../../../web/undo-notice.tsx";
import { local } from "../../../web/urls.ts";
import { seeOther, type View } from "../../../web/view.ts";
import type { BlogParts } from "../../blog-parts.ts";
import { removeComments } from "../../removal/remove-comments.ts";
import { findSitePost } from "../../site-posts.ts";
import { addComment } from "../add-comment.ts";
import type { Comment } from "../comment.ts";
import { countCommentsByStatus, findComment } from "../comment-store.ts";
import {
  type CommentPosition,
  findCommentsWithPosts,
  listCommentsWithPosts,
} from "../comments-with-posts.ts";
import { lockComment, moderateComment } from "../moderate-comment.ts";
import { placeOfComment } from "../thread.ts";
import { findWaiting, rejectWaiting, type WaitingMatch } from "../waiting-comments.ts";
import { commentAnswerView } from "./answer-view.tsx";
import {
  commentListView,
  commentRejectionView,
  commentRemovalView,
  LISTED_STATUSES,
  type ListedStatus,
} from "./moderation-view.tsx";

/** Comments on the page. */
const SHOWN = 50;
/** Comments that are shown of those to be rejected. */
const EXAMPLES = 5;
export const MODERATORS: Access = { scope: "comments:moderate" satisfies Scope, anonymous: false };

const Decision = z.enum(["show", "reject", "remove"]);
type Decision = z.output<typeof Decision>;

/** Unknown values count as absent. */
const ListQuery = z.object({
  status: z.enum(LISTED_STATUSES).default("waiting").catch("waiting"),
  before: z.string().optional().catch(undefined),
  /** What the waiting comments contain, and the network from which they came. */
  q: z.string().max(1_000).default("").catch(""),
  from: z.string().max(100).default("").catch(""),
  /** Whether all of them are selected. */
  selected: z.literal("all").optional().catch(undefined),
  /** The comment of a post that is to be answered there. */
  reply: FormNumber.optional().catch(undefined),
});

/** One comment by its own button, or all that are selected. */
const ModerationForm = z.object({
  show: FormNumber.optional(),
  reject: FormNumber.optional(),
  remove: FormNumber.optional(),
  all: z.enum([...Decision.options, "ask"]).optional(),
  /** Asks whether to remove it. */
  ask: FormNumber.optional(),
  /** Asks for an answer to it; the answer itself, with which it is approved. */
  reply: FormNumber.optional(),
  answer: FormNumber.optional(),
  text: text({ max: COMMENT_MAX }).default(""),
  /** Where the answer was begun, if not in a list. */
  in: z.literal("post").optional().catch(undefined),
  id: z.preprocess(asList, z.array(FormNumber).max(SHOWN)),
  /** All waiting comments that match: asks, or rejects them. */
  matching: z.enum(["ask", "reject"]).optional(),
  /** The page that the form is in, if not the list. */
  back: z.literal("/today").optional().catch(undefined),
  /** The list that the form is in. */
  status: ListQuery.shape.status,
  q: ListQuery.shape.q,
  from: ListQuery.shape.from,
});

/** The notices about decisions: about one comment, and about several. */
const NOTICES = {
  show: ["comment-approved", "comments-approved"],
  reject: ["comment-rejected", "comments-rejected"],
  remove: ["comment-removed", "comments-removed"],
} as const satisfies Record<Decision, readonly [NoticeCode, NoticeCode]>;
/** The notices when a comment was not shown, since its post has the maximum number of them. */
const FULL = ["comment-not-approved", "comments-not-approved"] as const satisfies [NoticeCode, NoticeCode];

/** The notices that carry the key of a change. */
const UNDOABLE: readonly NoticeCode[] = [...NOTICES.reject, ...NOTICES.remove];

/** `/moderation`: comments by status, those that wait with the reasons, and the decision about one or several. */
export function moderationPages({ pages, database }: BlogParts): Routes {
  const { commentsPerPost: perPost } = limits();

  const list = pages.page({ access: MODERATORS, inSnapshot: true, query: ListQuery }, async (call) => {
    const [asked] = await findCommentsWithPosts(call.read, call.query.reply ? [call.query.reply] : []);
    if (asked !== undefined) return commentAnswerView(call, asked, FormState.of(), true);
    return withUndo(call, await showList(call, call.query), UNDOABLE);
  });

  const again = async ({ form, ...context }: RefusedForm) => {
    const [row] = await findCommentsWithPosts(database.read, [Number(form.text("answer")) || 0]);
    return row === undefined
      ? showList(context, ListQuery.parse({}))
      : commentAnswerView(context, row, form, form.text("in") === "post");
  };

  const decide = pages.page({ access: MODERATORS, body: ModerationForm, again }, async (call) => {
    const { body, client } = call;
    if (body.reply !== undefined) {
      const [row] = await findCommentsWithPosts(database.read, [body.reply]);
      if (row !== undefined) return commentAnswerView(call, row, FormState.of(), false);
    }
    if (body.answer !== undefined) {
      const { asked, given } = await answer(database, body.answer, {
        text: body.text,
        account: call.caller.account,
        perPost,
      });
      const post = body.in === "post" ? await findSitePost(database.read, given.postId) : undefined;
      // The post shows it.
      if (post !== undefined) return seeOther(await placeOfComment(database.read, post, given));
      const code = asked.status === "shown" ? "comment-replied" : "comment-answered";
      const status = asked.status === "shown" ? "shown" : "waiting";
      const list = body.back === undefined ? searchUrl({ ...body, status }) : local(body.back);
      return seeOther(list, { scheme: client.scheme, notice: { code } });
    }
    const { status } = body;
    if (body.matching !== undefined) return rejectMatching(database, { ...call, client }, body);
    const asked = body.ask !== undefined ? [body.ask] : body.all === "ask" ? body.id : [];
    const removing = await findCommentsWithPosts(database.read, asked);
    if (removing.length > 0) return commentRemovalView(call, removing, status);
    let code: NoticeCode = asked.length === 0 ? "nothing-selected" : "nothing-changed";
    let undo: string | null = null;
    const decideAll = async (ids: readonly number[], decision: Decision) => {
      if (decision === "remove") {
        undo = await removeComments(database, ids, call.caller.account?.id, database.clock.now());
        if (undo !== null) code = NOTICES.remove[ids.length === 1 ? 0 : 1];
        else if (ids.length > 0) code = "nothing-changed";
        return;
      }
      const isFull = await decideAbout(database, ids, decision, perPost);
      if (ids.length > 0) code = (isFull ? FULL : NOTICES[decision])[ids.length === 1 ? 0 : 1];
    };
    for (const decision of Decision.options) {
      const one = body[decision];
      if (one !== undefined) await decideAll([one], decision);
    }
    if (body.all !== undefined && body.all !== "ask") await decideAll(body.id, body.all);
    return seeOther(body.back === undefined ? searchUrl(body) : local(body.back), {
      scheme: client.scheme,
      notice: { code, about: undo ?? undefined },
    });
  });

  return { "/moderation": { GET: list, POST: decide } };
}

/** A list with its next position: waiting comments oldest first, others newest first. */
async function showList(context: PageContext, query: z.output<typeof ListQuery>): Promise<View> {
  const { read } = context;
  const { status, before, selected } = query;
  const isWaiting = status === "waiting";
  if (isWaiting && (query.q !== "" || query.from !== "")) {
    const { ids, count } = await findWaiting(read, matchOf(query), SHOWN);
    return commentListView(context, {
      status,
      rows: await findCommentsWithPosts(read, ids),
      counts: await countCommentsByStatus(read),
      matching: { contains: query.q, sender: query.from, count },
      all: undefined,
      newest: listUrl(status),
      older: undefined,
    });
  }
  const after = isWaiting ? undefined : positionOf(before);
  const found = await listCommentsWithPosts(read, status, isWaiting ? "oldest" : "newest", SHOWN + 1, after);
  const rows = found.slice(0, SHOWN);
  const last = found.length > SHOWN ? rows.at(-1) : undefined;
  return commentListView(context, {
    status,
    rows,
    counts: await countCommentsByStatus(read),
    all: selected === undefined ? listUrl(status, after, "all") : undefined,
    newest: after && listUrl(status),
    // Waiting comments move up when others are moderated.
    older: isWaiting || last === undefined ? undefined : listUrl(status, last),
  });
}

/** Rejects all waiting comments that match, after asking. */
async function rejectMatching(
  database: Database,
  call: PageContext & { readonly client: Client },
  body: z.output<typeof ModerationForm>,
): Promise<View | ReturnType<typeof seeOther>> {
  const match = matchOf(body);
  const found = await findWaiting(database.read, match, EXAMPLES);
  if (body.matching === "ask" && found.count > 0) {
    const examples = await findCommentsWithPosts(database.read, found.ids);
    return commentRejectionView(call, examples, { contains: body.q, sender: body.from, count: found.count });
  }
  const { rejected, undo } =
    body.matching === "reject"
      ? await rejectWaiting(database, match, call.caller.account?.id)
      : { rejected: 0, undo: null };
  const code = rejected === 0 ? "nothing-changed" : NOTICES.reject[rejected === 1 ? 0 : 1];
  return seeOther(searchUrl(body), {
    scheme: call.client.scheme,
    notice: { code, about: undo ?? undefined },
  });
}

function matchOf({ q, from }: { readonly q: string; readonly from: string }): WaitingMatch {
  return { contains: q, sender: from === "" ? undefined : from };
}

/** A list of comments. @param before only those that are older */
function listUrl(status: ListedStatus, before?: CommentPosition, selected?: "all") {
  return local("/moderation", {
    selected,
    status: status === "waiting" ? undefined : status,
    before: before && `${before.createdAt.getTime()}.${before.id}`,
  });
}

/** The list that a form is in, with what was searched for. */
function searchUrl({ status, q, from }: Pick<z.output<typeof ModerationForm>, "status" | "q" | "from">) {
  return local("/moderation", {
    status: status === "waiting" ? undefined : status,
    q: q || undefined,
    from: from || undefined,
  });
}

function positionOf(text: string | undefined): CommentPosition | undefined {
  const [, time, id] = /^(\d{1,14})\.(\d{1,15})$/.exec(text ?? "") ?? [];
  return time === undefined ? undefined : { createdAt: new Date(Number(time)), id: Number(id) };
}

/**
 * Decides about each comment in its own transaction: a concurrent decision on one does not stop the others.
 *
 * @returns whether a post had the maximum number of comments, so that one of them could not be shown
 */
async function decideAbout(
  database: Database,
  ids: readonly number[],
  decision: Exclude<Decision, "remove">,
  perPost: number,
): Promise<boolean> {
  let isFull = false;
  for (const id of ids)
    await database
      .write((sql) => decideAboutOne(sql, id, decision, perPost))
      .catch((error) => {
        if (!(error instanceof Refusal && error.reason === "conflict")) throw error;
        isFull = true;
      });
  return isFull;
}

/**
 * Approves a comment and answers it, both or neither.
 * @returns the comment as it was, and the answer
 * @throws Refusal `invalid` without a text, `conflict` when the post takes no more comments
 */
async function answer(
  database: Database,
  id: number,
  { text, account, perPost }: { text: string; account: Caller["account"]; perPost: number },
): Promise<{ asked: Comment; given: Comment }> {
  if (text.trim() === "") throw invalid([{ pointer: "/text", code: "too_short", detail: "Write a reply." }]);
  return database.write(async (sql) => {
    const asked = await findComment(sql, id);
    if (asked === undefined || account === undefined) throw notFound("Comment", id);
    await decideAboutOne(sql, id, "show", perPost);
    const { postId } = asked;
    const author = account.displayName;
    const answer = { postId, author, text, status: "shown", accountId: account.id, parentId: id } as const;
    return { asked, given: await addComment(sql, answer, { perPost, now: database.clock.now() }) };
  });
}

async function decideAboutOne(
  sql: Sql,
  id: number,
  decision: Exclude<Decision, "remove">,
  perPost: number,
): Promise<void> {
  const comment = await lockComment(sql, id);
  if (comment === undefined) return;
  return moderateComment(sql, comment, { status: decision === "show" ? "shown" : "rejected", perPost });
}
