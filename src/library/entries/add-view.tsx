/** @jsxImportSource #jsx */

import { suggestTags } from "../../bookmarks/tags/suggest-tags.ts";
import { limits } from "../../limits.ts";
import { tagsOf } from "../../tags/description-tags.ts";
import { assetUrl } from "../../web/assets.ts";
import { BackField } from "../../web/forms/back.tsx";
import type { FormState } from "../../web/forms/form-state.ts";
import { ErrorSummary } from "../../web/forms/forms.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageContext } from "../../web/page.tsx";
import { NoticeBox, Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import type { LibraryParts } from "../library-parts.ts";
import type { LibraryBookmark } from "../library-store.ts";
import { backToLibrary } from "../search/view-url.ts";
import { BookmarkFields, fieldLabels, StateBoxes } from "./bookmark-form.tsx";
import { displayTitle } from "./shown-text.ts";

/** The form, at first and after a refusal. @param kept the bookmark that the page already has */
export async function addView(
  dependencies: LibraryParts,
  { messages, caller, dates, site }: PageContext,
  form: FormState,
  kept?: LibraryBookmark,
): Promise<View> {
  const labels = messages.library.form;
  const isWindow = form.has("window");
  const title = isWindow ? labels.windowTitle : labels.addTitle;
  const canLookUp = dependencies.readPage !== undefined && caller.account !== undefined;
  return {
    title,
    ...(isWindow && { layout: "window", keepsOpener: true, head: <WindowSheet /> }),
    scripts: ["add-form.js", "tag-field.js"],
    body: (
      <>
        <Title text={title} />
        <form class="row part" method="post" action={local("/library/new")}>
          <add-form class="stack" data-look-up={canLookUp ? "1" : undefined}>
            <ErrorSummary form={form} messages={messages} labels={fieldLabels(messages)} />
            <div id="kept">
              {kept && <KeptNotice kept={kept} day={dates.day(kept.createdAt)} messages={messages} />}
            </div>
            <BackField back={form.text("back")} />
            {isWindow && <input type="hidden" name="window" value="1" />}
            <BookmarkFields
              form={form}
              messages={messages}
              suggestions={await suggestTags(dependencies, form.text("url"))}
            />
            <StateBoxes form={form} messages={messages} />
            {/* Shown once the page that has opened the window hands itself over. */}
            {isWindow && caller.account !== undefined && (
              <keep-page data-max={limits().copyBytes} hidden>
                <div class="picks">
                  <label>
                    <input
                      type="checkbox"
                      name="page"
                      value="1"
                      checked={form.has("page") || site.keepCopies === "added"}
                      disabled
                    />{" "}
                    {messages.bringing.keepPage}
                  </label>
                </div>
              </keep-page>
            )}
            <p class="bar">
              <button class="button" type="submit">
                {labels.save}
              </button>
              {/* After the other one, which Enter in a field presses. */}
              {canLookUp && (
                <button class="button plain without-script" type="submit" name="look" value="1">
                  {labels.lookUp}
                </button>
              )}
              {isWindow ? (
                <span class="quiet">{labels.closes}</span>
              ) : (
                <a class="button plain" href={backToLibrary(form.text("back"))}>
                  {labels.cancel}
                </a>
              )}
            </p>
          </add-form>
        </form>
      </>
    ),
  };
}

/** Says that the page is already saved, and offers the choices. */
function KeptNotice({
  kept,
  day,
  messages,
}: {
  readonly kept: LibraryBookmark;
  readonly day: string;
  readonly messages: PageContext["messages"];
}): Markup {
  const labels = messages.library.form.kept;
  return (
    <div class="notice" role="status">
      <h2>{labels.title(day)}</h2>
      <p dir="auto">{labels.text(displayTitle(kept), tagsOf(kept.description))}</p>
      <p class="bar">
        <a class="button plain" href={local(`/library/${kept.id}`)}>
          {labels.open}
        </a>
        <button class="button plain" type="submit" name="choice" value="merge">
          {labels.merge}
        </button>
        <button class="link-button" type="submit" name="choice" value="both">
          {labels.both}
        </button>
      </p>
    </div>
  );
}

function WindowSheet(): Markup {
  return <link rel="stylesheet" href={assetUrl("library-more.css")} />;
}

/**
 * The last view of a small window; the script closes it.
 * @param unkept the id of a link whose page was to be kept, and was not: then it stays open
 */
export function savedView({ messages }: PageContext, unkept?: number): View {
  const labels = messages.library.form;
  return {
    title: labels.windowTitle,
    layout: "window",
    keepsOpener: true,
    head: <WindowSheet />,
    scripts: ["add-form.js"],
    body:
      unkept === undefined ? (
        <close-window>
          <h1 class="unseen">{labels.windowTitle}</h1>
          <NoticeBox>{labels.saved}</NoticeBox>
        </close-window>
      ) : (
        <>
          <h1 class="unseen">{labels.windowTitle}</h1>
          <NoticeBox>
            {messages.bringing.unkept}{" "}
            <a href={local(`/library/${unkept}`)}>{messages.library.form.kept.open}</a>
          </NoticeBox>
        </>
      ),
  };
}
