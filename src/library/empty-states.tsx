/** @jsxImportSource #jsx */
import type { Markup } from "../web/jsx/preact.js";
import type { Messages } from "../web/messages/en.ts";
import type { PageContext } from "../web/page.tsx";
import { Section } from "../web/sections.tsx";
import { bookmarklet, local } from "../web/urls.ts";
import type { StateFilter } from "./library-store.ts";
import { OfferSamples } from "./samples.tsx";
import { FindForm } from "./search/find-form.tsx";

/** An empty library, with the first steps. */
export function EmptyLibrary({
  messages,
  site,
  mayWrite,
  origin,
}: {
  readonly messages: Messages;
  readonly site: PageContext["site"];
  readonly mayWrite: boolean;
  /** The URL of this server, for the bookmarklet. */
  readonly origin: string;
}): Markup {
  const labels = messages.library.empty;
  return (
    <>
      <div class="row">
        <div>
          <h1 class="unseen">{messages.library.title}</h1>
          <FindForm messages={messages} query={{}} site={site} mayWrite={mayWrite} />
          <p class="state">
            <span>{mayWrite ? labels.none : labels.readers}</span>
          </p>
        </div>
      </div>
      {mayWrite && (
        <>
          <FirstLinks messages={messages} origin={origin} />
          <OfferSamples messages={messages} />
        </>
      )}
    </>
  );
}

/** The ways to the first links of a library. */
export function FirstLinks({
  messages,
  origin,
}: {
  readonly messages: Messages;
  /** The URL of this server, for the bookmarklet. */
  readonly origin: string;
}): Markup {
  const labels = messages.library.empty;
  return (
    <>
      <Section title={labels.bring}>
        <p>{labels.bringText}</p>
        <a class="button plain" href={local("/library/import")}>
          {labels.importFile}
        </a>
      </Section>
      <Section title={labels.first}>
        <form class="find" action={local("/library/new")}>
          <p>
            <input
              type="url"
              name="url"
              aria-label={labels.address}
              placeholder="https://"
              autocomplete="off"
              inputmode="url"
            />
          </p>
          <button class="button plain" type="submit">
            {labels.look}
          </button>
        </form>
      </Section>
      <Section title={labels.keep}>
        <p class="bar with-room">
          {labels.bookmarklet}
          <a class="button plain" href={bookmarklet(origin)}>
            {labels.keepIt}
          </a>
        </p>
        <p>
          <a href={local("/library/bookmarklet")}>{labels.how}</a>
        </p>
      </Section>
    </>
  );
}

/** An empty list in a library that has bookmarks. */
export function EmptyState({
  messages,
  shown,
}: {
  readonly messages: Messages;
  readonly shown: StateFilter;
}): Markup {
  const labels = messages.library.empty;
  const text = { unread: labels.nothingUnread, archived: labels.nothingArchived };
  return (
    <div class="row part">
      <p class="margin">{messages.library.nothingFound.heading}</p>
      <p>{shown === undefined ? labels.nothingShown : text[shown]}</p>
    </div>
  );
}
