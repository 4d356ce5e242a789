/** @jsxImportSource #jsx */
import { described, Field, type FieldProps, TextField } from "../../web/forms/forms.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";

type Props = Omit<FieldProps, "name">;

/** The user name. @param isNew whether it is chosen here */
export function UsernameField({ isNew = false, ...field }: Props & { readonly isNew?: boolean }): Markup {
  return (
    <TextField
      {...field}
      name="username"
      short
      required
      maxlength={isNew ? 64 : undefined}
      autocomplete="username"
      autocapitalize="none"
      spellcheck="false"
      autofocus={!field.form.isRefused}
    />
  );
}

/**
 * A password, which is never sent back. With the script `getting-in.js`, a button shows it.
 * @param isNew whether it is chosen here, so that a password manager offers to make one
 */
export function PasswordField({
  messages,
  isNew = false,
  name = "password",
  ...field
}: Props & { readonly messages: Messages; readonly isNew?: boolean; readonly name?: string }): Markup {
  return (
    <Field {...field} name={name}>
      <show-password data-label={messages.forms.showPassword}>
        <input
          {...described(field.form, name, field.hint)}
          type="password"
          class="short"
          required
          minlength={isNew ? 10 : undefined}
          autocomplete={isNew ? "new-password" : "current-password"}
        />
      </show-password>
    </Field>
  );
}
