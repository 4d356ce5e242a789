/** @jsxImportSource #jsx */
import type { Children, Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { PageContext } from "../../web/page.tsx";
import { local } from "../../web/urls.ts";

/** The times of a token or content key. */
interface KeyTimes {
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** When a key was created and last used, in words. */
export function describeUse(
  { messages, dates, site }: Pick<PageContext, "messages" | "dates" | "site">,
  { createdAt, lastUsedAt }: KeyTimes,
): string[] {
  const labels = messages.gettingIn.keys;
  return [
    labels.created(dates.shortDay(createdAt)),
    lastUsedAt === null ? labels.neverUsed : labels.lastUsed(dates.dayAndTime(lastUsedAt), site.timeZone),
  ];
}

/** A key in a list: its name, facts about it, and a button that ends it. */
export function KeyLine({
  messages,
  id,
  name,
  facts,
  endPath,
  children,
}: {
  readonly messages: Messages;
  readonly id: number;
  readonly name: string;
  readonly facts: readonly string[];
  readonly endPath: "/keys/end" | "/keys/websites/end";
  readonly children?: Children;
}): Markup {
  return (
    <li>
      <h3 dir="auto">{name}</h3>
      {children}
      <p class="quiet">{facts.join("; ")}</p>
      <form method="post" action={local(endPath)}>
        <button class="link-button alarm" type="submit" name="key" value={String(id)}>
          {messages.gettingIn.keys.end}
          <span class="unseen">: {name}</span>
        </button>
      </form>
    </li>
  );
}
