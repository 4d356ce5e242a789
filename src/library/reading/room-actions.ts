import { z } from "zod";
import { changeStatesOf } from "../../bookmarks/bookmark-states.ts";
import { countChange, findBookmark } from "../../bookmarks/bookmark-store.ts";
import { lockCopies } from "../../copies/copy-blobs.ts";
import { copiesChanged } from "../../copies/copy-changes.ts";
import { chooseCopy, finishReading, keepPlace } from "../../copies/reading-store.ts";
import { notFound, orNotFound } from "../../errors.ts";
import { noContent } from "../../http/response-data.ts";
import { FormNumber } from "../../web/forms/form-number.ts";
import type { Pages } from "../../web/page.tsx";
import { COLOR_SCHEMES, READING_LOOK } from "../../web/site/site-settings.ts";
import { saveSite } from "../../web/site/site-store.ts";
import { local } from "../../web/urls.ts";
import { seeOther } from "../../web/view.ts";
import { EntryParams } from "../entries/edit-page.tsx";
import type { LibraryParts } from "../library-parts.ts";
import { nextThree, postpone } from "../next-to-read/next-store.ts";

const EndForm = z.object({
  act: z.enum(["archive", "keep", "later", "choose"]),
  /** The copy that is read from now on. */
  copy: FormNumber.optional(),
});

const LookForm = z.object({
  size: z.enum(READING_LOOK.size).optional(),
  width: z.enum(READING_LOOK.width).optional(),
  face: z.enum(READING_LOOK.face).optional(),
  theme: COLOR_SCHEMES.optional(),
  /** Whether a script has asked, which shows the page by itself. */
  quiet: z.string().optional(),
});

const PlaceForm = z.object({
  /** The copy that was shown. */
  copy: FormNumber,
  /** In characters of its text. */
  place: FormNumber.refine((place) => place <= PLACE_MAX),
  /** In hundredths. */
  progress: FormNumber.refine((progress) => progress <= 100),
});

/** No text has more characters. */
const PLACE_MAX = 100_000_000;

/** What the room changes. */
export function roomActions({ database, copyParts, search }: LibraryParts, pages: Pages) {
  const { store, writeAccess: access } = copyParts;

  /** `POST /library/{id}/read`: what is done at the end of a text, or with another copy. */
  const end = pages.page(
    { access, params: EntryParams, body: EndForm },
    async ({ params, body: { act, copy: copyId }, client: { scheme } }) => {
      const { id } = orNotFound(await findBookmark(database.read, params.id), "Bookmark", params.id);
      const now = database.clock.now();
      if (act === "choose") {
        await database.write(async (sql) => {
          await lockCopies(sql);
          const copy = copyId === undefined ? undefined : await store.find(sql, id, copyId);
          if (copy === undefined) throw notFound("Copy", copyId ?? "");
          await chooseCopy(sql, id, copy.id, now);
          await copiesChanged(sql, [id]);
          // Searches find other words.
          await countChange(sql, 1, 0);
        });
        return seeOther(local(`/library/${id}/read`), { scheme, notice: { code: "copy-chosen" } });
      }
      // Before it is archived: what is next was shown.
      const next =
        act === "archive"
          ? (await search.apart((sql) => nextThree(sql, now))).find((one) => one !== id)
          : undefined;
      await database.write(async (sql) => {
        if (act === "later") {
          await changeStatesOf(sql, [id], { unread: true }, now);
          await postpone(sql, id, now);
        } else {
          const states = { unread: false, ...(act === "archive" && { archived: true }) };
          await changeStatesOf(sql, [id], states, now);
          await finishReading(sql, id);
        }
      });
      const action = { archive: "archive", keep: "read", later: "postpone" }[act];
      return seeOther(next === undefined ? local("/library/later") : local(`/library/${next}/read`), {
        scheme,
        notice: { code: "link-dealt-with", about: `${action}-${id}` },
      });
    },
  );

  /** `POST /library/{id}/read/look`: how all copies are set. */
  const look = pages.page(
    { access, params: EntryParams, body: LookForm },
    async ({ params, body: { size, width, face, theme, quiet }, caller }) => {
      const { id } = orNotFound(await findBookmark(database.read, params.id), "Bookmark", params.id);
      await database.write((sql) =>
        saveSite(
          sql,
          {
            ...{ readingSize: size, readingWidth: width, readingFace: face },
            screenTheme: caller.account && theme,
          },
          database.clock.now(),
        ),
      );
      return quiet === undefined ? seeOther(local(`/library/${id}/read`)) : noContent();
    },
  );

  /** `POST /library/{id}/read/place`: where the reader of a copy is. It is kept for the copy that is read alone. */
  const place = pages.page(
    { access, params: EntryParams, body: PlaceForm },
    async ({ params, body: { copy, ...place } }) => {
      const { id } = orNotFound(await findBookmark(database.read, params.id), "Bookmark", params.id);
      await database.write(async (sql) => {
        const read = await store.read(sql, id);
        if (read?.id === copy) await keepPlace(sql, id, place, database.clock.now());
      });
      return noContent();
    },
  );

  return { end, look, place };
}
