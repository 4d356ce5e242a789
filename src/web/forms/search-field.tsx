/** @jsxImportSource #jsx */
import type { Children, JSX, Markup } from "../jsx/preact.js";

/** The field of a search form, with its button. @param children what stands between them */
export function SearchField({
  q,
  label,
  submit,
  children,
  ...more
}: {
  readonly q: string | undefined;
  readonly label: string;
  readonly submit: string;
  readonly children?: Children;
} & Pick<
  JSX.IntrinsicElements["input"],
  "autocapitalize" | "spellcheck" | "maxlength" | "enterkeyhint" | "autofocus"
>): Markup {
  return (
    <p>
      <input
        type="search"
        name="q"
        value={q}
        aria-label={label}
        placeholder={label}
        autocomplete="off"
        {...more}
      />
      {children}
      <button type="submit">{submit}</button>
    </p>
  );
}
