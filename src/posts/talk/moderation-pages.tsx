/** @jsxImportSource #jsx */
import { z } from "zod";
import type { Scope } from "../../accounts/scope.ts";
import type { Database, Sql } from "../../database/database.ts";
import type { Access } from "../../http/access.ts";
import { asList } from "../../web/forms/form-state.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageContext, Pages } from "../../web/page.tsx";
import { Title } from "../../web/parts.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import type { NoticeCode } from "../../web/words/en.ts";
import { deleteComment, findComment, setCommentStatus } from "../comments/comment-store.ts";
import { CommentText } from "../pages/comment-list.tsx";
import { postUrl } from "../pages/site-links.ts";
import { lockPost, touchPost } from "../post-store.ts";
import { commentFeedPages } from "./comment-feed-page.tsx";
import { listWaiting, type WaitingComment } from "./waiting-comments.ts";

/** Comments on the page, longest waiting first. */
const SHOWN = 50;
const access: Access = { scope: "comments:moderate" satisfies Scope, anonymous: false };

const id = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
const Decision = z.enum(["show", "reject", "remove"]);
type Decision = z.output<typeof Decision>;

/** One comment by its own button, or all that are selected. */
const ModerationForm = z.object({
  show: id.optional(),
  reject: id.optional(),
  remove: id.optional(),
  all: z.enum([...Decision.options, "ask"]).optional(),
  /** Asks whether to remove it. */
  ask: id.optional(),
  id: z.preprocess(asList, z.array(id).max(SHOWN)),
});

/** The notices about decisions: about one comment, and about several. */
const NOTICES = {
  show: ["comment-approved", "comments-approved"],
  reject: ["comment-rejected", "comments-rejected"],
  remove: ["comment-removed", "comments-removed"],
} as const satisfies Record<Decision, readonly [NoticeCode, NoticeCode]>;

export interface ModerationPagesParts {
  readonly pages: Pages;
  readonly database: Database;
}

/** `/moderation`: comments that wait, with the reasons, and the decision about one or several. */
export function moderationPages({ pages, database }: ModerationPagesParts) {
  const list = pages.page({ access }, (call) => view(database, call));

  const decide = pages.page({ access, body: ModerationForm }, async (call) => {
    const { body, client } = call;
    if (body.ask !== undefined) return view(database, call, [body.ask]);
    if (body.all === "ask") return view(database, call, body.id);
    let code: NoticeCode = "nothing-changed";
    const decideAll = async (ids: readonly number[], decision: Decision) => {
      await decideAbout(database, ids, decision);
      if (ids.length > 0) code = NOTICES[decision][ids.length === 1 ? 0 : 1];
    };
    for (const decision of Decision.options) {
      const one = body[decision];
      if (one !== undefined) await decideAll([one], decision);
    }
    if (body.all !== undefined) await decideAll(body.id, body.all);
    return seeOther(local("/moderation"), { scheme: client.scheme, notice: { code } });
  });

  return { list, decide, feeds: commentFeedPages({ pages, database, access }) };
}

async function decideAbout(database: Database, ids: readonly number[], decision: Decision): Promise<void> {
  // Each in its own transaction: a concurrent decision on one does not stop the others.
  for (const one of ids) await database.write((sql) => decideAboutOne(sql, one, decision));
}

async function decideAboutOne(sql: Sql, id: number, decision: Decision): Promise<void> {
  const found = await findComment(sql, id);
  if (found === undefined) return;
  await lockPost(sql, found.postId);
  const comment = await findComment(sql, id);
  if (comment === undefined) return;
  const status = decision === "show" ? "shown" : "rejected";
  const isChanged =
    decision === "remove" ? await deleteComment(sql, comment) : await setCommentStatus(sql, comment, status);
  if (isChanged && (comment.status === "shown" || decision === "show")) await touchPost(sql, comment.postId);
}

/** @param removing the ids of comments of which the page asks whether to remove them */
async function view(
  { read }: Database,
  context: PageContext,
  removing: readonly number[] = [],
): Promise<View> {
  const { words, dates } = context;
  const say = words.blog.moderation;
  const rows = await listWaiting(read, "oldest", SHOWN);
  const asked = rows.filter((row) => removing.includes(row.id));
  if (asked.length > 0) return removalView(context, asked);
  const days = Map.groupBy(rows, (row) => dates.isoDay(row.createdAt));
  return {
    title: say.title,
    noIndex: true,
    body: (
      <>
        <Title text={say.title}>{rows.length === 0 ? say.nothing : undefined}</Title>
        {rows.length > 0 && (
          <form method="post" action={local("/moderation")}>
            {[...days].map(([day, ofDay]) => (
              <section class="row part" aria-labelledby={`d${day}`}>
                <h2 class="margin" id={`d${day}`}>
                  {dates.day(ofDay[0]?.createdAt ?? new Date(0))}
                </h2>
                <div>
                  <ol class="lines">
                    {ofDay.map((row) => (
                      <Waiting row={row} context={{ words, dates }} />
                    ))}
                  </ol>
                </div>
              </section>
            ))}
            <div class="row part">
              <p class="bar">
                <span class="quiet">{say.selected}</span>
                <button class="button plain" name="all" value="show" type="submit">
                  {say.show}
                </button>
                <button class="button plain" name="all" value="reject" type="submit">
                  {say.reject}
                </button>
                <button class="button plain alarm far" name="all" value="ask" type="submit">
                  {say.remove}
                </button>
              </p>
            </div>
          </form>
        )}
        <div class="row part">
          <p>
            <a href={local("/moderation/feeds")}>{say.follow}</a>
          </p>
        </div>
      </>
    ),
  };
}

/** Asks once before comments are removed, since that cannot be undone. */
function removalView(context: PageContext, rows: readonly WaitingComment[]): View {
  const say = context.words.blog.moderation;
  return {
    title: say.removal.title(rows.length),
    noIndex: true,
    body: (
      <>
        <Title text={say.removal.title(rows.length)}>{say.removal.text}</Title>
        <form class="row part" method="post" action={local("/moderation")}>
          <div>
            <ol class="lines">
              {rows.map((row) => (
                <li>
                  <input type="hidden" name="id" value={row.id} />
                  <Comment row={row} context={context} />
                </li>
              ))}
            </ol>
            <p class="bar">
              <button class="button plain alarm" name="all" value="remove" type="submit">
                {say.remove}
              </button>
              <a class="button plain" href={local("/moderation")}>
                {say.removal.cancel}
              </a>
            </p>
          </div>
        </form>
      </>
    ),
  };
}

interface CommentProps {
  readonly row: WaitingComment;
  readonly context: Pick<PageContext, "words" | "dates">;
}

/** A comment with its author, its time and its post. */
function Comment({ row, context: { words, dates } }: CommentProps): Markup {
  const { createdAt, post } = row;
  return (
    <>
      <p class="who">
        <bdi>{row.author}</bdi>{" "}
        <time datetime={createdAt.toISOString()}>
          {dates.time(createdAt)}, {dates.timeZone}
        </time>
      </p>
      <p class="quiet">
        {words.blog.moderation.on}{" "}
        <a href={postUrl(post)} dir="auto">
          {post.title}
        </a>
      </p>
      <CommentText text={row.text} />
    </>
  );
}

function Waiting({ row, context }: CommentProps): Markup {
  const say = context.words.blog.moderation;
  const known: Readonly<Record<string, string>> = say.reasons;
  const reasons = row.reasons.flatMap((code) => known[code] ?? []);
  const { id } = row;
  return (
    <li id={`c${id}`}>
      <Comment row={row} context={context} />
      {reasons.length > 0 && <p class="quiet">{say.because(reasons.join("; "))}</p>}
      <div class="picks">
        <label>
          <input type="checkbox" name="id" value={id} /> {say.select}
          <span class="unseen"> {say.selectOf(row.author)}</span>
        </label>
        {(["show", "reject"] as const).map((decision) => (
          <button class="link-button" name={decision} value={String(id)} type="submit">
            {say[decision]}
            <span class="unseen"> {say.selectOf(row.author)}</span>
          </button>
        ))}
        <button class="link-button alarm far" name="ask" value={String(id)} type="submit">
          {say.remove}
          <span class="unseen"> {say.selectOf(row.author)}</span>
        </button>
      </div>
    </li>
  );
}
