/** @jsxImportSource #jsx */
import type { PageContext } from "../page.tsx";
import { Section, Title } from "../sections.tsx";
import type { SafeUrl } from "../urls.ts";
import type { View } from "../view.ts";

/** How often the page is read again where no script runs, in seconds. */
const REFRESH_EVERY = 2;

/** A file that is read for its preview. */
export interface ReadingFile {
  readonly fileName: string;
  /** How far it is, in words. */
  readonly progress: string;
  readonly done: number;
  /** Undefined when it is unknown. */
  readonly total: number | undefined;
  /** The address of this page. */
  readonly url: SafeUrl;
}

/** The progress of reading a file. The script updates it every two seconds. */
export function readingView({ messages }: Pick<PageContext, "messages">, reading: ReadingFile): View {
  const labels = messages.library.importing;
  const { fileName, progress, done, total, url } = reading;
  return {
    title: labels.reading.title,
    noIndex: true,
    scripts: ["library.js"],
    head: (
      <noscript>
        <meta http-equiv="refresh" content={`${REFRESH_EVERY}`} />
      </noscript>
    ),
    body: (
      <running-import>
        <Title text={labels.reading.title}>
          <bdi>{fileName}</bdi>
        </Title>
        <Section title={labels.now}>
          <label for="progress">{progress}</label>
          {total === undefined ? (
            <progress id="progress" />
          ) : (
            <progress id="progress" max={Math.max(total, 1)} value={done} />
          )}
          <p class="quiet">{labels.reading.leave}</p>
          <form class="bar" method="post" action={url}>
            <button class="button plain" type="submit" name="cancel" value="1">
              {labels.reading.cancel}
            </button>
            <a class="button plain without-script" href={url}>
              {labels.refresh}
            </a>
          </form>
        </Section>
      </running-import>
    ),
  };
}
