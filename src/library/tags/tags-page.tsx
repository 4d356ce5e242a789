/** @jsxImportSource #jsx */
import { z } from "zod";
import { changeMany } from "../../bookmarks/bulk/change-many.ts";
import { mayHaveTag, renameTags, retaggedDescription } from "../../bookmarks/tags/change-tags.ts";
import { listTags } from "../../bookmarks/tags/tag-list.ts";
import { invalid } from "../../errors.ts";
import type { Routes } from "../../http/endpoint.ts";
import { makeTagName, tagKey } from "../../tags/tag-name.ts";
import { text } from "../../text.ts";
import { assetUrl } from "../../web/assets.ts";
import { asList, FormState } from "../../web/forms/form-state.ts";
import { ErrorRow } from "../../web/forms/forms.tsx";
import { BOOKMARK_TAGS, TagField } from "../../web/forms/tag-field.tsx";
import type { PageCall, PageContext } from "../../web/page.tsx";
import { Section } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import { withUndoOfLinks } from "../entries/undo-notice.tsx";
import type { LibraryParts } from "../library-parts.ts";
import { SelectionBar } from "../selection-bar.tsx";
import { likelyPairs } from "./likely-pairs.ts";
import { LikelyPairs, RenameForm, TagTable } from "./tags-table.tsx";

const SHOWN_MAX = 1_000;

const TagsQuery = z.object({
  sort: z.enum(["count", "name", "recent"]).optional().catch(undefined),
  once: z.string().optional(),
  rename: z.string().optional(),
});

const TagsForm = z.object({
  action: z.enum(["rename", "merge", "delete"]),
  from: text().default(""),
  to: text().default(""),
  into: text().default(""),
  tag: z.preprocess(asList, z.array(text()).max(1_000)),
});
type TagsForm = z.output<typeof TagsForm>;

/** The tags, and changes of them. */
export function tagsPages(library: LibraryParts): Routes {
  const { pages, writeAccess: access } = library;
  return {
    "/library/tags": {
      GET: pages.page({ access, inSnapshot: true, query: TagsQuery }, (call) => showTags(library, call)),
      POST: pages.page(
        { access, body: TagsForm, again: (refused) => tagsView(refused, {}, refused.form) },
        (call) => changeTags(library, call),
      ),
    },
  };
}

/** `GET /library/tags` */
async function showTags(
  dependencies: Pick<LibraryParts, "database">,
  call: PageCall<undefined, typeof TagsQuery>,
): Promise<View> {
  const { rename = "" } = call.query;
  return withUndoOfLinks(
    dependencies,
    call,
    await tagsView(call, call.query, FormState.of({ from: rename, to: rename })),
  );
}

/** `POST /library/tags`: renames a tag, merges several, or removes them from all bookmarks. */
async function changeTags(
  { database }: LibraryParts,
  { body, caller, client }: PageCall<undefined, undefined, typeof TagsForm>,
) {
  const now = database.clock.now();
  const accountId = caller.account?.id;
  const { undo } =
    body.action === "rename"
      ? await renameTags(database, [nameIn(body.from, "/to")], nameIn(body.to, "/to"), {
          accountId,
          now,
          dryRun: false,
        })
      : await changeTickedTags(database, body, accountId, now);
  return seeOther(local("/library/tags"), {
    scheme: client.scheme,
    notice: undo === null ? { code: "nothing-changed" } : { code: "tags-changed", about: undo },
  });
}

/** Replaces the selected tags in all bookmarks, as one undoable change. */
async function changeTickedTags(
  database: LibraryParts["database"],
  { action, tag, into }: TagsForm,
  accountId: number | undefined,
  now: Date,
) {
  if (tag.length === 0)
    throw invalid([{ pointer: "/into", code: "missing", detail: "Select at least one tag." }]);
  const keys = new Set(tag.map(tagKey));
  const name = into.trim() === "" && keys.size > 1 ? await mostUsed(database, keys) : into;
  const becomes = action === "merge" ? [nameIn(name, "/into")] : [];
  const ids = new Set<number>();
  for (const key of keys) for (const id of await mayHaveTag(database.read, key)) ids.add(id);
  const gone = tag.filter((one) => !becomes.some((name) => tagKey(name) === tagKey(one)));
  const details = { remove_tags: gone, ...(becomes.length > 0 && { add_tags: becomes }) };
  return changeMany(
    database,
    [...ids],
    { kind: "bulk", details, accountId },
    (bookmark) =>
      retaggedDescription(bookmark, (had) => {
        const kept = had.filter((name) => !keys.has(tagKey(name)));
        return kept.length === had.length ? had : [...kept, ...becomes];
      }),
    now,
  );
}

/** The most used of some tags, by their keys; "" when none of them is among the most used ones of all. */
async function mostUsed({ read }: LibraryParts["database"], keys: ReadonlySet<string>): Promise<string> {
  const { tags } = await listTags(read, { sort: "count", limit: SHOWN_MAX });
  return tags.find(({ name }) => keys.has(tagKey(name)))?.name ?? "";
}

function nameIn(typed: string, pointer: string): string {
  const name = makeTagName(typed);
  if (name === null) throw invalid([{ pointer, code: "missing", detail: "Enter the name of the tag." }]);
  return name;
}

/** The action of the refused form. */
function actionOf(form: FormState): TagsForm["action"] {
  return TagsForm.shape.action.catch("rename").parse(form.text("action"));
}

/** The page, also when its form was refused. */
async function tagsView(
  { read, messages, dates }: PageContext,
  { sort = "count", once }: z.output<typeof TagsQuery>,
  form: FormState,
): Promise<View> {
  const labels = messages.library.tagsPage;
  const { tags, total } = await listTags(read, { sort, limit: SHOWN_MAX });
  const usedOnce = tags.filter(({ count }) => count === 1);
  const shown = once === undefined ? tags : usedOnce;
  const renamed = tags.find(({ name }) => tagKey(name) === tagKey(form.text("from")));
  const sorts = { count: labels.byUse, name: labels.byName, recent: labels.recent };
  const shownSorts = total === 0 ? [] : (Object.keys(sorts) as (keyof typeof sorts)[]);
  return {
    title: labels.title,
    scripts: ["selection.js", "tag-field.js"],
    head: <link rel="stylesheet" href={assetUrl("library-more.css")} />,
    body: (
      <>
        <div class="row">
          <div>
            <h1>{labels.title}</h1>
            {total > 0 && <p class="intro">{labels.intro}</p>}
            <p class="tabs">
              <span>{labels.count(total)}</span>
              {shownSorts.map((one) =>
                one === sort && once === undefined ? (
                  <b>{sorts[one]}</b>
                ) : (
                  <a href={local("/library/tags", { sort: one })}>{sorts[one]}</a>
                ),
              )}
              {usedOnce.length > 0 && (
                <a href={local("/library/tags", { once: 1, sort })}>{labels.once(usedOnce.length)}</a>
              )}
            </p>
          </div>
        </div>
        <ErrorRow form={form} messages={messages} refused={actionOf(form)} />
        {renamed && <RenameForm form={form} tag={renamed} messages={messages} />}
        {!renamed && <LikelyPairs pairs={likelyPairs(tags)} messages={messages} />}
        {tags.length === 0 ? (
          <div class="row part">
            <p>{labels.none}</p>
          </div>
        ) : (
          <form method="post" action={local("/library/tags")}>
            <Section title={once === undefined ? labels.all : labels.usedOnce}>
              <TagTable
                tags={shown}
                ticked={form.texts("tag")}
                messages={messages}
                dates={dates}
                sort={sort}
              />
              {tags.length < total && <p class="quiet">{labels.tooMany(tags.length)}</p>}
            </Section>
            <SelectionBar
              messages={messages}
              boxes="tag"
              here={shown.length}
              label={labels.merge}
              isOpen={form.error("into") !== undefined}
            >
              <div class="bar actions">
                <TagField
                  messages={messages}
                  form={form}
                  name="into"
                  label={labels.into}
                  short
                  suggest={BOOKMARK_TAGS}
                  isOne
                />
                <button class="button plain" type="submit" name="action" value="merge">
                  {labels.mergeTicked}
                </button>
                <button class="button plain alarm" type="submit" name="action" value="delete">
                  {labels.deleteTicked}
                </button>
                <span class="hint">
                  {labels.intoHint} {labels.deleteHint}
                </span>
              </div>
            </SelectionBar>
          </form>
        )}
      </>
    ),
  };
}
