/** @jsxImportSource #jsx */
import type { Markup } from "../../web/jsx/preact.js";
import { CodeBlock, Section } from "../../web/sections.tsx";
import type { Words } from "../../web/words/en.ts";
import type { Token } from "./token.ts";

interface NewKeyProps {
  readonly words: Words;
  readonly token: Token;
  /** The key itself, shown only now. */
  readonly secret: string;
  /** Of this server, for its clients. */
  readonly origin: string;
  readonly hasPage: (path: string) => boolean;
}

/** A new key, with lines to copy into programs. */
export function NewKey({ words, token, secret, origin, hasPage }: NewKeyProps): Markup {
  const say = words.gettingIn.keys;
  const may = (scope: Token["scopes"][number]) => token.scopes.includes(scope);
  const path = may("bookmarks:read") || !may("posts:read") ? "/bookmarks/" : "/api/posts/";
  return (
    <Section title={say.justMade}>
      <div class="notice" role="status">
        <h2 dir="auto">{token.name}</h2>
        <p>{say.shownOnce}</p>
      </div>
      <code class="once">{secret}</code>
      <h3>curl</h3>
      <CodeBlock text={`curl ${origin}${path} \\\n  -H 'authorization: Bearer KEY'`} />
      <p class="hint">{say.forKey}</p>
      {hasPage("/linkding/api/bookmarks/") && may("bookmarks:write") && (
        <Program
          title={say.linkding}
          words={words}
          lines={[
            [say.address, `${origin}/linkding`],
            [say.key, undefined],
          ]}
        />
      )}
      {hasPage("/micropub") && may("posts:write") && (
        <Program
          title="Micropub"
          words={words}
          lines={[
            [say.address, `${origin}/micropub`],
            [say.key, undefined],
          ]}
        />
      )}
    </Section>
  );
}

/** What to enter into a program, by the names of its fields; no value stands for the key, which is shown above. */
export function Program({
  title,
  words,
  lines,
}: {
  readonly title: string;
  readonly words: Words;
  readonly lines: readonly (readonly [string, string | undefined])[];
}): Markup {
  return (
    <>
      <h3>{title}</h3>
      <dl class="pairs">
        {lines.map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value === undefined ? words.gettingIn.keys.above : <code>{value}</code>}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
