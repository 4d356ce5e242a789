/** @jsxImportSource #jsx */
import type { Markup } from "../web/jsx/preact.js";
import { Section } from "../web/sections.tsx";
import { bookmarklet, local } from "../web/urls.ts";
import type { Words } from "../web/words/en.ts";
import type { StateFilter } from "./library-store.ts";
import { FindForm } from "./search/find-form.tsx";

/** An empty library, with the first steps. */
export function EmptyLibrary({
  words,
  mayWrite,
  origin,
}: {
  readonly words: Words;
  readonly mayWrite: boolean;
  /** Of this server, for the bookmarklet. */
  readonly origin: string;
}): Markup {
  const say = words.library.empty;
  return (
    <>
      <div class="row">
        <div>
          <h1 class="unseen">{words.library.title}</h1>
          <FindForm words={words} query={{}} mayWrite={mayWrite} />
          <p class="state">
            <span>{mayWrite ? say.none : say.readers}</span>
          </p>
        </div>
      </div>
      {mayWrite && (
        <>
          <Section title={say.bring}>
            <p>{say.bringText}</p>
            <a class="button plain" href={local("/library/import")}>
              {say.importFile}
            </a>
          </Section>
          <Section title={say.first}>
            <form class="find" action={local("/library/new")}>
              <p>
                <input
                  type="url"
                  name="url"
                  aria-label={say.address}
                  placeholder="https://"
                  autocomplete="off"
                  inputmode="url"
                />
              </p>
              <button class="button plain" type="submit">
                {say.look}
              </button>
            </form>
          </Section>
          <Section title={say.keep}>
            <p class="bar with-room">
              {say.bookmarklet}
              <a class="button plain" href={bookmarklet(origin)}>
                {say.keepIt}
              </a>
            </p>
            <p>
              <a href={local("/library/bookmarklet")}>{say.how}</a>
            </p>
          </Section>
        </>
      )}
    </>
  );
}

/** An empty list in a library that has bookmarks. */
export function EmptyState({ words, shown }: { readonly words: Words; readonly shown: StateFilter }): Markup {
  const say = words.library.empty;
  const text = { unread: say.nothingUnread, archived: say.nothingArchived };
  return (
    <div class="row part">
      <p class="margin">{words.library.nothingFound.heading}</p>
      <p>{shown === undefined ? say.nothingShown : text[shown]}</p>
    </div>
  );
}
