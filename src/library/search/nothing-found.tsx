/** @jsxImportSource #jsx */
import type { Children, Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import { local } from "../../web/urls.ts";
import { type Corrections, withPrefix } from "./corrections.ts";
import type { QueryPart } from "./query-parts.ts";

/** Suggestions for a search without results. */
export function NothingFound({
  messages,
  q,
  parts,
  corrections: { similar, asBeginnings, unfiltered, anyWord, beginning },
  saved,
  mayWrite,
  hasPosts,
}: {
  readonly messages: Messages;
  readonly q: string;
  /** The parts of the search; none when it has groups. */
  readonly parts: readonly QueryPart[];
  readonly corrections: Corrections;
  /** A link to what was saved when the search says. */
  readonly saved: Markup | undefined;
  readonly mayWrite: boolean;
  /** Whether posts can be searched. */
  readonly hasPosts: boolean;
}): Markup {
  const labels = messages.library.nothingFound;
  const filters = parts.filter(({ isFilter }) => isFilter).length;
  const wanted = parts
    .filter(({ isFilter }) => !isFilter)
    .map(({ value }) => value)
    .join(" ");
  const tries: Children[] = [
    unfiltered && (
      <Try
        q={unfiltered.q}
        text={labels.withoutFilters(filters)}
        matches={unfiltered.matches}
        messages={messages}
      />
    ),
    anyWord && <Try q={anyWord.q} text={labels.anyWord} matches={anyWord.matches} messages={messages} />,
    beginning !== undefined && <Try q={withPrefix(parts, beginning)} text={labels.prefix([beginning])} />,
    hasPosts && <a href={local("/search", { q: wanted || q })}>{labels.posts}</a>,
    mayWrite && (
      <a href={local("/library/new", /^https?:\/\//i.test(q) ? { url: q } : { title: wanted })}>
        {labels.add}
      </a>
    ),
  ].filter(Boolean);
  return (
    <div class="row part">
      <p class="margin">{labels.heading}</p>
      <div class="stack">
        {saved && <p>{saved}</p>}
        {asBeginnings && (
          <p>
            <Try
              q={asBeginnings.q}
              text={labels.prefix(asBeginnings.beginnings)}
              matches={asBeginnings.matches}
              messages={messages}
            />
          </p>
        )}
        {similar && (
          <p>
            {labels.didYouMean}{" "}
            <a href={local("/library", { q: similar.q })} dir="auto">
              {similar.q}
            </a>
            {labels.didYouMeanRest(similar.matches)}
          </p>
        )}
        <ul class="lines">
          {tries.map((one) => (
            <li>{one}</li>
          ))}
        </ul>
        <Syntax messages={messages} />
      </div>
    </div>
  );
}

/** Another search, and how many links it finds. */
function Try({
  q,
  text,
  matches,
  messages,
}: {
  readonly q: string;
  readonly text: string;
  readonly matches?: number;
  readonly messages?: Messages;
}): Markup {
  return (
    <>
      <a href={local("/library", { q })}>{text}</a>{" "}
      {matches !== undefined && messages && <span class="host">{messages.library.links(matches)}</span>}
    </>
  );
}

/** The search syntax. */
export function Syntax({ messages }: { readonly messages: Messages }): Markup {
  const labels = messages.library.find;
  const states = messages.copies.search;
  return (
    <p class="quiet">
      {labels.syntax}
      <code>site:example.org</code>, <code>after:2026-01-01</code>
      {labels.syntaxRest}
      <code>-word</code>
      {labels.syntaxWithout} <code>page:word</code>
      {labels.syntaxInside} <code>has:copy</code>
      {states.copy}
      <code>has:mark</code>
      {states.mark}
      <code>is:unread</code>
      {states.unread}
      <code>is:archived</code>
      {states.archived}
    </p>
  );
}
