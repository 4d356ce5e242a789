import type { SitePicture, SitePictures } from "../web/site/site-pictures.ts";
import { acceptImage, inTurn } from "./accept-image.ts";
import { type Media, mediaPath, parseMediaName } from "./media.ts";
import { bytesOf, findMedia, findMediaVariant, findWidths } from "./media-store.ts";
import { type MediaPlaces, storeImage } from "./place-images.ts";

/** The pictures of the site among the uploaded images. */
export function storedSitePictures(places: MediaPlaces): SitePictures {
  const { database, objects } = places;

  async function mediaAt(path: string): Promise<Media | undefined> {
    const name = parseMediaName(path.slice("/media/".length));
    const media = name && (await findMedia(database.read, name.sha));
    return media !== undefined && mediaPath(media) === path ? media : undefined;
  }

  return {
    async store(bytes, accountId) {
      return pictureOf(await storeImage(places, await acceptImage(bytes), accountId));
    },
    async find(path) {
      const media = await mediaAt(path);
      return media && pictureOf(media);
    },
    async png(path, width) {
      const media = await mediaAt(path);
      if (media === undefined) return undefined;
      const [widths] = await findWidths(database.read, [media.sha]);
      const smaller = widths?.smaller.find((one) => one >= width);
      const stored = await findMediaVariant(database.read, { ...media, width: smaller });
      if (stored === undefined) return undefined;
      const bytes = await bytesOf(stored, objects);
      return inTurn(() => new Bun.Image(bytes).resize(width, width, { fit: "fill" }).png().bytes());
    },
  };
}

function pictureOf(media: Media): SitePicture {
  return { path: mediaPath(media), width: media.width, height: media.height };
}
