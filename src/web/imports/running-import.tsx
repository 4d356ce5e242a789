/** @jsxImportSource #jsx */
import type { PageContext } from "../page.tsx";
import type { SafeUrl } from "../urls.ts";
import type { View } from "../view.ts";
import { type ImportProgress, progressView } from "./progress-view.tsx";

/** An import that runs in the background. */
export interface RunningImport extends Pick<ImportProgress, "fileName" | "progress" | "done"> {
  readonly total: number;
  /** Why the last attempt failed, as a sentence; undefined unless the import waits for another one. */
  readonly trouble?: string | undefined;
  /** The address of this page. */
  readonly url: SafeUrl;
}

/** How often the page is read again where no script runs, in seconds. */
const REFRESH_EVERY = 5;

/** The progress of an import. */
export function runningView(context: Pick<PageContext, "messages">, running: RunningImport): View {
  const labels = context.messages.library.importing;
  const { trouble, url, ...progress } = running;
  return progressView(context, {
    ...progress,
    title: labels.running,
    refreshEvery: REFRESH_EVERY,
    below: (
      <>
        {trouble !== undefined && <p role="status">{labels.retrying(trouble)}</p>}
        <p class="quiet">{labels.leave}</p>
        <p class="without-script">
          <a class="button plain" href={url}>
            {labels.refresh}
          </a>
        </p>
      </>
    ),
  });
}
