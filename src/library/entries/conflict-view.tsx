/** @jsxImportSource #jsx */

import { BackField } from "../../web/forms/back.tsx";
import type { FormState } from "../../web/forms/form-state.ts";
import type { PageContext } from "../../web/page.tsx";
import { Section, Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import type { LibraryBookmark } from "../library-store.ts";
import { formOf } from "./bookmark-form.tsx";
import { displayTitle } from "./shown-text.ts";

/** The fields whose two versions are shown side by side. */
const FIELDS = ["url", "title", "note", "tags"] as const;

/**
 * An edit conflict: both versions, field by field; the own one can still be edited. Nothing is stored, and nothing is
 * lost.
 */
export function conflictView({ messages }: PageContext, entry: LibraryBookmark, mine: FormState): View {
  const labels = messages.library.conflict;
  const theirs = formOf(entry);
  const title = labels.title(displayTitle(entry));
  const back = mine.text("back") || undefined;
  return {
    title,
    body: (
      <>
        <Title text={title} />
        <div class="row part">
          <div class="notice alarm" role="alert">
            <h2>{labels.heading}</h2>
            <p>{labels.text}</p>
          </div>
        </div>
        <form method="post" action={local(`/library/${entry.id}/edit`)}>
          {/* What is saved from here replaces the version that is shown here, and no later one. */}
          <input type="hidden" name="version" value={entry.version} />
          <BackField back={back} />
          {(["unread", "archived"] as const).map(
            (state) => mine.has(state) && <input type="hidden" name={state} value="1" />,
          )}
          {mine.texts("suggested").map((name) => (
            <input type="hidden" name="suggested" value={name} />
          ))}
          {FIELDS.map((name) => (
            <Both name={name} mine={mine} theirs={theirs} messages={messages} />
          ))}
          <div class="row part">
            <p class="bar">
              <button class="button" type="submit">
                {labels.useMine}
              </button>
              <a class="button plain" href={local(`/library/${entry.id}/edit`, { back })}>
                {labels.useTheirs}
              </a>
            </p>
          </div>
        </form>
      </>
    ),
  };
}

/** One field in both versions, or once if they are equal. */
function Both({
  name,
  mine,
  theirs,
  messages,
}: {
  readonly name: (typeof FIELDS)[number];
  readonly mine: FormState;
  readonly theirs: FormState;
  readonly messages: PageContext["messages"];
}) {
  const labels = messages.library.conflict;
  const label = messages.library.form[name];
  const isSame = mine.text(name) === theirs.text(name);
  const rows = name === "note" ? 5 : 2;
  const look = name === "note" ? "says" : undefined;
  const whose = (own: string) => `${label}: ${own}`;
  return (
    <Section title={label}>
      {isSame ? (
        <>
          <input type="hidden" name={name} value={mine.text(name)} />
          <p class="quiet" dir="auto">
            {labels.same}
            {mine.text(name) !== "" && `: ${mine.text(name)}`}
          </p>
        </>
      ) : (
        <div class="two">
          <div class="field">
            <label for={name}>{labels.yours}</label>
            <textarea
              id={name}
              name={name}
              class={look}
              rows={rows}
              dir="auto"
              aria-label={whose(labels.yours)}
              aria-describedby={`${name}-hint`}
            >
              {`\n${mine.text(name)}`}
            </textarea>
            <p class="hint" id={`${name}-hint`}>
              {labels.hint}
            </p>
          </div>
          <div class="field">
            <label for={`their-${name}`}>{labels.theirs}</label>
            <textarea
              id={`their-${name}`}
              class={look}
              rows={rows}
              dir="auto"
              readonly
              aria-label={whose(labels.theirs)}
              aria-describedby={`their-${name}-hint`}
            >
              {`\n${theirs.text(name)}`}
            </textarea>
            <p class="hint" id={`their-${name}-hint`}>
              {labels.theirsHint}
            </p>
          </div>
        </div>
      )}
    </Section>
  );
}
