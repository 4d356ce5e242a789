/** @jsxImportSource #jsx */
import { z } from "zod";
import { type FailedPage, type FailurePosition, listFailures } from "../../copies/fetching/copy-failure.ts";
import {
  countLinks,
  requestAll,
  stopFetches,
  type WaitingFetches,
  waitingAmong,
  waitingFetches,
} from "../../copies/fetching/fetch-all.ts";
import { notFetched } from "../../copies/fetching/request-fetch.ts";
import type { Routes } from "../../http/endpoint.ts";
import { BackField, BackQuery } from "../../web/forms/back.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { PageCall } from "../../web/page.tsx";
import { Title } from "../../web/sections.tsx";
import { local, localTarget, web } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import { displayHost, displayTitle } from "../entries/shown-text.ts";
import type { LibraryParts } from "../library-parts.ts";
import { WaysOut } from "./failure.tsx";
import { fetchesPages } from "./fetches-pages.ts";

const FAILURES_PER_PAGE = 50;
const PAGE = local("/library/copies");

const FailuresQuery = z.object({ before: z.string().optional() });
/** Which links are fetched, and the page that is shown then. */
const FetchForm = BackQuery.extend({ links: z.enum(["missing", "failed"]) });

/** What waits to be fetched, what could not be kept, and requests for many copies. */
export function failurePages(library: LibraryParts): Routes {
  const { pages, database, copyParts } = library;
  const { writeAccess: access, fetching } = copyParts;

  const show = pages.page({ access, inSnapshot: true, query: FailuresQuery }, (call) =>
    failuresView(call, fetchesPages(library, call)),
  );

  const fetchAll = pages.page({ access, body: FetchForm }, async ({ body, caller, client }) => {
    if (fetching === undefined) throw notFetched();
    const now = database.clock.now();
    const count = await database.write((sql) => requestAll(sql, body.links, caller.account?.id, now));
    fetching.wake();
    return seeOther(localTarget(body.back, PAGE), {
      scheme: client.scheme,
      notice: { code: count === 0 ? "nothing-changed" : "copies-asked" },
    });
  });

  const stop = pages.page({ access, body: BackQuery }, async ({ body, client }) => {
    await database.write(stopFetches);
    return seeOther(localTarget(body.back, PAGE), {
      scheme: client.scheme,
      notice: { code: "copies-stopped" },
    });
  });

  return {
    "/library/copies": { GET: show },
    "/library/copies/fetch": { POST: fetchAll },
    "/library/copies/stop": { POST: stop },
  };
}

async function failuresView(
  { read, messages, dates, query }: PageCall<undefined, typeof FailuresQuery>,
  fetches: boolean,
): Promise<View> {
  const labels = messages.copying.failures;
  const before = positionOf(query.before);
  const found = await listFailures(read, FAILURES_PER_PAGE + 1, before);
  const failures = found.slice(0, FAILURES_PER_PAGE);
  const last = found.length > FAILURES_PER_PAGE ? failures.at(-1) : undefined;
  const waiting = await waitingFetches(read);
  const asked = await waitingAmong(
    read,
    failures.map(({ id }) => id),
  );
  const total = await countLinks(read, "failed");
  return {
    title: labels.title,
    layout: "wide",
    noIndex: true,
    body: (
      <>
        <Title text={labels.title}>{total === 0 ? labels.none : labels.intro}</Title>
        <div class="row part">
          <div class="stack">
            <WaitingLine waiting={waiting} messages={messages} back={undefined} />
            {total > 0 && fetches && waiting.all.failed === undefined && (
              <FetchButton links="failed" text={labels.again} back={undefined} />
            )}
            <p>
              <a href={local("/settings/copies")}>{labels.settings}</a>
            </p>
          </div>
        </div>
        {failures.length > 0 && (
          <section class="row part" aria-label={labels.label}>
            <ul class="lines">
              {failures.map((failure) => (
                <Failure
                  failure={failure}
                  when={dates.shortDay(failure.failedAt)}
                  isWaiting={asked.has(failure.id)}
                  fetches={fetches}
                  back={local("/library/copies", { before: query.before })}
                  messages={messages}
                />
              ))}
            </ul>
          </section>
        )}
        {(last !== undefined || before !== undefined) && (
          <div class="row">
            <nav class="pages" aria-label={messages.library.pages}>
              {before === undefined ? <span /> : <a href={PAGE}>{labels.newest}</a>}
              {last !== undefined && (
                <a href={local("/library/copies", { before: textOf(last) })} rel="next">
                  {messages.library.older}
                </a>
              )}
            </nav>
          </div>
        )}
      </>
    ),
  };
}

function Failure({
  failure,
  when,
  isWaiting,
  fetches,
  back,
  messages,
}: {
  readonly failure: FailedPage;
  readonly when: string;
  readonly isWaiting: boolean;
  readonly fetches: boolean;
  readonly back: string;
  readonly messages: Messages;
}): Markup {
  const name = displayTitle(failure);
  return (
    <li>
      <a href={web(failure.url)} rel="noreferrer" dir="auto">
        {name}
      </a>
      <br />
      <span class="host">
        {displayHost(failure.url)} · <span class="when">{when}</span>
      </span>
      <p>{messages.copies.failures[failure.reason]}</p>
      {isWaiting ? (
        <p class="quiet">{messages.copying.failures.isWaiting}</p>
      ) : (
        <WaysOut
          link={failure}
          name={name}
          reason={failure.reason}
          fetches={fetches}
          back={back}
          messages={messages}
        />
      )}
    </li>
  );
}

/** How many pages wait to be fetched, and a button that stops them. @param back the page that the button is on */
export function WaitingLine({
  waiting: { count },
  messages,
  back,
}: {
  readonly waiting: WaitingFetches;
  readonly messages: Messages;
  readonly back: string | undefined;
}): Markup {
  const labels = messages.copying.failures;
  if (count === 0) return <p>{labels.waiting(count)}</p>;
  return (
    <form class="bar" method="post" action={local("/library/copies/stop")}>
      <BackField back={back} />
      <span>{labels.waiting(count)}</span>
      <button class="button plain" type="submit">
        {labels.stop}
      </button>
    </form>
  );
}

/** A button that requests copies of many links. */
export function FetchButton({
  links,
  text,
  back,
}: {
  readonly links: z.output<typeof FetchForm>["links"];
  readonly text: string;
  readonly back: string | undefined;
}): Markup {
  return (
    <form method="post" action={local("/library/copies/fetch")}>
      <BackField back={back} />
      <button class="button plain" type="submit" name="links" value={links}>
        {text}
      </button>
    </form>
  );
}

function positionOf(text: string | undefined): FailurePosition | undefined {
  const [, failedAt, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(text ?? "") ?? [];
  return failedAt === undefined ? undefined : { failedAt: new Date(Number(failedAt)), id: Number(id) };
}

function textOf({ failedAt, id }: FailurePosition): string {
  return `${failedAt.getTime()}.${id}`;
}
