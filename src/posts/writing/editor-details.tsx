/** @jsxImportSource #jsx */
import type { FormState } from "../../web/forms/form-state.ts";
import { described, Field, Select, TextField } from "../../web/forms/forms.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { PageContext } from "../../web/page.tsx";
import { local } from "../../web/urls.ts";
import type { EditorState } from "./editor-state.ts";

export const IMAGES = "image/jpeg,image/png,image/webp";
/** The fields that most posts leave as they are. */
const RARE = ["kind", "menu", "link", "language"];

/** The context of the details: the form that they are part of, and the state of the editor. */
interface DetailsContext extends Pick<PageContext, "messages" | "dates"> {
  readonly form: FormState;
  readonly state: EditorState;
}

/** The labels of the details, whose errors do not name their fields. */
export function detailLabels({ blog: { write } }: Messages): Record<string, string> {
  return {
    slug: write.address,
    publish_at: write.appears,
    tags: write.tags,
    summary: write.summary,
    kind: write.kind,
    link: write.target,
    language: write.language,
    menu: write.menu,
    picture: write.pictureInText,
    image: write.cover,
  };
}

/** The fields of the details that have errors. */
export function InvalidDetails(context: DetailsContext): Markup | null {
  const { form } = context;
  const invalid = detailFields(context).filter(({ name }) => form.error(name) !== undefined);
  return invalid.length === 0 ? null : <div class="stack invalid">{invalid.map(({ field }) => field)}</div>;
}

/** The details: a sheet that a button opens, beside the text or on a phone above it. */
export function Details(context: DetailsContext): Markup {
  const { messages, dates, form, state } = context;
  const labels = messages.blog.write;
  const isPublished = state.status === "published";
  const fields = detailFields(context).filter(({ name }) => form.error(name) === undefined);
  const isRare = !["", "post"].includes(form.text("kind")) || form.text("language") !== "";
  const rare = fields.filter(({ name }) => RARE.includes(name));
  return (
    <div class="details" id="details" popover="auto">
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
      {fields.filter(({ name }) => !RARE.includes(name)).map(({ field }) => field)}
      {rare.length > 0 && (
        <details open={isRare}>
          <summary>{labels.more}</summary>
          <div class="stack">{rare.map(({ field }) => field)}</div>
        </details>
      )}
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
            <span class="quiet">{labels.sharedUntil(dates.shortDay(state.sharedUntil))}</span>
            <button class="link-button" name="action" value="unshare" type="submit">
              {labels.unshare}
            </button>
          </>
        )}
      </p>
      {(isPublished || state.status === "scheduled") && (
        <p class="bar">
          {!isPublished && (
            <button class="button plain" name="action" value="publish-now" type="submit">
              {labels.publishNow}
            </button>
          )}
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

/** The fields of the details. Those with errors stand above the text, where a phone shows them, too. */
function detailFields({
  messages,
  dates,
  form,
  state: { status, isInMenu },
}: DetailsContext): { readonly name: string; readonly field: Markup }[] {
  const labels = messages.blog.write;
  const isPublished = status === "published";
  const choices = (["post", "link", "page"] as const).map((value) => ({ value, text: labels.kinds[value] }));
  // With JavaScript, the toolbar has a button for this.
  const picture = (
    <Field form={form} name="picture" label={labels.pictureInText}>
      <input {...described(form, "picture")} type="file" accept={IMAGES} />
      <button class="button plain" name="action" value="picture" type="submit">
        {labels.addPicture}
      </button>
    </Field>
  );
  const hint = messages.editor.coverAddress;
  const cover = (
    <Field form={form} name="image" label={labels.cover} hint={hint}>
      <input {...described(form, "image", hint)} type="text" value={form.text("image")} />
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
      hint={{
        new: labels.appearsHint,
        draft: labels.appearsHint,
        scheduled: labels.appearsHintScheduled,
        published: labels.appearsHintPublished,
      }[status](dates.timeZone)}
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
    { name: "publish_at", field: publishAt },
    { name: "summary", field: summary },
    { name: "image", field: cover },
    { name: "kind", field: <Select form={form} name="kind" label={labels.kind} choices={choices} /> },
    {
      name: "menu",
      field: isInMenu ? (
        <p>
          <a href={local("/settings/menu")}>{labels.isInMenu}</a>
        </p>
      ) : (
        <Select form={form} name="menu" label={labels.menu} choices={labels.menuChoices} />
      ),
    },
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
