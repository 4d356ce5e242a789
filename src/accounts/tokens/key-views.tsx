/** @jsxImportSource #jsx */
import type { Children, Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { PageContext } from "../../web/page.tsx";
import { CodeBlock, Section, ShownOnce } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import { assistantScopes } from "../scope.ts";
import type { Token } from "./token.ts";

interface NewKeyProps {
  readonly messages: Messages;
  readonly token: Token;
  /** The key itself, shown only now. */
  readonly secret: string;
  /** The URL of this server, for its clients. */
  readonly origin: string;
  readonly hasPage: (path: string) => boolean;
}

/** A new key, with lines to copy into programs. */
export function NewKey({ messages, token, secret, origin, hasPage }: NewKeyProps): Markup {
  const labels = messages.gettingIn.keys;
  const may = (scope: Token["scopes"][number]) => token.scopes.includes(scope);
  const isAssistant = assistantScopes(token.scopes).length > 0;
  const path = may("bookmarks:read") || !may("posts:read") ? "/bookmarks/" : "/api/posts/";
  return (
    <JustMade messages={messages} name={token.name} secret={secret}>
      {isAssistant ? (
        <Program
          title="Model Context Protocol"
          messages={messages}
          lines={[
            [labels.address, `${origin}/mcp`],
            [labels.key, undefined],
          ]}
        />
      ) : (
        <>
          <h3>curl</h3>
          <CodeBlock text={`curl \\\n  -H 'authorization: Bearer ${secret}' \\\n  ${origin}${path}`} />
        </>
      )}
      {hasPage("/linkding/api/bookmarks/") && may("bookmarks:write") && (
        <Program
          title={labels.linkding}
          messages={messages}
          lines={[
            [labels.address, `${origin}/linkding`],
            [labels.key, undefined],
          ]}
        />
      )}
      {hasPage("/micropub") && may("posts:write") && (
        <Program
          title="Micropub"
          messages={messages}
          lines={[
            [labels.address, `${origin}/micropub`],
            [labels.key, undefined],
          ]}
        />
      )}
    </JustMade>
  );
}

/** A key that was just made, and what to do with it. */
export function JustMade({
  messages,
  name,
  secret,
  children,
}: {
  readonly messages: Messages;
  readonly name: string;
  readonly secret: string;
  readonly children: Children;
}): Markup {
  const labels = messages.gettingIn.keys;
  return (
    <Section title={labels.justMade}>
      <div class="notice" role="status">
        <h2 dir="auto">{name}</h2>
        <p>{labels.shownOnce}</p>
      </div>
      <ShownOnce messages={messages} text={secret} />
      {children}
    </Section>
  );
}

/** What to enter into a program, by the names of its fields; no value stands for the key, which is shown above. */
export function Program({
  title,
  messages,
  lines,
}: {
  readonly title: string;
  readonly messages: Messages;
  readonly lines: readonly (readonly [string, string | undefined])[];
}): Markup {
  return (
    <>
      <h3>{title}</h3>
      <dl class="pairs">
        {lines.map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value === undefined ? messages.gettingIn.keys.above : <code>{value}</code>}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

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
  endText = messages.gettingIn.keys.end,
  children,
}: {
  readonly messages: Messages;
  readonly id: number;
  readonly name: string;
  readonly facts: readonly string[];
  /** Where it ends; none for one that has, and left nothing. */
  readonly endPath?: "/keys/end" | "/keys/websites/end" | undefined;
  /** The text of the button; *Revoke* when absent. */
  readonly endText?: string;
  readonly children?: Children;
}): Markup {
  return (
    <li>
      <h3 dir="auto">{name}</h3>
      {children}
      <p class="quiet">{facts.join("; ")}</p>
      {endPath && (
        <form method="post" action={local(endPath)}>
          <button class="link-button alarm" type="submit" name="key" value={String(id)}>
            {endText}
            <span class="unseen">: {name}</span>
          </button>
        </form>
      )}
    </li>
  );
}
