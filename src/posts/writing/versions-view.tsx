/** @jsxImportSource #jsx */
import type { Database } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import type { PageContext } from "../../web/page.tsx";
import { Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import type { EditReplace } from "../editing/edit.ts";
import { findEdit, insertEdit, lockEdit, replaceEdit } from "../editing/edit-store.ts";
import { currentVersionNumber, findVersion, listVersions } from "../editing/post-versions.ts";
import { Paging } from "../pages/stream.tsx";
import { findPostOrDraft } from "../post-store.ts";
import { shownTitle } from "../shown-title.ts";
import { LineDiff } from "./line-diff.tsx";

/** The number of versions on a page, newest first. */
const SHOWN = 20;

/** The versions of a post, each compared with the next one. */
export async function versionsView(
  { read, messages, dates }: PageContext,
  key: string,
  { postId, page }: { readonly postId: number; readonly page: number },
): Promise<View> {
  const labels = messages.blog.write;
  const edit = await findEdit(read, key);
  const post = await findPostOrDraft(read, edit?.post ?? postId);
  if (post === undefined) throw nothing();
  // Each is compared with the next one: the first on a page with the last of the page before.
  const isFirst = page === 1;
  const offset = (page - 1) * SHOWN - (isFirst ? 0 : 1);
  const limit = SHOWN + (isFirst ? 1 : 2);
  const found = await listVersions(read, post.id, { limit, offset });
  const newer = isFirst ? post : found.shift();
  const versions = found.slice(0, SHOWN);
  const pageUrl = (number: number) =>
    local(`/write/${key}/versions`, { post: post.id, page: number === 1 ? undefined : number });
  const title = labels.versionsOf(shownTitle(post.title));
  return {
    title,
    noIndex: true,
    body: (
      <>
        <Title text={title}>{versions.length === 0 ? labels.noVersions : undefined}</Title>
        <div class="row part">
          <p>
            <a href={local(`/write/${key}`, { post: edit === undefined ? post.id : undefined })}>
              {labels.backToEditor}
            </a>
          </p>
        </div>
        {versions.map((version, index) => {
          const next = index === 0 ? newer : versions[index - 1];
          return (
            <section class="row part" aria-labelledby={`v${version.number}`}>
              <h2 class="margin" id={`v${version.number}`}>
                {labels.until(dates.dayAndTime(version.replacedAt))}
              </h2>
              <div class="stack">
                <p class="quiet">
                  {index === 0 && isFirst ? labels.comparedWithCurrent : labels.comparedWithNext}
                </p>
                <LineDiff
                  theirs={`${version.title}\n\n${version.content}`}
                  mine={`${next?.title ?? ""}\n\n${next?.content ?? ""}`}
                  names={{ theirs: labels.before, mine: labels.afterwards }}
                  messages={messages}
                />
                <form method="post" action={local(`/write/${key}/versions`)}>
                  <input type="hidden" name="number" value={version.number} />
                  <input type="hidden" name="post" value={post.id} />
                  <button class="button plain" type="submit">
                    {labels.useVersion}
                  </button>
                </form>
              </div>
            </section>
          );
        })}
        <Paging
          messages={messages}
          newer={isFirst ? undefined : pageUrl(page - 1)}
          older={found.length > SHOWN ? pageUrl(page + 1) : undefined}
          names={labels.versionPages}
        />
      </>
    ),
  };
}

/**
 * An earlier text becomes the working copy's; what that held is a working copy of its own.
 * @param start the working copy as it begins, should there be none
 * @returns whether readers still see another text
 */
export async function useVersion(
  database: Database,
  key: string,
  { number, start }: { readonly number: number; readonly start: EditReplace },
  accountId: number | undefined,
): Promise<boolean> {
  return database.write(async (sql) => {
    const edit = await lockEdit(sql, key);
    const post = await findPostOrDraft(sql, edit?.post ?? start.post ?? 0);
    const version = post && (await findVersion(sql, post.id, number));
    if (post === undefined || version === undefined) throw nothing();
    const now = database.clock.now();
    const text = {
      title: version.title,
      content: version.content,
      base_version: await currentVersionNumber(sql, post.id),
    };
    if (edit === undefined) {
      await insertEdit(sql, key, { ...start, ...text }, accountId, now);
      return post.published;
    }
    const isOfPost = edit.title === post.title && edit.content === post.content;
    if (!isOfPost) await insertEdit(sql, crypto.randomUUID(), edit, accountId, now);
    await replaceEdit(sql, edit, { ...edit, ...text }, now);
    return post.published;
  });
}

function nothing(): Refusal {
  return new Refusal("not_found", "Nothing exists at this path.");
}
