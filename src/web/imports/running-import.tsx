/** @jsxImportSource #jsx */
import type { PageContext } from "../page.tsx";
import { Section, Title } from "../sections.tsx";
import type { SafeUrl } from "../urls.ts";
import type { View } from "../view.ts";

/** An import that runs in the background. */
export interface RunningImport {
  readonly fileName: string;
  /** How far it is, in words. */
  readonly progress: string;
  readonly done: number;
  readonly total: number;
  /** Why the last attempt failed, as a sentence; undefined unless the import waits for another one. */
  readonly trouble?: string | undefined;
  /** The address of this page. */
  readonly url: SafeUrl;
}

/** How often the page is read again where no script runs, in seconds. */
const REFRESH_EVERY = 5;

/** The progress of an import. The script updates it every two seconds. */
export function runningView({ messages }: Pick<PageContext, "messages">, running: RunningImport): View {
  const labels = messages.library.importing;
  const { fileName, progress, done, total, trouble, url } = running;
  return {
    title: labels.running,
    scripts: ["library.js"],
    head: (
      <noscript>
        <meta http-equiv="refresh" content={`${REFRESH_EVERY}`} />
      </noscript>
    ),
    body: (
      <running-import>
        <Title text={labels.running}>
          <bdi>{fileName}</bdi>
        </Title>
        <Section title={labels.now}>
          <label for="progress">{progress}</label>
          <progress id="progress" max={Math.max(total, 1)} value={done} />
          {trouble !== undefined && <p role="status">{labels.retrying(trouble)}</p>}
          <p class="quiet">{labels.leave}</p>
          <p class="without-script">
            <a class="button plain" href={url}>
              {labels.refresh}
            </a>
          </p>
        </Section>
      </running-import>
    ),
  };
}
