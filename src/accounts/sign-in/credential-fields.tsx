/** @jsxImportSource #jsx */
import { type FieldProps, TextField } from "../../web/forms/forms.tsx";
import type { Markup } from "../../web/jsx/preact.js";

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
    />
  );
}

/** A password. @param isNew whether it is chosen here, so that a password manager offers to make one */
export function PasswordField({
  isNew = false,
  name = "password",
  ...field
}: Props & { readonly isNew?: boolean; readonly name?: string }): Markup {
  return (
    <TextField
      {...field}
      name={name}
      type="password"
      short
      required
      minlength={isNew ? 10 : undefined}
      autocomplete={isNew ? "new-password" : "current-password"}
    />
  );
}
