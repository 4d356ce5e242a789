/** @jsxImportSource #jsx */
import type { FormState } from "../../web/forms/form-state.ts";
import { described, ErrorSummary, Field, FieldError, Select, TextField } from "../../web/forms/forms.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { PageContext } from "../../web/page.tsx";
import { ShownOnce } from "../../web/sections.tsx";
import { local, type SafeUrl } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";

/** The state of the editor besides its form. */
export interface EditorState {
  readonly key: string;
  /** The tag of the stored working copy; undefined while nothing is stored. */
  readonly etag: string | undefined;
  readonly savedAt: Date | undefined;
  readonly status: "new" | "draft" | "scheduled" | "published";
  /** When a scheduled post is published. */
  readonly scheduledFor: Date | undefined;
  /** Where the published post is. */
  readonly url: SafeUrl | undefined;
  readonly versions: number;
  /** A new link to the draft, shown once. */
  readonly shared?: string | undefined;
  readonly sharedUntil?: Date | undefined;
  /** Whether bookmarks can be cited. */
  readonly mayCite: boolean;
}

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
  const saved = savedAt === undefined ? unsaved : labels.saved(dates.time(savedAt), dates.timeZone);
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
          data-answer={isResponse ? "" : undefined}
        >
          <form class="row" method="post" action={local(`/write/${key}`)} enctype="multipart/form-data">
            <p class="margin said">
              <b>
                {status === "scheduled" && scheduledFor !== undefined
                  ? labels.isScheduled(dates.dayAndTime(scheduledFor), dates.timeZone)
                  : STATUS(messages)[status]}
              </b>{" "}
              <span data-state role="status">
                {saved}
              </span>
            </p>
            <ErrorSummary
              form={form}
              messages={messages}
              refused={form.text("action") === "publish" ? "publish" : "save"}
              labels={detailLabels(messages)}
            />
            <InvalidDetails messages={messages} form={form} state={state} zone={dates.timeZone} />
            <div class="desk">
              {state.shared !== undefined && (
                <div class="notice" role="status">
                  <p>{labels.shared}</p>
                  <ShownOnce messages={messages} text={state.shared} />
                </div>
              )}
              {["post", "base_version", "version"].map((name) => (
                <input type="hidden" name={name} value={form.text(name)} />
              ))}
              {form.error("content") !== undefined && <input type="hidden" name="asked" value="1" />}
              <FieldError name="title" error={form.error("title")} />
              <textarea
                class="title"
                {...described(form, "title")}
                aria-label={labels.titleLabel}
                rows={1}
                dir="auto"
                placeholder={labels.titleLabel}
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
              <div class="desk-bar">
                <button class="button" name="action" value="publish" type="submit">
                  {status === "published" || status === "scheduled" ? labels.update : labels.publish}
                </button>
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
            <Details messages={messages} form={form} state={state} zone={dates.timeZone} until={dates} />
          </form>
        </autosave-form>
      </>
    ),
  };
}

function STATUS(messages: Messages): Record<EditorState["status"], string> {
  const { isDraft, scheduled, isPublished } = messages.blog.write;
  return { new: isDraft, draft: isDraft, scheduled, published: isPublished };
}

/** The labels of the details, whose errors do not name their fields. */
function detailLabels({ blog: { write } }: Messages): Record<string, string> {
  return {
    slug: write.address,
    publish_at: write.appears,
    tags: write.tags,
    summary: write.summary,
    kind: write.kind,
    link: write.target,
    language: write.language,
    picture: write.picture,
  };
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
        <a href={local("/library/cite")} target="_blank" rel="noopener" title={citeTitle}>
          {cite}
        </a>
      )}
    </markdown-toolbar>
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

/** The fields of the details that have errors. */
function InvalidDetails({
  messages,
  form,
  state,
  zone,
}: {
  readonly messages: Messages;
  readonly form: FormState;
  readonly state: EditorState;
  readonly zone: string;
}): Markup | null {
  const invalid = detailFields(messages, form, state, zone).filter(
    ({ name }) => form.error(name) !== undefined,
  );
  return invalid.length === 0 ? null : <div class="stack invalid">{invalid.map(({ field }) => field)}</div>;
}

/** The fields of the details. Those with errors stand above the text, where a phone shows them, too. */
function detailFields(
  messages: Messages,
  form: FormState,
  { status }: EditorState,
  zone: string,
): { readonly name: string; readonly field: Markup }[] {
  const labels = messages.blog.write;
  const isPublished = status === "published";
  const choices = (["post", "link", "page"] as const).map((value) => ({ value, text: labels.kinds[value] }));
  const picture = (
    <Field form={form} name="picture" label={labels.picture}>
      <input {...described(form, "picture")} type="file" accept="image/jpeg,image/png,image/webp" />
      <button class="button plain" name="action" value="picture" type="submit">
        {labels.addPicture}
      </button>
    </Field>
  );
  const slug = (
    <TextField
      form={form}
      name="slug"
      label={labels.address}
      hint={isPublished ? labels.addressMoves : labels.addressHint}
    />
  );
  const publishAt = (
    <TextField
      form={form}
      name="publish_at"
      type="datetime-local"
      label={labels.appears}
      hint={status === "scheduled" ? labels.appearsHintScheduled(zone) : labels.appearsHint(zone)}
    />
  );
  const summary = (
    <Field form={form} name="summary" label={labels.summary}>
      <textarea {...described(form, "summary")} class="says" rows={2}>
        {`\n${form.text("summary")}`}
      </textarea>
    </Field>
  );
  return [
    { name: "picture", field: picture },
    { name: "slug", field: slug },
    ...(isPublished ? [] : [{ name: "publish_at", field: publishAt }]),
    { name: "tags", field: <TextField form={form} name="tags" label={labels.tags} hint={labels.tagsHint} /> },
    { name: "summary", field: summary },
    { name: "kind", field: <Select form={form} name="kind" label={labels.kind} choices={choices} /> },
    {
      name: "link",
      field: <TextField form={form} name="link" type="url" label={labels.target} hint={labels.targetHint} />,
    },
    {
      name: "language",
      field: <TextField form={form} name="language" label={labels.language} hint={labels.languageHint} />,
    },
  ];
}

function Details({
  messages,
  form,
  state,
  zone,
  until,
}: {
  readonly messages: Messages;
  readonly form: FormState;
  readonly state: EditorState;
  readonly zone: string;
  readonly until: PageContext["dates"];
}): Markup {
  const labels = messages.blog.write;
  const isPublished = state.status === "published";
  return (
    <div class="aside details" id="details" popover="auto">
      <div class="bar sheet-head">
        <h2>{labels.details}</h2>
        <button
          class="link-button far close"
          type="button"
          popovertarget="details"
          popovertargetaction="hide"
        >
          {labels.close}
        </button>
      </div>
      {state.url !== undefined && (
        <p>
          <a href={state.url}>{labels.view}</a>
        </p>
      )}
      {detailFields(messages, form, state, zone)
        .filter(({ name }) => form.error(name) === undefined)
        .map(({ field }) => field)}
      {state.versions > 0 && (
        <p>
          <a href={local(`/write/${state.key}/versions`, { post: form.text("post") })}>
            {labels.versions(state.versions)}
          </a>
        </p>
      )}
      <p class="bar">
        <button class="link-button" name="action" value="share" type="submit">
          {isPublished ? labels.shareChanges : labels.share}
        </button>
        {state.sharedUntil !== undefined && (
          <>
            <span class="quiet">{labels.sharedUntil(until.shortDay(state.sharedUntil))}</span>
            <button class="link-button" name="action" value="unshare" type="submit">
              {labels.unshare}
            </button>
          </>
        )}
      </p>
      {(isPublished || state.status === "scheduled") && (
        <p>
          <button class="button plain" name="action" value="unpublish" type="submit">
            {isPublished ? labels.unpublish : labels.unschedule}
          </button>
        </p>
      )}
      <p class="bar">
        <button
          class={state.status === "new" ? "link-button alarm" : "link-button alarm if-saved"}
          name="action"
          value="discard"
          type="submit"
        >
          {state.status === "new" ? labels.discardDraft : labels.discardChanges}
        </button>
        {(state.status === "draft" || state.status === "scheduled") && (
          <button class="link-button alarm" name="action" value="delete" type="submit">
            {labels.deleteDraft}
          </button>
        )}
      </p>
    </div>
  );
}
