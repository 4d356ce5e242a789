/** @jsxImportSource #jsx */
import { z } from "zod";
import { listImports, type RecordedImport } from "../../bookmarks/import/history/recorded-imports.ts";
import { undoImport } from "../../bookmarks/import/history/undo-import.ts";
import type { Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageCall, PageContext } from "../../web/page.tsx";
import { Part } from "../../web/parts.tsx";
import { local } from "../../web/urls.ts";
import { seeOther } from "../../web/view.ts";
import type { LibraryParts } from "../library-parts.ts";
import { isRunning } from "./import-uploads.ts";

/** The number of shown imports; `commonplace import --list` shows all. */
const SHOWN = 20;

export const ImportParams = z.object({
  key: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
});

/** The latest finished imports, newest first. */
export async function earlierImports(sql: Sql): Promise<RecordedImport[]> {
  const imports = (await listImports(sql)).toReversed().slice(0, SHOWN);
  const running = await Promise.all(imports.map(({ id }) => isRunning(sql, id)));
  return imports.filter((_, index) => !running[index]);
}

/** `POST /library/import/{id}/undo` */
export async function undoOneImport(
  { database }: LibraryParts,
  { params, client }: PageCall<typeof ImportParams>,
) {
  if (await isRunning(database.read, params.key))
    throw new Refusal("conflict", "This import is still running: undo it when it is done.");
  await undoImport(database, params.key, new Date());
  return seeOther(local("/library/import"), {
    scheme: client.scheme,
    notice: { code: "import-undone" },
  });
}

export function EarlierImports({
  imports,
  words,
  dates,
}: {
  readonly imports: readonly RecordedImport[];
  readonly words: PageContext["words"];
  readonly dates: PageContext["dates"];
}): Markup {
  const say = words.library.importing;
  return (
    <Part title={say.earlier}>
      <table class="records">
        <caption class="unseen">{say.earlier}</caption>
        <thead>
          <tr>
            <th scope="col">{say.file}</th>
            <th scope="col">{say.day}</th>
            <th scope="col" class="n">
              {say.links}
            </th>
            <th scope="col">
              <span class="unseen">{words.library.tagsPage.action}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {imports.map(({ id, fileName, createdAt, undoneAt, added, updated, refused }) => (
            <tr>
              <td>
                <bdi>{fileName}</bdi>
                {refused > 0 && (
                  <>
                    <br />
                    <a class="host" href={local(`/library/import/${id}/refused.json`)} download>
                      {say.refusedFile(refused)}
                      <span class="unseen"> {fileName}</span>
                    </a>
                  </>
                )}
              </td>
              <td>{dates.shortDay(createdAt)}</td>
              <td class="n">{(added + updated).toLocaleString(words.language)}</td>
              <td class="n">
                {undoneAt === null ? (
                  <form method="post" action={local(`/library/import/${id}/undo`)}>
                    <button class="link-button" type="submit">
                      {say.undo}
                      <span class="unseen"> {fileName}</span>
                    </button>
                  </form>
                ) : (
                  say.undone
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  );
}
