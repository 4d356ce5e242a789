import type { Copy } from "../../../src/copies/copy.ts";
import { CopyRoom } from "../../../src/copies/copy-room.ts";
import type { ExtractedPage } from "../../../src/copies/extraction/extract-page.ts";
import { CopyKeeper, type PageToKeep } from "../../../src/copies/keep-copy.ts";
import type { Database } from "../../../src/database/database.ts";
import type { ObjectStore } from "../../../src/media/object-store.ts";
import { makeImage } from "../files/images.ts";

/** A page as the extractor gives it, with one picture. @param words that stand in its title, its text and its original */
export async function extractedPage(
  words: string,
  more: Partial<ExtractedPage> = {},
): Promise<ExtractedPage> {
  const picture = await makeImage("png", { width: 4, height: 3 });
  return {
    ...{ title: words, byline: "Ada", site: "Example", language: "en", direction: "ltr" },
    ...{ publishedAt: new Date(1_700_000_000_000), words: words.split(" ").length, isArticle: true },
    html: `<p>${words}</p><figure><img src="picture-1" alt="A picture"></figure>`,
    text: words,
    pictures: [{ url: "data:", bytes: picture }],
    ...more,
  };
}

/** Keeps a copy of a bookmark's page, with a picture, and with a larger one in its original. */
export async function makeCopy(
  database: Database,
  bookmarkId: number,
  words: string,
  { objects, ...more }: Partial<PageToKeep> & { readonly objects?: ObjectStore } = {},
): Promise<Copy> {
  const keeper = new CopyKeeper({ database, objects, room: new CopyRoom(database, 1e12) });
  const inside = Buffer.from(await makeImage("png", { width: 40, height: 30 })).toString("base64");
  const original = {
    bytes: Buffer.from(`<title>${words}</title><p>${words}<img src="data:image/png;base64,${inside}">`),
    type: "text/html; charset=utf-8",
  };
  const kept = { origin: "browser", url: "https://example.com/", original } as const;
  return keeper.keep(bookmarkId, { ...kept, page: await extractedPage(words), ...more }, undefined);
}
