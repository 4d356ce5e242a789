/** @jsxImportSource #jsx */

import type { Attributes, Elements } from "../jsx/elements.ts";
import type { Children, Markup } from "../jsx/preact.js";
import type { Messages } from "../messages/en.ts";
import { fragment } from "../urls.ts";
import type { FormState } from "./form-state.ts";
import { asLine } from "./untouched.ts";

export interface FieldProps {
  readonly form: FormState;
  /** The name of the field and of the body's member; also its id. */
  readonly name: string;
  readonly label: string;
  readonly hint?: Children;
}

type Own<Tag extends "input" | "textarea" | "select"> = Omit<
  Attributes<Elements[Tag]>,
  "id" | "name" | "form" | "value" | "children" | "class" | `aria-${string}`
>;

interface SummaryProps {
  readonly form: FormState;
  readonly messages: Messages;
  /** Labels by field name; the error of a field without one says itself what it is about. */
  readonly labels?: Readonly<Record<string, string>>;
  /** What did not happen; saving by default. */
  readonly refused?: keyof Messages["problems"];
  /** Whether each line of a field's text is an error of its own. */
  readonly byLine?: boolean;
  readonly children?: Children;
}

/** The errors of a form, each linked to its field. Comes first in the form. */
export function ErrorSummary({
  form,
  messages,
  labels = {},
  refused = "save",
  byLine = false,
  children,
}: SummaryProps): Markup | null {
  if (!form.isRefused) return null;
  const errors = [...form.errors].flatMap(([name, detail]) =>
    (byLine ? detail.split("\n") : [detail]).map((one) => [name, one] as const),
  );
  return (
    // Has the focus, so that the next key leads to the first error, and a magnified view shows it.
    <div class="notice alarm" role="alert" tabindex={-1} autofocus>
      <h2>{errors.length > 0 ? messages.problems[refused](errors.length) : form.detail}</h2>
      {errors.length > 0 && form.detail !== undefined && <p>{form.detail}</p>}
      {errors.length > 0 && (
        <ul>
          {errors.map(([name, detail]) => (
            <li>
              <a href={fragment(name)}>
                {Object.hasOwn(labels, name) ? messages.fieldError(labels[name] ?? "", detail) : detail}
              </a>
            </li>
          ))}
        </ul>
      )}
      {children}
    </div>
  );
}

/** The error summary of a form with parts, in a row of its own. */
export function ErrorRow(props: SummaryProps): Markup | null {
  if (!props.form.isRefused) return null;
  return (
    <div class="row part">
      <ErrorSummary {...props} />
    </div>
  );
}

/** One line of text. */
export function TextField({
  form,
  name,
  label,
  hint,
  type = "text",
  short = false,
  ...own
}: FieldProps & Own<"input"> & { readonly type?: string; readonly short?: boolean }): Markup {
  return (
    <Field form={form} name={name} label={label} hint={hint}>
      <input
        {...own}
        {...described(form, name, hint)}
        type={type}
        value={asLine(form.text(name))}
        class={short ? "short" : undefined}
      />
    </Field>
  );
}

/** Several lines of text. */
export function TextArea({
  form,
  name,
  label,
  hint,
  prose = false,
  ...own
}: FieldProps & Own<"textarea"> & { readonly prose?: boolean }): Markup {
  return (
    <Field form={form} name={name} label={label} hint={hint}>
      <textarea {...own} {...described(form, name, hint)} class={prose ? "says" : undefined}>
        {/* A parser drops one line feed at the beginning. */}
        {`\n${form.text(name)}`}
      </textarea>
    </Field>
  );
}

export interface Choice {
  readonly value: string;
  readonly text: string;
  readonly hint?: string;
}

/** One of many. */
export function Select({
  form,
  name,
  label,
  hint,
  choices,
  short = false,
  ...own
}: FieldProps & Own<"select"> & { readonly choices: readonly Choice[]; readonly short?: boolean }): Markup {
  const chosen = form.text(name);
  return (
    <Field form={form} name={name} label={label} hint={hint}>
      <select {...own} {...described(form, name, hint)} class={short ? "short" : undefined}>
        {choices.map(({ value, text }) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** One of a few, each with an explanation. */
export function RadioGroup({
  form,
  name,
  label,
  hint,
  choices,
}: FieldProps & { readonly choices: readonly Choice[] }): Markup {
  const chosen = form.text(name);
  return (
    <Group form={form} name={name} label={label} hint={hint}>
      {choices.map(({ value, text, hint }) => (
        <label class="choice">
          <input type="radio" name={name} value={value} checked={value === chosen} />
          <span>
            {text}
            {hint !== undefined && <span class="hint">{hint}</span>}
          </span>
        </label>
      ))}
    </Group>
  );
}

/** Any of a few. @param isColumn whether their texts are long: each has a line of its own then */
export function CheckboxGroup({
  form,
  name,
  label,
  hint,
  choices,
  isColumn = false,
}: FieldProps & { readonly choices: readonly Choice[]; readonly isColumn?: boolean }): Markup {
  const chosen = form.texts(name);
  return (
    <Group form={form} name={name} label={label} hint={hint}>
      <div class={isColumn ? "picks column" : "picks"}>
        {choices.map(({ value, text }) => (
          <label>
            <input type="checkbox" name={name} value={value} checked={chosen.includes(value)} /> {text}
          </label>
        ))}
      </div>
    </Group>
  );
}

/** Choices below their common label; the error links to the whole group. */
function Group({ form, name, label, hint, children }: FieldProps & { readonly children?: Children }): Markup {
  const error = form.error(name);
  const isWrong = error !== undefined;
  return (
    <fieldset
      id={name}
      class={isWrong ? "field" : undefined}
      tabindex={isWrong ? -1 : undefined}
      aria-describedby={described(form, name, hint)["aria-describedby"]}
    >
      <legend>{label}</legend>
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      <FieldError name={name} error={error} />
      {children}
    </fieldset>
  );
}

/** A label above a control, with its error between and a hint below. */
export function Field({
  form,
  name,
  label,
  hint,
  children,
}: FieldProps & { readonly children?: Children }): Markup {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <FieldError name={name} error={form.error(name)} />
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** The error of a field, next to it. */
export function FieldError({
  name,
  error,
}: {
  readonly name: string;
  readonly error: string | undefined;
}): Markup | null {
  if (error === undefined) return null;
  return (
    <p class="error" id={`${name}-error`}>
      {error}
    </p>
  );
}

/** The attributes that tie a control to its label, its error and its hint. */
export function described(form: FormState, name: string, hint?: Children) {
  const isWrong = form.error(name) !== undefined;
  const ids = [...(isWrong ? [`${name}-error`] : []), ...(hint === undefined ? [] : [`${name}-hint`])];
  return {
    id: name,
    name,
    "aria-describedby": ids.length > 0 ? ids.join(" ") : undefined,
    "aria-invalid": isWrong ? ("true" as const) : undefined,
  };
}
