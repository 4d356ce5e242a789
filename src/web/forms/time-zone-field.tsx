/** @jsxImportSource #jsx */

import type { Markup } from "../jsx/preact.js";
import type { Messages } from "../messages/en.ts";
import type { FormState } from "./form-state.ts";
import { Select } from "./forms.tsx";

let zones: readonly string[] | undefined;

/** A choice of all time zones. @param isOwn whether the browser's own is chosen where script runs */
export function TimeZoneField({
  form,
  messages,
  isOwn = false,
  hint,
}: {
  readonly form: FormState;
  readonly messages: Messages;
  readonly isOwn?: boolean;
  readonly hint?: string;
}): Markup {
  zones ??= ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => /^(?!Etc\/)\w+\//.test(zone))];
  const chosen = form.text("time_zone");
  const all = zones.includes(chosen) || chosen === "" ? zones : [chosen, ...zones];
  const field = (
    <Select
      form={form}
      name="time_zone"
      label={messages.forms.timeZone}
      hint={hint ?? messages.forms.timeZoneHint}
      short
      choices={all.map((zone) => ({ value: zone, text: zone.replaceAll("_", " ") }))}
    />
  );
  return isOwn && !form.isRefused ? <own-time-zone>{field}</own-time-zone> : field;
}
