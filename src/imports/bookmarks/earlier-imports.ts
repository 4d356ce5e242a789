import type { Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import {
  formatOfImport,
  isSiteFormat,
  listImports,
  type RecordedImport,
} from "../../transfer/import/recorded-imports.ts";
import { undoImport } from "../../transfer/import/undo-import.ts";
import type { Messages } from "../../web/messages/en.ts";
import type { PageCall } from "../../web/page.tsx";
import { local } from "../../web/urls.ts";
import { seeOther } from "../../web/view.ts";
import type { EarlierImport } from "../earlier-imports.tsx";
import type { ImportDependencies, ImportParams } from "../import-pages.ts";
import { isRunning } from "../uploads.ts";

/** The number of shown imports; `commonplace import --list` shows all. */
const SHOWN = 20;

/** The latest finished imports of bookmarks, newest first. */
export async function earlierImports(sql: Sql, messages: Messages): Promise<EarlierImport[]> {
  const all = (await listImports(sql)).filter(({ format }) => !isSiteFormat(format));
  const imports = all.toReversed().slice(0, SHOWN);
  const running = await Promise.all(imports.map(({ id }) => isRunning(sql, id)));
  return imports.filter((_, index) => !running[index]).map((one) => earlierImport(one, messages));
}

function earlierImport(
  { id, fileName, createdAt, undoneAt, added, updated, refused }: RecordedImport,
  messages: Messages,
): EarlierImport {
  return {
    ...{ fileName, createdAt, undoneAt, count: added + updated },
    refused:
      refused === 0
        ? undefined
        : {
            text: messages.library.importing.refusedFile(refused),
            url: local(`/library/import/${id}/refused.json`),
          },
    undoUrl: local(`/library/import/${id}/undo`),
  };
}

/** `POST /library/import/{id}/undo` */
export async function undoOneImport(
  { database }: ImportDependencies,
  { params, client }: PageCall<typeof ImportParams>,
) {
  if (isSiteFormat(await formatOfImport(database.read, params.key)))
    throw new Refusal("conflict", "This was the import of a blog. Undo it on the page “Import a blog”.");
  if (await isRunning(database.read, params.key))
    throw new Refusal("conflict", "This import is still running: undo it when it is done.");
  await undoImport(database, params.key, database.clock.now());
  return seeOther(local("/library/import"), {
    scheme: client.scheme,
    notice: { code: "import-undone", about: String(params.key) },
  });
}
