/** @jsxImportSource #jsx */
import type { Database } from "../../database/database.ts";
import { type Caller, unauthenticated } from "../../http/access.ts";
import type { FormState } from "../../web/forms/form-state.ts";
import { ErrorSummary, TextField } from "../../web/forms/forms.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageContext } from "../../web/page.tsx";
import { Section } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import type { Words } from "../../web/words/en.ts";
import { Program } from "../tokens/new-key.tsx";
import { type ContentKey, newContentKey } from "./content-key.ts";
import { insertContentKey } from "./content-key-store.ts";

type Context = Pick<PageContext, "words" | "dates" | "site">;

/** Creates a content key for the caller's account. @returns the key, which is shown only now */
export async function createContentKey(database: Database, caller: Caller, name: string): Promise<string> {
  const { account } = caller;
  if (account === undefined) throw unauthenticated();
  const key = newContentKey();
  const inserted = await database.write((sql) =>
    insertContentKey(sql, account.id, { name, key }, new Date()),
  );
  if (inserted === undefined) throw unauthenticated();
  return key;
}

/** The content keys of an account, and a form for a new one. */
export function ContentKeyPart({
  keys,
  form,
  ...context
}: Context & { readonly keys: readonly ContentKey[]; readonly form: FormState }): Markup {
  const { words } = context;
  const say = words.gettingIn.keys;
  return (
    <Section title={say.websites}>
      <p>{say.websitesIntro}</p>
      {keys.length > 0 && (
        <ul class="lines">
          {keys.toReversed().map((key) => (
            <ContentKeyLine {...context} contentKey={key} />
          ))}
        </ul>
      )}
      <form class="stack" method="post" action={local("/keys/websites")}>
        <ErrorSummary form={form} words={words} refused="createKey" labels={{ website: say.website }} />
        <TextField form={form} name="website" label={say.website} required maxlength={100} dir="auto" />
        <button class="button" type="submit">
          {say.createContentKey}
        </button>
      </form>
    </Section>
  );
}

/** A new content key, with the names that the settings of a website use. */
export function NewContentKey({
  words,
  name,
  secret,
  origin,
}: {
  readonly words: Words;
  readonly name: string;
  readonly secret: string;
  readonly origin: string;
}): Markup {
  const say = words.gettingIn.keys;
  return (
    <Section title={say.justMade}>
      <div class="notice" role="status">
        <h2 dir="auto">{name}</h2>
        <p>{say.shownOnce}</p>
      </div>
      <code class="once">{secret}</code>
      <Program
        title="Ghost"
        words={words}
        lines={[
          [say.apiUrl, origin],
          [say.contentKey, undefined],
        ]}
      />
    </Section>
  );
}

function ContentKeyLine({
  words,
  dates,
  site,
  contentKey,
}: Context & { readonly contentKey: ContentKey }): Markup {
  const say = words.gettingIn.keys;
  const { id, name, createdAt, lastUsedAt } = contentKey;
  return (
    <li>
      <h3 dir="auto">{name}</h3>
      <p class="quiet">
        {say.created(dates.day(createdAt))};{" "}
        {lastUsedAt === null ? say.neverUsed : say.lastUsed(dates.dayAndTime(lastUsedAt), site.timeZone)}
      </p>
      <form method="post" action={local("/keys/websites/end")}>
        <button class="link-button alarm" type="submit" name="key" value={String(id)}>
          {say.end}
          <span class="unseen">: {name}</span>
        </button>
      </form>
    </li>
  );
}
