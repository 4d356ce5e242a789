/** @jsxImportSource #jsx */
import { minutesOf } from "../../copies/copy.ts";
import { limits } from "../../limits.ts";
import type { FormState } from "../../web/forms/form-state.ts";
import { described, ErrorSummary, Field } from "../../web/forms/forms.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageContext } from "../../web/page.tsx";
import { Section } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import { SAVED_PAGE, WaysOut } from "./failure.tsx";
import type { LinkCopies, ListedCopy } from "./link-copies.ts";

/** The media types of a saved page, and the ends of its name. */
const ACCEPT = ".html,.htm,.xhtml,.pdf,text/html,application/xhtml+xml,application/pdf";

interface SectionProps {
  readonly link: { readonly id: number; readonly url: string };
  readonly copies: LinkCopies;
  /** Whether the caller may keep copies, and delete them. */
  readonly mayKeep: boolean;
  /** Whether the server fetches pages. */
  readonly fetches: boolean;
  /** The form for a page that is sent; refused, it says why no copy was kept. */
  readonly form: FormState;
  readonly context: Pick<PageContext, "messages" | "dates">;
}

/** The copies of a link, and the ways to keep one. */
export function CopiesSection({ link, copies, mayKeep, fetches, form, context }: SectionProps): Markup {
  const { messages, dates } = context;
  const labels = messages.copies;
  const { newestFirst, readId, isWaiting } = copies;
  const isFull = newestFirst.length >= limits().copiesPerBookmark;
  const failure = isWaiting ? undefined : copies.failure;
  return (
    <Section id="copies" title={labels.title}>
      <ErrorSummary
        form={form}
        messages={messages}
        refused="keep"
        labels={{ [SAVED_PAGE]: labels.send.file }}
      />
      {isWaiting && (
        <running-job>
          <p role="status">{labels.waiting}</p>
          <a class="link-button without-script" href={local(`/library/${link.id}`)}>
            {labels.lookAgain}
          </a>
        </running-job>
      )}
      {failure !== undefined && (
        <>
          <p>
            {labels.failed(newestFirst.length)} {labels.failures[failure]}
          </p>
          {mayKeep && <WaysOut {...{ link, reason: failure, fetches, messages }} />}
        </>
      )}
      {newestFirst.length > 0 ? (
        <ul class="lines words">
          {newestFirst.map((copy) => (
            <CopyItem
              copy={copy}
              isRead={copy.id === readId}
              isOneOfMany={newestFirst.length > 1}
              mayDelete={mayKeep}
              context={{ messages, dates }}
            />
          ))}
        </ul>
      ) : (
        !isWaiting && failure === undefined && <p class="quiet">{labels.none}</p>
      )}
      {mayKeep && isFull && <p class="quiet">{labels.refused.tooMany(newestFirst.length)}</p>}
      {mayKeep && !isFull && fetches && !isWaiting && failure === undefined && (
        <form class="bar" method="post" action={local(`/library/${link.id}/copies/fetch`)}>
          <button class="button plain" type="submit">
            {newestFirst.length > 0 ? labels.keepAnother : labels.keep}
          </button>
          <span class="quiet">{labels.keepHint}</span>
        </form>
      )}
      {mayKeep && !isFull && (
        <SendForm link={link} form={form} isOpen={failure !== undefined || !fetches} context={context} />
      )}
    </Section>
  );
}

function CopyItem({
  copy,
  isRead,
  isOneOfMany,
  mayDelete,
  context: { messages, dates },
}: {
  readonly copy: ListedCopy;
  readonly isRead: boolean;
  readonly isOneOfMany: boolean;
  readonly mayDelete: boolean;
  readonly context: SectionProps["context"];
}): Markup {
  const labels = messages.copies;
  const { id, bookmarkId, words, original } = copy;
  const when = dates.dayAndTime(copy.takenAt);
  const of = <span class="unseen"> {labels.of(when)}</span>;
  const at = `/bookmarks/${bookmarkId}/copies/${id}/original` as const;
  const length = words === 0 ? labels.noText : `${labels.words(words)}, ${labels.minutes(minutesOf(copy))}`;
  return (
    <li>
      <p>
        {when}{" "}
        <span class="quiet">
          {[
            labels.origins[copy.origin],
            length,
            labels.size(copy.size),
            ...(isRead && isOneOfMany ? [labels.isRead] : []),
          ].join(" · ")}
        </span>
      </p>
      <div class="bar">
        {words > 0 && (
          <a
            class="link-button"
            href={local(`/library/${bookmarkId}/read`, { copy: isRead ? undefined : id })}
          >
            {labels.read}
            {of}
          </a>
        )}
        {original === "shown" && (
          <a class="link-button" href={local(at)}>
            {labels.original}
            {of}
          </a>
        )}
        {original !== undefined && (
          <a class="link-button" href={local(at, { download: "true" })} download>
            {labels.download}
            {of}
          </a>
        )}
        {mayDelete && (
          <details class="confirm">
            <summary class="link-button alarm">
              {labels.remove}
              {of}
            </summary>
            <form method="post" action={local(`/library/${bookmarkId}/copies/${id}/delete`)}>
              <p>{labels.forGood}</p>
              <button class="button plain alarm" type="submit">
                {labels.confirm}
              </button>
            </form>
          </details>
        )}
      </div>
    </li>
  );
}

/** The form for a page that a browser has saved. */
function SendForm({
  link,
  form,
  isOpen,
  context: { messages },
}: Pick<SectionProps, "link" | "form" | "context"> & { readonly isOpen: boolean }): Markup {
  const labels = messages.copies.send;
  return (
    <details open={isOpen || form.isRefused}>
      <summary>{labels.title}</summary>
      <form
        class="stack"
        method="post"
        action={local(`/library/${link.id}/copies`)}
        enctype="multipart/form-data"
      >
        <Field form={form} name={SAVED_PAGE} label={labels.file} hint={labels.hint}>
          <input {...described(form, SAVED_PAGE, labels.hint)} type="file" required accept={ACCEPT} />
        </Field>
        <p class="bar">
          <button class="button" type="submit">
            {labels.submit}
          </button>
        </p>
      </form>
    </details>
  );
}
