/** @jsxImportSource #jsx */
import type { Markup } from "../jsx/preact.js";
import type { PageContext } from "../page.tsx";
import { Section, Title } from "../sections.tsx";
import type { View } from "../view.ts";

/** What an import does in the background. */
export interface ImportProgress {
  readonly title: string;
  readonly fileName: string;
  /** How far it is, in words. */
  readonly progress: string;
  readonly done: number;
  /** Undefined when it is unknown. */
  readonly total: number | undefined;
  /** How often the page is read again where no script runs, in seconds. */
  readonly refreshEvery: number;
  /** What stands below the progress. */
  readonly below: Markup;
}

/** The progress of an import. The script updates it every two seconds. */
export function progressView({ messages }: Pick<PageContext, "messages">, shown: ImportProgress): View {
  const { title, fileName, progress, done, total, refreshEvery, below } = shown;
  return {
    title,
    scripts: ["library.js"],
    head: (
      <noscript>
        <meta http-equiv="refresh" content={`${refreshEvery}`} />
      </noscript>
    ),
    body: (
      <running-import>
        <Title text={title}>
          <bdi>{fileName}</bdi>
        </Title>
        <Section title={messages.library.importing.now}>
          <label for="progress">{progress}</label>
          {total === undefined ? (
            <progress id="progress" />
          ) : (
            <progress id="progress" max={Math.max(total, 1)} value={done} />
          )}
          {below}
        </Section>
      </running-import>
    ),
  };
}
