/** @jsxImportSource #jsx */

import { minutesToRead } from "../../text.ts";
import { assetUrl } from "../../web/assets.ts";
import type { FormState } from "../../web/forms/form-state.ts";
import { described, ErrorSummary, FieldError } from "../../web/forms/forms.tsx";
import { POST_TAGS, TagField } from "../../web/forms/tag-field.tsx";
import { Icon } from "../../web/icon.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { PageContext } from "../../web/page.tsx";
import { ShownOnce } from "../../web/sections.tsx";
import { anyUrl, local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { PREVIEW_DAYS } from "../editing/preview-links.ts";
import { wordsIn } from "./count-words.ts";
import { Details, detailLabels, IMAGES, InvalidDetails } from "./editor-details.tsx";
import { UNDESCRIBED } from "./editor-form.ts";
import type { EditorState } from "./editor-state.ts";
import { KeptTexts } from "./kept-texts.tsx";
import { PictureSheet, PictureStrip } from "./pictures.tsx";

/** The editor: a form that works without JavaScript. `editor.js` saves it during typing. */
export function editorView(
  { request, messages, dates }: PageContext,
  form: FormState,
  state: EditorState,
): View {
  const labels = messages.blog.write;
  const { key, etag, savedAt, status, scheduledFor } = state;
  const unsaved = status === "new" ? labels.notSaved : labels.unchanged;
  const isResponse = request.method === "POST";
  const publish = publishLabel({ messages, dates, date: form.text("publish_at"), status });
  const savedLabel = status === "published" ? labels.savedOnly : labels.saved;
  const stage =
    status === "scheduled" && scheduledFor !== undefined
      ? labels.isScheduled(dates.dayAndTime(scheduledFor), dates.timeZone)
      : STATUS(messages)[status];
  const saved = savedAt === undefined ? unsaved : savedLabel(dates.time(savedAt));
  return {
    title: form.text("title") || labels.writing,
    noIndex: true,
    layout: "window",
    head: <link rel="stylesheet" href={assetUrl("editor.css")} />,
    scripts: [
      ...(["markdown-toolbar.js", "editor.js"] as const),
      ...(state.shared !== undefined ? (["copy.js"] as const) : []),
    ],
    // If the browser stored the page, its Back button shows the earlier text. Without one, it could not show the response to a POST at all;
    // there, `editor.js` reads the page again.
    caching: isResponse && state.shared === undefined ? "personal" : "private",
    body: (
      <>
        <h1 class="unseen">{labels.writing}</h1>
        <autosave-form
          data-key={key}
          data-etag={etag ?? ""}
          data-zone={dates.timeZone}
          data-saved={savedLabel("{}")}
          data-answer={isResponse ? "" : undefined}
        >
          <form class="writing" method="post" action={local(`/write/${key}`)} enctype="multipart/form-data">
            <DeskBar
              messages={messages}
              form={form}
              status={status}
              publish={publish}
              stage={form.text("kind") === "page" ? labels.ofPage(stage) : stage}
              saved={saved}
            />
            {status === "new" && <KeptTexts messages={messages} timeZone={dates.timeZone} but={key} />}
            {form.text("post") !== "" && <OtherDraft messages={messages} dates={dates} other={state.other} />}
            <Refused messages={messages} form={form} publish={publish} />
            <InvalidDetails messages={messages} dates={dates} form={form} state={state} />
            <div class="desk">
              {state.shared !== undefined && (
                <div class="notice" role="status">
                  <p>{labels.shared(PREVIEW_DAYS)}</p>
                  <ShownOnce messages={messages} text={state.shared} />
                </div>
              )}
              {["post", "base_version", "version"].map((name) => (
                <input type="hidden" name={name} value={form.text(name)} />
              ))}
              <Cover messages={messages} form={form} />
              <FieldError name="title" error={form.error("title")} />
              <textarea
                class="title"
                {...described(form, "title")}
                aria-label={labels.titleLabel}
                rows={1}
                dir="auto"
                enterkeyhint="next"
                placeholder={labels.titleLabel}
                autofocus={!form.isRefused}
              >
                {`\n${form.text("title")}`}
              </textarea>
              <Tags messages={messages} form={form} />
              <Tools messages={messages} mayCite={state.mayCite} />
              <textarea
                class="text"
                id="content"
                name="content"
                aria-label={labels.textLabel}
                rows={12}
                dir="auto"
                placeholder={labels.textHint}
              >
                {`\n${form.text("content")}`}
              </textarea>
              {state.mayCite && <CiteLink messages={messages} />}
              <InsertMenu messages={messages} mayCite={state.mayCite} />
              <PictureStrip messages={messages} />
              <TextFoot messages={messages} text={form.text("content")} />
            </div>
            <Details messages={messages} dates={dates} form={form} state={state} />
          </form>
          <PictureSheet messages={messages} />
        </autosave-form>
      </>
    ),
  };
}

/** Leads to another draft of the post; `editor.js` reads it again, since another tab may begin one. */
function OtherDraft({
  messages,
  dates,
  other,
}: Pick<PageContext, "messages" | "dates"> & Pick<EditorState, "other">): Markup {
  const { otherDraft, openOther } = messages.blog.write;
  return (
    <div role="status" data-other>
      {other !== undefined && (
        <p class="notice">
          <span>
            {otherDraft(dates.dayAndTime(other.updatedAt))}{" "}
            <a href={local(`/write/${other.key}`)}>{openOther}</a>
          </span>
        </p>
      )}
    </div>
  );
}

/** The way back, the state of the text, and what to do with it. The first button is what Enter in a field presses. */
function DeskBar({
  messages,
  form,
  status,
  publish,
  stage,
  saved,
}: Pick<PageContext, "messages"> & {
  readonly form: FormState;
  readonly status: EditorState["status"];
  readonly publish: string;
  readonly stage: string;
  readonly saved: string;
}): Markup {
  const labels = messages.blog.write;
  return (
    <div class="desk-bar">
      <a class="back" href={local("/write")}>
        <Icon name="arrow-left" />
        <span>{messages.editor.back}</span>
      </a>
      <div class="stand">
        <p class="said">
          <b class={status}>{stage}</b>{" "}
          <span data-state role="status">
            {saved}
          </span>{" "}
          <span data-act />
        </p>
        <button class="link-button" name="action" value="save" type="submit">
          {labels.save}
        </button>
        <Counted messages={messages} text={form.text("content")} />
      </div>
      <button class="button plain" name="action" value="preview" type="submit">
        <Icon name="view" /> <span>{labels.preview}</span>
      </button>
      <button class="button plain to-details" type="button" popovertarget="details">
        <Icon name="settings" /> <span>{labels.details}</span>
      </button>
      <PublishButton messages={messages} label={publish} status={status} />
      <p class="error" data-unsent role="alert" />
    </div>
  );
}

/** The words of the text, and the minutes that they take. `writing-help.js` counts them anew. */
function Counted({ messages, text }: Pick<PageContext, "messages"> & { readonly text: string }): Markup {
  const { one, many, minutes } = messages.editor.counted;
  const words = wordsIn(text);
  return (
    <span class="counted" data-one={one} data-many={many} data-minutes={minutes}>
      {words === 1 ? one : many.replace("{}", words.toLocaleString("en"))}
      {words > 0 && ` · ${minutes.replace("{}", String(minutesToRead(words)))}`}
    </span>
  );
}

/** The cover, which is chosen and removed in its place. `pictures.js` shows another one. */
function Cover({ messages, form }: Pick<PageContext, "messages"> & { readonly form: FormState }): Markup {
  const labels = messages.blog.write;
  const { addCover, changeCover, remove } = messages.editor;
  const image = form.text("image");
  return (
    <div class={image === "" ? "cover bare" : "cover"}>
      <div class="tile">{image.startsWith("/media/") && <img src={anyUrl(image)} alt="" />}</div>
      <div class="cover-acts">
        <details>
          <summary>
            <Icon name="picture" /> <span class="add">{addCover}</span>
            <span class="change">{changeCover}</span>
          </summary>
          <div class="stack">
            <input type="file" name="cover" aria-label={labels.coverFile} accept={IMAGES} />
            <button class="button plain" name="action" value="cover" type="submit">
              {labels.addCover}
            </button>
          </div>
        </details>
        <button name="action" value="remove-cover" type="submit" aria-label={labels.removeCover}>
          {remove}
        </button>
      </div>
    </div>
  );
}

/** The tags, below the title. `writing-help.js` shows them apart while none is typed. */
function Tags({ messages, form }: Pick<PageContext, "messages"> & { readonly form: FormState }): Markup {
  const labels = messages.blog.write;
  return (
    <div class="tagging" data-add={messages.editor.addTag}>
      <TagField
        messages={messages}
        form={form}
        name="tags"
        label={labels.tags}
        hint={labels.tagsHint}
        suggest={POST_TAGS}
      />
    </div>
  );
}

/** What pressing the button does, which depends on the date. */
function publishLabel({
  messages,
  dates,
  date,
  status,
}: Pick<PageContext, "messages" | "dates"> &
  Pick<EditorState, "status"> & { readonly date: string }): string {
  const { publish, update, schedule } = messages.blog.write;
  if (status === "published") return update;
  const now = new Date();
  const isLater = date > `${dates.isoDay(now)}T${dates.time(now)}`;
  if (!isLater) return publish;
  return status === "scheduled" ? update : schedule;
}

/** `editor.js` renames it as the date is typed. */
function PublishButton({
  messages,
  label,
  status,
}: Pick<PageContext, "messages"> & Pick<EditorState, "status"> & { readonly label: string }): Markup {
  const { publish, update, schedule } = messages.blog.write;
  const names =
    status === "published"
      ? {}
      : { "data-now": publish, "data-later": status === "scheduled" ? update : schedule };
  return (
    <button class="button" name="action" value="publish" type="submit" {...names}>
      {label}
    </button>
  );
}

/** Why a form was refused. Images without descriptions are no mistake: the author may publish them. */
function Refused({
  messages,
  form,
  publish,
}: Pick<PageContext, "messages"> & { readonly form: FormState; readonly publish: string }): Markup {
  const refused = form.text("action").startsWith("publish") ? "publish" : "save";
  const undescribed = form.error(UNDESCRIBED);
  const { describe, describeHow, anyway } = messages.blog.write.pictures;
  const help = undescribed !== undefined && (
    <>
      <noscript>
        <p>{describeHow}</p>
      </noscript>
      <p class="bar">
        <button class="button" type="button" data-describe hidden>
          {describe}
        </button>
        {form.errors.size === 1 && (
          <button class="button plain" name="action" value="publish-anyway" type="submit">
            {anyway(publish)}
          </button>
        )}
      </p>
    </>
  );
  return undescribed !== undefined && form.errors.size === 1 ? (
    <div class="notice alarm" role="alert" tabindex={-1} autofocus>
      <h2>{undescribed}</h2>
      {help}
    </div>
  ) : (
    <ErrorSummary form={form} messages={messages} refused={refused} labels={detailLabels(messages)}>
      {help}
    </ErrorSummary>
  );
}

function STATUS(messages: Messages): Record<EditorState["status"], string> {
  const { isDraft, scheduled, isPublished } = messages.blog.write;
  return { new: isDraft, draft: isDraft, scheduled, published: isPublished };
}

function Tools({ messages, mayCite }: { readonly messages: Messages; readonly mayCite: boolean }): Markup {
  const labels = messages.blog.write;
  const { cite, citeTitle } = messages.linkblog.editor;
  return (
    <markdown-toolbar for="content" class="tools" aria-label={labels.marks} role="toolbar">
      <md-bold role="button" aria-label={labels.bold} title={labels.bold}>
        <b>B</b>
      </md-bold>
      <md-italic role="button" aria-label={labels.italic} title={labels.italic}>
        <i>I</i>
      </md-italic>
      <md-link role="button" aria-label={labels.link} title={labels.link}>
        <Icon name="link" />
      </md-link>
      <button type="button" data-md-button="" aria-label={labels.picture} title={labels.picture}>
        <Icon name="picture" />
      </button>
      <md-header role="button" aria-label={labels.heading} title={labels.heading}>
        <Icon name="heading" />
      </md-header>
      <md-quote role="button" aria-label={labels.quote} title={labels.quote}>
        <Icon name="quote" />
      </md-quote>
      <md-unordered-list role="button" aria-label={labels.list} title={labels.list}>
        <Icon name="list" />
      </md-unordered-list>
      <md-code role="button" aria-label={labels.code} title={labels.code}>
        <Icon name="code" />
      </md-code>
      {mayCite && (
        <a href={local("/library/cite")} target="_blank" rel="noopener" title={citeTitle} data-md-button="">
          {cite}
        </a>
      )}
    </markdown-toolbar>
  );
}

/** How to format without the toolbar; on a phone, the length of the text, too. */
function TextFoot({ messages, text }: { readonly messages: Messages; readonly text: string }): Markup {
  const { marks, marksHelp } = messages.blog.write;
  return (
    <details class="text-foot">
      <summary>
        {marks} <Counted messages={messages} text={text} />
      </summary>
      <dl class="marks-help">
        {marksHelp.map(([typed = "", made]) => (
          <div>
            <dt>
              <code>{typed}</code>
            </dt>
            <dd>{made}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** The list that `cite.js` shows at `[[`. */
function CiteLink({ messages }: { readonly messages: Messages }): Markup {
  const { list, none, one, found } = messages.linkblog.editor;
  return (
    <cite-link for="content" data-none={none} data-one={one} data-found={found}>
      <div id="cited" role="listbox" aria-label={list} class="cited" hidden />
      <p class="unseen" role="status" />
    </cite-link>
  );
}

const INSERTED = [
  ["picture", "picture"],
  ["table", "table"],
  ["code", "code"],
  ["quote", "quote"],
  ["link", "bookmark"],
] as const;

/** What `insert.js` offers at `/`. */
function InsertMenu({
  messages,
  mayCite,
}: {
  readonly messages: Messages;
  readonly mayCite: boolean;
}): Markup {
  const { names, list, hint, hintWithout, one, found } = messages.editor.insert;
  return (
    <insert-menu
      for="content"
      data-none=""
      data-one={one}
      data-found={found}
      data-hint={mayCite ? hint : hintWithout}
    >
      <div id="inserted" role="listbox" aria-label={list} class="cited" hidden>
        {INSERTED.filter(([name]) => mayCite || name !== "link").map(([name, icon]) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus (`aria-activedescendant`)
          <div role="option" id={`insert-${name}`} data-name={name}>
            <Icon name={icon} /> {names[name]}
          </div>
        ))}
      </div>
      <p class="unseen" role="status" />
      {/* The keyboard has the sign. */}
      <button class="insert-here" type="button" tabindex={-1} aria-label={list} title={list} hidden>
        <Icon name="add" />
      </button>
    </insert-menu>
  );
}
