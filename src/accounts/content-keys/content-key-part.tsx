/** @jsxImportSource #jsx */
import type { Database } from "../../database/database.ts";
import type { Caller } from "../../http/access.ts";
import type { FormState } from "../../web/forms/form-state.ts";
import { ErrorSummary, TextField } from "../../web/forms/forms.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { PageContext } from "../../web/page.tsx";
import { Section } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import { createKey, type Key } from "../keys.ts";
import { describeUse, JustMade, KeyLine, Program } from "../tokens/key-views.tsx";
import { idOf } from "../tokens/token-api.ts";
import { newContentKey } from "./content-key.ts";

type Context = Pick<PageContext, "messages" | "dates" | "site">;

/** Creates a content key for the caller's account. @returns the key, which is shown only now */
export async function createContentKey(database: Database, caller: Caller, name: string): Promise<string> {
  const secret = newContentKey();
  await database.write((sql) =>
    createKey(sql, "website", idOf(caller), { secret, name }, database.clock.now()),
  );
  return secret;
}

/** The content keys of an account, newest first, and a form for a new one. */
export function ContentKeyPart({
  keys,
  form,
  ...context
}: Context & { readonly keys: readonly Key[]; readonly form: FormState }): Markup {
  const { messages } = context;
  const labels = messages.gettingIn.keys;
  return (
    <Section title={labels.websites}>
      <p>{labels.websitesIntro}</p>
      {keys.length > 0 && (
        <ul class="lines">
          {keys.map((key) => (
            <KeyLine
              messages={messages}
              id={key.id}
              name={key.name}
              facts={describeUse(context, key)}
              endPath="/keys/websites/end"
            />
          ))}
        </ul>
      )}
      <form class="stack" method="post" action={local("/keys/websites")}>
        <ErrorSummary
          form={form}
          messages={messages}
          refused="createKey"
          labels={{ website: labels.website }}
        />
        <TextField form={form} name="website" label={labels.website} required maxlength={100} dir="auto" />
        <button class="button" type="submit">
          {labels.createContentKey}
        </button>
      </form>
    </Section>
  );
}

/** A new content key, with the names that the settings of a website use. */
export function NewContentKey({
  messages,
  name,
  secret,
  origin,
}: {
  readonly messages: Messages;
  readonly name: string;
  readonly secret: string;
  readonly origin: string;
}): Markup {
  const labels = messages.gettingIn.keys;
  return (
    <JustMade messages={messages} name={name} secret={secret}>
      <Program
        title="Ghost"
        messages={messages}
        lines={[
          [labels.apiUrl, origin],
          [labels.contentKey, undefined],
        ]}
      />
    </JustMade>
  );
}
