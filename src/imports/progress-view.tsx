/** @jsxImportSource #jsx */
import type { Markup } from "../web/jsx/preact.js";
import type { PageContext } from "../web/page.tsx";
import { Section, Title } from "../web/sections.tsx";
import type { SafeUrl } from "../web/urls.ts";
import type { View } from "../web/view.ts";

type Said = Pick<PageContext, "messages">;

/** What happens to a file in the background. */
export interface ImportProgress {
  readonly fileName: string;
  /** How far it is, in words. */
  readonly progress: string;
  readonly done: number;
  /** Undefined when it is unknown. */
  readonly total: number | undefined;
  /** Why the last attempt failed, as a sentence; undefined unless it waits for another one. */
  readonly trouble: string | undefined;
  /** The address of this page. */
  readonly url: SafeUrl;
}

/** The progress of reading a file, which can be canceled. */
export function readingView(context: Said, reading: ImportProgress): View {
  const labels = context.messages.library.importing;
  const below = (
    <>
      <p class="quiet">{labels.reading.leave}</p>
      <form class="bar" method="post" action={reading.url}>
        <button class="button plain" type="submit" name="cancel" value="1">
          {labels.reading.cancel}
        </button>
        <a class="button plain without-script" href={reading.url}>
          {labels.refresh}
        </a>
      </form>
    </>
  );
  return { ...progressView(context, labels.reading.title, 2, reading, below), noIndex: true };
}

/** The progress of an import. @param running whether it can be stopped, too */
export function runningView(
  context: Said,
  { canStop, ...running }: ImportProgress & { readonly canStop: boolean },
): View {
  const labels = context.messages.library.importing;
  const below = (
    <>
      <p class="quiet">{labels.leave}</p>
      {canStop && (
        <form class="bar" method="post" action={running.url}>
          <button class="button plain" type="submit" name="cancel" value="1">
            {labels.reading.cancel}
          </button>
        </form>
      )}
      <p class="without-script">
        <a class="button plain" href={running.url}>
          {labels.refresh}
        </a>
      </p>
    </>
  );
  return progressView(context, labels.running, 5, running, below);
}

/** @param refreshEvery how often the page is read again where no script runs, in seconds; the script does it every two */
function progressView(
  { messages }: Said,
  title: string,
  refreshEvery: number,
  { fileName, progress, done, total, trouble }: ImportProgress,
  below: Markup,
): View {
  const labels = messages.library.importing;
  return {
    title,
    scripts: ["running-job.js"],
    head: (
      <noscript>
        <meta http-equiv="refresh" content={`${refreshEvery}`} />
      </noscript>
    ),
    body: (
      <running-job>
        <Title text={title}>
          <bdi>{fileName}</bdi>
        </Title>
        <Section title={labels.now}>
          <label for="progress">{progress}</label>
          {total === undefined ? (
            <progress id="progress" />
          ) : (
            <progress id="progress" max={Math.max(total, 1)} value={done} />
          )}
          {trouble !== undefined && <p role="status">{labels.retrying(trouble)}</p>}
          {below}
        </Section>
      </running-job>
    ),
  };
}
