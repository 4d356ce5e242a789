/** @jsxImportSource #jsx */
import type { Markup } from "../../web/jsx/preact.js";
import type { PageContext } from "../../web/page.tsx";
import { COLOR_SCHEMES, READING_LOOK, type SiteSettings } from "../../web/site/site-settings.ts";
import { local } from "../../web/urls.ts";

/** The classes of `<main>` by which `reading.css` sets the text. */
export function lookClasses({
  readingSize,
  readingWidth,
  readingFace,
}: Pick<SiteSettings, "readingSize" | "readingWidth" | "readingFace">): string {
  return `room size-${readingSize} width-${readingWidth} face-${readingFace}`;
}

/** The four controls of the text. */
export function LookForm({
  context: { messages, site, caller },
  bookmarkId,
}: {
  readonly context: Pick<PageContext, "messages" | "site" | "caller">;
  readonly bookmarkId: number;
}): Markup {
  const labels = messages.reading.look;
  return (
    <details class="look">
      <summary>{labels.title}</summary>
      <form
        class="stack"
        method="post"
        action={local(`/library/${bookmarkId}/read/look`)}
        data-look={labels.notSaved}
      >
        <Choices
          name="size"
          label={labels.size}
          texts={labels.sizes}
          values={READING_LOOK.size}
          chosen={site.readingSize}
        />
        <Choices
          name="width"
          label={labels.width}
          texts={labels.widths}
          values={READING_LOOK.width}
          chosen={site.readingWidth}
        />
        <Choices
          name="face"
          label={labels.face}
          texts={labels.faces}
          values={READING_LOOK.face}
          chosen={site.readingFace}
        />
        {/* The theme of all pages, which accounts alone have. */}
        {caller.account !== undefined && (
          <Choices
            name="theme"
            label={labels.theme}
            texts={labels.themes}
            values={COLOR_SCHEMES.options}
            chosen={site.screenTheme ?? site.theme}
          />
        )}
        <button class="button plain without-script" type="submit">
          {labels.save}
        </button>
        <p class="error" role="status" />
      </form>
    </details>
  );
}

function Choices<V extends string>({
  name,
  label,
  texts,
  values,
  chosen,
}: {
  readonly name: string;
  readonly label: string;
  readonly texts: Readonly<Record<V, string>>;
  readonly values: readonly V[];
  readonly chosen: V;
}): Markup {
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <div class="picks">
        {values.map((value) => (
          <label>
            <input type="radio" name={name} value={value} checked={value === chosen} /> {texts[value]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
