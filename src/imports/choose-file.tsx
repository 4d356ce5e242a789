/** @jsxImportSource #jsx */
import type { FormState } from "../web/forms/form-state.ts";
import { described, ErrorSummary, Field } from "../web/forms/forms.tsx";
import type { Markup } from "../web/jsx/preact.js";
import type { PageContext } from "../web/page.tsx";
import { CodeInText, Section, Title } from "../web/sections.tsx";
import { local, type SafeUrl, segment } from "../web/urls.ts";
import type { View } from "../web/view.ts";
import type { ImportDependencies, ImportPlace } from "./import-pages.ts";
import { listRunningImports } from "./uploads.ts";

interface ChooseFile extends Pick<ImportPlace, "kind" | "below"> {
  readonly title: string;
  readonly intro: Markup;
  /** What to do when a file was refused. */
  readonly advice: Markup;
  readonly about: string;
  readonly fileHint: string;
  /** Of the input. */
  readonly accept: string;
  readonly earlier: readonly EarlierImport[];
  /** What is counted of an earlier import. */
  readonly counted: string;
}

/** The page on which a file is chosen, with the imports that run, and earlier ones. */
export async function chooseFileView(
  { database }: ImportDependencies,
  { messages, dates }: PageContext,
  form: FormState,
  { kind, below, title, intro, advice, about, fileHint, accept, earlier, counted }: ChooseFile,
): Promise<View> {
  const labels = messages.library.importing;
  const running = await listRunningImports(database.read, kind, database.clock.now());
  return {
    title,
    body: (
      <>
        <Title text={title}>{intro}</Title>
        <form class="row part" method="post" action={local(below)} enctype="multipart/form-data">
          <div class="stack">
            <ErrorSummary form={form} messages={messages} refused="import">
              {advice}
            </ErrorSummary>
            <p class="quiet">{about}</p>
            <Field form={form} name="file" label={labels.file} hint={<CodeInText text={fileHint} />}>
              <input {...described(form, "file", fileHint)} type="file" required accept={accept} />
            </Field>
            <p class="bar">
              <button class="button" type="submit">
                {labels.submit}
              </button>
            </p>
          </div>
        </form>
        {running.length > 0 && (
          <Section title={labels.now}>
            <ul class="lines">
              {running.map(({ key, fileName }) => (
                <li>
                  <a href={local(`${below}/${segment(key)}`)} dir="auto">
                    {fileName}
                  </a>
                </li>
              ))}
            </ul>
          </Section>
        )}
        <EarlierImports imports={earlier} counted={counted} messages={messages} dates={dates} />
      </>
    ),
  };
}

/** An import as the page of imports lists it. */
export interface EarlierImport {
  readonly fileName: string;
  readonly createdAt: Date;
  readonly undoneAt: Date | null;
  /** The number of records that it changed. */
  readonly count: number;
  /** The URL of the refused rows, as a file. */
  readonly refused?: { readonly text: string; readonly url: SafeUrl } | undefined;
  readonly undoUrl: SafeUrl;
}

/** Earlier imports, each with the button that undoes it. */
export function EarlierImports({
  imports,
  counted,
  messages,
  dates,
}: {
  readonly imports: readonly EarlierImport[];
  /** What is counted. */
  readonly counted: string;
  readonly messages: PageContext["messages"];
  readonly dates: PageContext["dates"];
}): Markup | null {
  if (imports.length === 0) return null;
  const labels = messages.library.importing;
  return (
    <Section title={labels.earlier}>
      <table class="records">
        <caption class="unseen">{labels.earlier}</caption>
        <thead>
          <tr>
            <th scope="col">{labels.file}</th>
            <th scope="col">{labels.day}</th>
            <th scope="col" class="n">
              {counted}
            </th>
            <th scope="col">
              <span class="unseen">{messages.library.tagsPage.action}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {imports.map(({ fileName, createdAt, undoneAt, count, refused, undoUrl }) => (
            <tr>
              <td>
                <bdi>{fileName}</bdi>
                {refused && (
                  <>
                    <br />
                    <a class="host" href={refused.url} download>
                      {refused.text}
                      <span class="unseen"> {fileName}</span>
                    </a>
                  </>
                )}
              </td>
              <td>{dates.shortDay(createdAt)}</td>
              <td class="n">
                <span class="unit">{counted}: </span>
                {count.toLocaleString(messages.language)}
              </td>
              <td class="n">
                {undoneAt === null ? (
                  <form method="post" action={undoUrl}>
                    <button class="link-button" type="submit">
                      {labels.undo}
                      <span class="unseen"> {fileName}</span>
                    </button>
                  </form>
                ) : (
                  labels.undone
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
