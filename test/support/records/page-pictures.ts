import { placed } from "../../../src/copies/page-pictures/keep-page-picture.ts";
import { storePicture } from "../../../src/copies/page-pictures/page-picture-store.ts";
import type { Database } from "../../../src/database/database.ts";
import { acceptPagePicture } from "../../../src/media/accept-page-picture.ts";
import { makeImage } from "../files/images.ts";

/** The picture of all pages: to make it takes as long as to show a page. */
let made: ReturnType<typeof acceptPagePicture> | undefined;

/** Keeps a picture of 480 by 252 pixels for the page at a URL. @param isPublic whether the server has fetched it */
export async function makePagePicture(
  database: Database,
  url: string,
  { isPublic = true }: { readonly isPublic?: boolean } = {},
): Promise<void> {
  made ??= makeImage("png", { width: 960, height: 504 }).then(acceptPagePicture);
  const accepted = await made;
  if (accepted === undefined) throw new Error("it is no picture of a page");
  const picture = await placed({ database, objects: undefined }, accepted);
  const readAt = new Date();
  await database.write((sql) => storePicture(sql, url, { picture, isPublic, readAt }, readAt));
}
