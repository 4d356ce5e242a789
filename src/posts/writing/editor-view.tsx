/** @jsxImportSource #jsx */
import type { FormState } from "../../web/forms/form-state.ts";
import { described, ErrorSummary, Field, FieldError, Select, TextField } from "../../web/forms/forms.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageContext } from "../../web/page.tsx";
import { local, type SafeUrl } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import type { Words } from "../../web/words/en.ts";

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
  { request, words, dates }: PageContext,
  form: FormState,
  state: EditorState,
): View {
  const say = words.blog.write;
  const { key, etag, savedAt, status, scheduledFor } = state;
  const unsaved = status === "new" ? say.notSaved : say.unchanged;
  const isAnswer = request.method === "POST";
  const saved = savedAt === undefined ? unsaved : say.saved(dates.time(savedAt), dates.timeZone);
  return {
    title: form.text("title") || say.writing,
    noIndex: true,
    scripts: ["markdown-toolbar.js", "editor.js", ...(state.mayCite ? (["cite.js"] as const) : [])],
    // Of a stored page, the Back button shows the earlier text. Without one, it could not show the answer to a POST at all;
    // there, `editor.js` reads the page again.
    caching: isAnswer && state.shared === undefined ? "personal" : "private",
    body: (
      <>
        <h1 class="unseen">{say.writing}</h1>
        <autosave-form
          data-key={key}
          data-etag={etag ?? ""}
          data-zone={dates.timeZone}
          data-answer={isAnswer ? "" : undefined}
        >
          <form class="row" method="post" action={local(`/write/${key}`)} enctype="multipart/form-data">
            <p class="margin said">
              <b>
                {status === "scheduled" && scheduledFor !== undefined
                  ? say.isScheduled(dates.dayAndTime(scheduledFor), dates.timeZone)
                  : STATUS(words)[status]}
              </b>{" "}
              <span data-state role="status">
                {saved}
              </span>
            </p>
            <ErrorSummary
              form={form}
              words={words}
              refused={form.text("action") === "publish" ? "publish" : "save"}
              labels={detailLabels(words)}
            />
            <div class="desk">
              {state.shared !== undefined && (
                <div class="notice" role="status">
                  <p>{say.shared}</p>
                  <code class="once">{state.shared}</code>
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
                aria-label={say.titleLabel}
                rows={1}
                dir="auto"
                placeholder={say.titleLabel}
              >
                {`\n${form.text("title")}`}
              </textarea>
              <Tools words={words} mayCite={state.mayCite} />
              <textarea
                class="text"
                id="content"
                name="content"
                aria-label={say.textLabel}
                rows={12}
                dir="auto"
                placeholder={say.textHint}
              >
                {`\n${form.text("content")}`}
              </textarea>
              {state.mayCite && <CiteLink words={words} />}
              <div class="desk-bar">
                <button class="button" name="action" value="publish" type="submit">
                  {status === "published" || status === "scheduled" ? say.update : say.publish}
                </button>
                <button class="button plain" name="action" value="save" type="submit">
                  {say.save}
                </button>
                <button class="button plain" name="action" value="preview" type="submit">
                  {say.preview}
                </button>
                <button class="button plain to-details" type="button" popovertarget="details">
                  {say.details}
                </button>
              </div>
            </div>
            <Details words={words} form={form} state={state} zone={dates.timeZone} until={dates} />
          </form>
        </autosave-form>
      </>
    ),
  };
}

function STATUS(words: Words): Record<EditorState["status"], string> {
  const { isDraft, scheduled, isPublished } = words.blog.write;
  return { new: isDraft, draft: isDraft, scheduled, published: isPublished };
}

/** The labels of the details, whose errors do not name their fields. */
function detailLabels({ blog: { write } }: Words): Record<string, string> {
  return {
    slug: write.address,
    publish_at: write.appears,
    tags: write.tags,
    summary: write.summary,
    kind: write.kind,
    link: write.target,
    language: write.language,
  };
}

function Tools({ words, mayCite }: { readonly words: Words; readonly mayCite: boolean }): Markup {
  const say = words.blog.write;
  const { cite, citeTitle } = words.linkblog.editor;
  return (
    <markdown-toolbar for="content" class="tools" aria-label={say.marks} role="toolbar">
      <md-bold role="button" aria-label={say.bold}>
        <b>B</b>
      </md-bold>
      <md-italic role="button" aria-label={say.italic}>
        <i>I</i>
      </md-italic>
      <md-link role="button">{say.link}</md-link>
      <md-header role="button">{say.heading}</md-header>
      <md-quote role="button">{say.quote}</md-quote>
      <md-unordered-list role="button">{say.list}</md-unordered-list>
      <md-code role="button">{say.code}</md-code>
      {mayCite && (
        <a href={local("/library/cite")} target="_blank" rel="noopener" title={citeTitle}>
          {cite}
        </a>
      )}
    </markdown-toolbar>
  );
}

/** The list that `cite.js` shows at `[[`. */
function CiteLink({ words }: { readonly words: Words }): Markup {
  const { list, none, one, found } = words.linkblog.editor;
  return (
    <cite-link for="content" data-none={none} data-one={one} data-found={found}>
      <div id="cited" role="listbox" aria-label={list} class="cited" hidden />
      <p class="unseen" role="status" />
    </cite-link>
  );
}

function Details({
  words,
  form,
  state,
  zone,
  until,
}: {
  readonly words: Words;
  readonly form: FormState;
  readonly state: EditorState;
  readonly zone: string;
  readonly until: PageContext["dates"];
}): Markup {
  const say = words.blog.write;
  const isPublished = state.status === "published";
  const choices = (["post", "link", "page"] as const).map((value) => ({ value, text: say.kinds[value] }));
  return (
    <div class="aside details" id="details" popover={form.isRefused ? undefined : "auto"}>
      <div class="bar sheet-head">
        <h2>{say.details}</h2>
        <button
          class="link-button far close"
          type="button"
          popovertarget="details"
          popovertargetaction="hide"
        >
          {say.close}
        </button>
      </div>
      {state.url !== undefined && (
        <p>
          <a href={state.url}>{say.view}</a>
        </p>
      )}
      <TextField
        form={form}
        name="slug"
        label={say.address}
        hint={isPublished ? say.addressMoves : say.addressHint}
      />
      {!isPublished && (
        <TextField
          form={form}
          name="publish_at"
          type="datetime-local"
          label={say.appears}
          hint={state.status === "scheduled" ? say.appearsHintScheduled(zone) : say.appearsHint(zone)}
        />
      )}
      <TextField form={form} name="tags" label={say.tags} hint={say.tagsHint} />
      <Field form={form} name="summary" label={say.summary}>
        <textarea id="summary" name="summary" class="says" rows={2}>
          {`\n${form.text("summary")}`}
        </textarea>
      </Field>
      <Select form={form} name="kind" label={say.kind} choices={choices} />
      <TextField form={form} name="link" type="url" label={say.target} />
      <TextField form={form} name="language" label={say.language} hint={say.languageHint} />
      <div class="field">
        <label for="picture">{say.picture}</label>
        <input id="picture" name="picture" type="file" accept="image/jpeg,image/png,image/webp" />
        <button class="button plain" name="action" value="picture" type="submit">
          {say.addPicture}
        </button>
      </div>
      {state.versions > 0 && (
        <p class="quiet">
          <a href={local(`/write/${state.key}/versions`, { post: form.text("post") })}>
            {say.versions(state.versions)}
          </a>
        </p>
      )}
      <p class="bar">
        <button class="link-button" name="action" value="share" type="submit">
          {isPublished ? say.shareChanges : say.share}
        </button>
        {state.sharedUntil !== undefined && (
          <>
            <span class="quiet">{say.sharedUntil(until.shortDay(state.sharedUntil))}</span>
            <button class="link-button" name="action" value="unshare" type="submit">
              {say.unshare}
            </button>
          </>
        )}
      </p>
      <p>
        <button class="link-button alarm" name="action" value="discard" type="submit">
          {state.status === "new" ? say.discardDraft : say.discardChanges}
        </button>
      </p>
    </div>
  );
}
