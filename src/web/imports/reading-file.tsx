/** @jsxImportSource #jsx */
import type { PageContext } from "../page.tsx";
import type { SafeUrl } from "../urls.ts";
import type { View } from "../view.ts";
import { type ImportProgress, progressView } from "./progress-view.tsx";

/** How often the page is read again where no script runs, in seconds. */
const REFRESH_EVERY = 2;

/** A file that is read for its preview. */
export interface ReadingFile extends Pick<ImportProgress, "fileName" | "progress" | "done" | "total"> {
  /** The address of this page. */
  readonly url: SafeUrl;
}

/** The progress of reading a file, which can be canceled. */
export function readingView(context: Pick<PageContext, "messages">, reading: ReadingFile): View {
  const labels = context.messages.library.importing;
  const { url, ...progress } = reading;
  const view = progressView(context, {
    ...progress,
    title: labels.reading.title,
    refreshEvery: REFRESH_EVERY,
    below: (
      <>
        <p class="quiet">{labels.reading.leave}</p>
        <form class="bar" method="post" action={url}>
          <button class="button plain" type="submit" name="cancel" value="1">
            {labels.reading.cancel}
          </button>
          <a class="button plain without-script" href={url}>
            {labels.refresh}
          </a>
        </form>
      </>
    ),
  });
  return { ...view, noIndex: true };
}
