/** @jsxImportSource #jsx */
import type { FormState } from "../../web/forms/form-state.ts";
import { type Choice, FieldError } from "../../web/forms/forms.tsx";
import type { Children, Markup } from "../../web/jsx/preact.js";
import type { LookTheme } from "../../web/look/look.ts";

/** One of a few things that are chosen by what they look like. The section around it says what it is. */
export function SeenChoices({
  form,
  name,
  label,
  choices,
  seen,
}: {
  readonly form: FormState;
  readonly name: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  /** What is seen of a choice, besides its name. */
  readonly seen?: (value: string) => Markup;
}): Markup {
  const error = form.error(name);
  const chosen = form.text(name);
  return (
    <fieldset
      id={name}
      class={error === undefined ? undefined : "field"}
      tabindex={error === undefined ? undefined : -1}
    >
      <legend class="unseen">{label}</legend>
      <FieldError name={name} error={error} />
      <div class={`seen by-${name}`}>
        {choices.map(({ value, text, hint }) => (
          <label>
            {seen?.(value)}
            <input type="radio" name={name} value={value} checked={value === chosen} />
            <span>
              {text}
              {hint !== undefined && <span class="hint">{hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** What a thumbnail shows of a blog. */
export interface Shown {
  readonly name: string;
  /** The titles of three posts. */
  readonly titles: readonly [string, string, string];
}

/** A front page in a theme, in small; its colors and typefaces come from the sheet of the choices. */
export function Thumbnail({ theme, shown }: { readonly theme: LookTheme; readonly shown: Shown }): Markup {
  return (
    <span class={`thumb of-${theme}`} aria-hidden="true">
      <Drawing theme={theme} shown={shown} />
    </span>
  );
}

function Drawing({ theme, shown: { name, titles } }: Parameters<typeof Thumbnail>[0]): Markup {
  const [first, second, third] = titles;
  if (theme === "journal")
    return (
      <>
        <Line>{name}</Line>
        <span>
          <i class="picture" />
          <span>
            <Line>{first}</Line>
            <i />
            <i />
          </span>
        </span>
        <span>
          <i class="picture" />
          <i class="picture" />
          <i class="picture" />
        </span>
      </>
    );
  if (theme === "column")
    return (
      <>
        <Line>{name}</Line>
        <Line>{first}</Line>
        <i />
        <i />
        <i />
        <i />
        <i />
        <i />
      </>
    );
  if (theme === "index")
    return (
      <>
        <Line>{name}</Line>
        {titles.map((title) => (
          <span>
            <i />
            <Line>{title}</Line>
          </span>
        ))}
      </>
    );
  return (
    <>
      <Line>{name}</Line>
      <span>
        <Line>{first}</Line>
        <i />
        <i />
        <Line>{second}</Line>
        <i />
        <Line>{third}</Line>
      </span>
    </>
  );
}

function Line({ children }: { readonly children: Children }): Markup {
  return <b dir="auto">{children}</b>;
}
