import type { ValidationError } from "../../errors.ts";
import type { FormFields, FormValue } from "../../http/body/body-decoders.ts";

/** The state of a form: the typed or stored values, and the errors. */
export class FormState {
  readonly #values: FormFields;
  readonly #errors: ReadonlyMap<string, string>;
  /** The message of the refusal, if it belongs to no field. */
  readonly detail: string | undefined;

  private constructor(values: FormFields, errors: ReadonlyMap<string, string>, detail: string | undefined) {
    this.#values = values;
    this.#errors = errors;
    this.detail = detail;
  }

  /** The initial state of a form. */
  static of(values: FormFields = {}): FormState {
    return new FormState(values, new Map(), undefined);
  }

  /** A refused form with the typed values. */
  static refused(typed: FormFields, detail: string, errors: readonly ValidationError[]): FormState {
    const byField = new Map<string, string>();
    for (const error of errors) {
      const field = fieldOf(error);
      if (!byField.has(field)) byField.set(field, error.detail);
    }
    const ofNoField = byField.get("") ?? (errors.length === 0 ? detail : undefined);
    byField.delete("");
    return new FormState(typed, byField, ofNoField);
  }

  /** A form that was not read, with an error of one field. */
  static unread(field: string, detail: string): FormState {
    return new FormState({}, new Map([[field, detail]]), undefined);
  }

  /** The text of a field; empty when there is none. */
  text(name: string): string {
    return this.texts(name)[0] ?? "";
  }

  /** All texts of a field that may be given several times. */
  texts(name: string): string[] {
    const value = Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
    const all: readonly FormValue[] =
      value === undefined ? [] : typeof value === "string" || value instanceof File ? [value] : value;
    return all.filter((one) => typeof one === "string");
  }

  /** Whether a field was given at all: an unchecked box is not. */
  has(name: string): boolean {
    return Object.hasOwn(this.#values, name);
  }

  error(name: string): string | undefined {
    return this.#errors.get(name);
  }

  /** The fields with errors, in the order of the form. */
  get errors(): ReadonlyMap<string, string> {
    return this.#errors;
  }

  get isRefused(): boolean {
    return this.detail !== undefined || this.#errors.size > 0;
  }
}

/** The field that an error is about: the first member of its pointer. */
function fieldOf({ pointer, parameter }: ValidationError): string {
  const member = pointer?.split("/")[1];
  return member?.replaceAll("~1", "/").replaceAll("~0", "~") ?? parameter ?? "";
}

/** For `z.preprocess`: the values of a field that may be given never, once, or several times. */
export function asList(value: unknown): unknown {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
