/** @jsxImportSource #jsx */
import type { FormFields, FormValue } from "../http/body/body-decoders.ts";
import type { Problem } from "../http/problems.ts";
import type { Markup } from "./jsx/preact.js";
import type { NavigationEntry } from "./navigation.ts";
import { anyUrl, local, type SafeUrl } from "./urls.ts";
import type { Words } from "./words/en.ts";

interface ProblemProps {
  readonly words: Words;
  readonly title: string;
  readonly problem: Problem;
  /** Whether the page does not exist. */
  readonly isMissing: boolean;
  /** Words to search for instead; undefined when nothing can be searched. */
  readonly searchFor: string | undefined;
  /** The first page, if the address has a wrong page number. */
  readonly firstPage: SafeUrl | undefined;
  /** Existing pages to link to. */
  readonly entries: readonly NavigationEntry[];
}

/** The body of an error page, with the text of the problem document. */
export function ProblemBody({
  words,
  title,
  problem,
  isMissing,
  searchFor,
  firstPage,
  entries,
}: ProblemProps): Markup {
  const { status, detail, errors = [] } = problem;
  return (
    <div class="row">
      <p class="margin">{isMissing ? 404 : status}</p>
      <div class="stack">
        <h1>{title}</h1>
        {firstPage === undefined ? (
          <p>{isMissing ? words.noSuchPage.text : detail}</p>
        ) : (
          <p>
            <a href={firstPage}>{words.refused.firstPage}</a>
          </p>
        )}
        {!isMissing && firstPage === undefined && errors.length > 1 && (
          <ul>
            {errors.map((error) => (
              <li>
                {error.pointer?.slice(1) ?? error.parameter}: {error.detail}
              </li>
            ))}
          </ul>
        )}
        {searchFor !== undefined && (
          <form class="find" action={local("/search")}>
            <p>
              <input type="search" name="q" aria-label={words.noSuchPage.search} value={searchFor} />
            </p>
            <button class="button" type="submit">
              {words.noSuchPage.find}
            </button>
          </form>
        )}
        <ul class="lines">
          {entries.map(({ href, text }) => (
            <li>
              <a href={anyUrl(href)}>{text}</a>
            </li>
          ))}
          {entries.length === 0 && (
            <li>
              <a href={local("/")}>{words.refused.home}</a>
            </li>
          )}
        </ul>
      </div>
    </div>
  );
}

interface SignedOutProps {
  readonly words: Words;
  /** Where the form was sent. */
  readonly action: SafeUrl;
  readonly typed: FormFields | undefined;
}

/** The session ended before the form was sent: the typed values can be sent again. */
export function SignedOutBody({ words, action, typed = {} }: SignedOutProps): Markup {
  const { title, text, first, again, typed: typedLabel } = words.signedOut;
  const fields = Object.entries(typed).flatMap(([name, values]) => textsOf(name, values));
  return (
    <div class="row">
      <div class="stack">
        <h1>{title}</h1>
        {fields.length > 0 && <p>{text}</p>}
        <p>
          <a class="button" href={local("/sign-in")} target="_blank" rel="noopener">
            {first}
          </a>
        </p>
        {fields.length > 0 && (
          <form method="post" action={action} class="stack">
            {fields.map(({ name, value }) => (
              <input type="hidden" name={name} value={value} />
            ))}
            <button class="button plain" type="submit">
              {again}
            </button>
            <details>
              <summary>{typedLabel}</summary>
              <dl>
                {fields.map(({ name, value }) => (
                  <>
                    <dt>{name}</dt>
                    <dd dir="auto">
                      <pre>{value}</pre>
                    </dd>
                  </>
                ))}
              </dl>
            </details>
          </form>
        )}
      </div>
    </div>
  );
}

/** The values of a field to send again; not files, and not passwords. */
function textsOf(
  name: string,
  values: FormValue | readonly FormValue[],
): { readonly name: string; readonly value: string }[] {
  if (/password/i.test(name)) return [];
  const all = typeof values === "string" || values instanceof File ? [values] : values;
  return all.filter((value) => typeof value === "string").map((value) => ({ name, value }));
}
