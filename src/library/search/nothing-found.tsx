/** @jsxImportSource #jsx */
import type { Children, Markup } from "../../web/jsx/preact.js";
import { local } from "../../web/urls.ts";
import type { Words } from "../../web/words/en.ts";
import { type Corrections, withPrefix } from "./corrections.ts";
import type { QueryPart } from "./query-parts.ts";

/** Suggestions for a search without results. */
export function NothingFound({
  words,
  q,
  parts,
  corrections: { similar, unfiltered, anyWord, beginning },
  mayWrite,
  hasPosts,
}: {
  readonly words: Words;
  readonly q: string;
  /** Of the search; none when it has groups. */
  readonly parts: readonly QueryPart[];
  readonly corrections: Corrections;
  readonly mayWrite: boolean;
  /** Whether posts can be searched. */
  readonly hasPosts: boolean;
}): Markup {
  const say = words.library.nothingFound;
  const filters = parts.filter(({ isFilter }) => isFilter).length;
  const wanted = parts
    .filter(({ isFilter }) => !isFilter)
    .map(({ value }) => value)
    .join(" ");
  const tries: Children[] = [
    unfiltered && (
      <Try q={unfiltered.q} text={say.withoutFilters(filters)} matches={unfiltered.matches} words={words} />
    ),
    anyWord && <Try q={anyWord.q} text={say.anyWord} matches={anyWord.matches} words={words} />,
    beginning !== undefined && <Try q={withPrefix(parts, beginning)} text={say.prefix(beginning)} />,
    hasPosts && <a href={local("/search", { q: wanted || q })}>{say.posts}</a>,
    mayWrite && (
      <a href={local("/library/new", /^https?:\/\//i.test(q) ? { url: q } : { title: wanted })}>{say.add}</a>
    ),
  ].filter(Boolean);
  return (
    <div class="row part">
      <p class="margin">{say.heading}</p>
      <div class="stack">
        {similar && (
          <p>
            {say.didYouMean}{" "}
            <a href={local("/library", { q: similar.q })} dir="auto">
              {similar.words}
            </a>
            {say.didYouMeanRest(similar.matches)}
          </p>
        )}
        <ul class="lines">
          {tries.map((one) => (
            <li>{one}</li>
          ))}
        </ul>
        <Syntax words={words} />
      </div>
    </div>
  );
}

/** Another search, and how many links it finds. */
function Try({
  q,
  text,
  matches,
  words,
}: {
  readonly q: string;
  readonly text: string;
  readonly matches?: number;
  readonly words?: Words;
}): Markup {
  return (
    <>
      <a href={local("/library", { q })}>{text}</a>{" "}
      {matches !== undefined && words && <span class="host">{words.library.links(matches)}</span>}
    </>
  );
}

/** The search syntax. */
export function Syntax({ words }: { readonly words: Words }): Markup {
  const say = words.library.find;
  return (
    <p class="quiet">
      {say.syntax}
      <code>site:example.org</code>, <code>after:2026-01-01</code>
      {say.syntaxRest}
      <code>-word</code>
      {say.syntaxWithout}
    </p>
  );
}
