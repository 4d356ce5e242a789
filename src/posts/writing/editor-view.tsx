/** @jsxImportSource #jsx */

import type { FormState } from "../../web/forms/form-state.ts";
import { described, ErrorSummary, FieldError } from "../../web/forms/forms.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { PageContext } from "../../web/page.tsx";
import { ShownOnce } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { PREVIEW_DAYS } from "../editing/preview-links.ts";
import { Details, detailLabels, InvalidDetails } from "./editor-details.tsx";
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
  const saved = savedAt === undefined ? unsaved : savedLabel(`${dates.time(savedAt)} ${dates.timeZone}`);
  return {
    title: form.text("title") || labels.writing,
    noIndex: true,
    scripts: [
      ...(["markdown-toolbar.js", "editor.js"] as const),
      ...(state.mayCite ? (["cite.js"] as const) : []),
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
          <form class="row" method="post" action={local(`/write/${key}`)} enctype="multipart/form-data">
            <p class="margin said at-desk">
              <b>{form.text("kind") === "page" ? labels.ofPage(stage) : stage}</b>{" "}
              <span data-state role="status">
                {saved}
              </span>{" "}
              <span data-act />
            </p>
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
              <PictureStrip messages={messages} />
              <TextFoot messages={messages} />
              <div class="desk-bar">
                <p class="error" data-unsent role="alert" />
                <PublishButton messages={messages} label={publish} status={status} />
                <button class="button plain" name="action" value="save" type="submit">
                  {labels.save}
                </button>
                <button class="button plain" name="action" value="preview" type="submit">
                  {labels.preview}
                </button>
                <button class="button plain to-details" type="button" popovertarget="details">
                  {labels.details}
                </button>
              </div>
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
            {otherDraft(`${dates.dayAndTime(other.updatedAt)} ${dates.timeZone}`)}{" "}
            <a href={local(`/write/${other.key}`)}>{openOther}</a>
          </span>
        </p>
      )}
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
    <markdown-toolbar
      for="content"
      class="tools"
      aria-label={labels.marks}
      role="toolbar"
      data-picture={labels.picture}
    >
      <md-bold role="button" aria-label={labels.bold}>
        <b>B</b>
      </md-bold>
      <md-italic role="button" aria-label={labels.italic}>
        <i>I</i>
      </md-italic>
      <md-link role="button">{labels.link}</md-link>
      <md-header role="button">{labels.heading}</md-header>
      <md-quote role="button">{labels.quote}</md-quote>
      <md-unordered-list role="button">{labels.list}</md-unordered-list>
      <md-code role="button">{labels.code}</md-code>
      {mayCite && (
        <a href={local("/library/cite")} target="_blank" rel="noopener" title={citeTitle} data-md-button="">
          {cite}
        </a>
      )}
    </markdown-toolbar>
  );
}

/** The number of words, and how to format without the toolbar. */
function TextFoot({ messages }: { readonly messages: Messages }): Markup {
  const { words, marks, marksHelp } = messages.blog.write;
  return (
    <details class="text-foot">
      <summary>
        {marks} <span class="quiet" data-words data-one={words.one} data-many={words.many} />
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
