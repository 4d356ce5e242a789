import { createHash } from "node:crypto";
import { Refusal, type ValidationError } from "../../errors.ts";
import type { FormFields } from "../../http/body/body-decoders.ts";
import type { Messages } from "../../web/messages/en.ts";

/** A short hash of the settings that a form shows; it differs when any of them differs. */
export function versionOf(shown: FormFields): string {
  return createHash("sha256").update(JSON.stringify(shown)).digest("base64url").slice(0, 16);
}

/**
 * Compares the values that a form was made from with the stored ones.
 *
 * @param typed the new values; `seen` is the version that the form showed, if the client sent it
 * @throws Refusal `precondition_failed` when the stored settings have changed since, with an error for each field
 *   that differs
 */
export function checkVersion(
  stored: FormFields,
  typed: Readonly<Record<string, string | undefined>>,
  messages: Messages,
): void {
  const { seen } = typed;
  if (seen === undefined || seen === versionOf(stored)) return;
  const errors = Object.keys(stored)
    // Missing fields are skipped: the environment fixes them.
    .filter((name) => typed[name] !== undefined && typed[name] !== stored[name])
    .map((name): ValidationError => {
      const detail = messages.gettingIn.settings.storedNow(textOf(stored[name], messages));
      return { pointer: `/${name}`, code: "unexpected", detail };
    });
  // Both have the same settings: there is nothing to decide.
  if (errors.length === 0) return;
  const whole = {
    pointer: "",
    code: "unexpected",
    detail: messages.gettingIn.settings.changedMeanwhile,
  } as const;
  throw new Refusal("precondition_failed", whole.detail, { errors: [whole, ...errors] });
}

function textOf(value: FormFields[string] | undefined, messages: Messages): string {
  const { settings, bookmarksAccess } = messages.gettingIn;
  const choice = [...settings.colorSchemes, ...bookmarksAccess.choices, ...settings.commenting].find(
    (one) => one.value === value,
  );
  return choice?.text ?? (typeof value === "string" ? value : "");
}
