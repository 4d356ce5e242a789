/** @jsxImportSource #jsx */
import type { Children, Markup } from "./jsx/preact.js";
import type { Messages } from "./messages/en.ts";
import { Section, ShownOnce } from "./sections.tsx";
import type { SafeUrl } from "./urls.ts";

/** The secret address of a new feed, which is shown only now. */
export function NewFeedAddress({
  messages,
  labels,
  address,
}: {
  readonly messages: Messages;
  readonly labels: { readonly fresh: string; readonly once: string };
  readonly address: string;
}): Markup {
  return (
    <Section title={labels.fresh}>
      <p class="notice">{labels.once}</p>
      <ShownOnce messages={messages} text={address} />
    </Section>
  );
}

/** A feed in the list: the value that deletes it, its description, and its name for screen readers. */
interface SecretFeed {
  readonly value: string;
  readonly description: Children;
  readonly name: string;
}

/** The feeds with secret addresses, each with a button that deletes it; nothing if there are none. */
export function SecretFeeds({
  labels,
  action,
  feeds,
}: {
  readonly labels: { readonly list: string; readonly lost: string; readonly end: string };
  readonly action: SafeUrl;
  readonly feeds: readonly SecretFeed[];
}): Markup | null {
  if (feeds.length === 0) return null;
  return (
    <Section title={labels.list}>
      <form method="post" action={action}>
        <ul class="lines">
          {feeds.map(({ value, description, name }) => (
            <li class="bar apart">
              <span>{description}</span>
              <button class="link-button alarm" type="submit" name="end" value={value}>
                {labels.end}
                <span class="unseen"> {name}</span>
              </button>
            </li>
          ))}
        </ul>
        <p class="hint">{labels.lost}</p>
      </form>
    </Section>
  );
}
