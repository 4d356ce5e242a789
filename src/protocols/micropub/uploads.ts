import { acceptImage } from "../../media/accept-image.ts";
import { mediaPath } from "../../media/media.ts";
import { type MediaPlaces, storeImage } from "../../media/place-images.ts";
import type { Properties } from "./command.ts";
import { invalidRequest } from "./operation.ts";

/** Stores an uploaded image. @returns its absolute URL */
export async function storeUpload(
  places: MediaPlaces,
  file: File,
  { origin, accountId }: { readonly origin: string; readonly accountId: number | undefined },
): Promise<string> {
  const accepted = await acceptImage(new Uint8Array(await file.arrayBuffer()));
  return origin + mediaPath(await storeImage(places, accepted, accountId));
}

/** Replaces files by the URLs under which they are stored, and adds the alternative text to each photo. */
export async function withUploadedUrls(
  properties: Properties,
  upload: (file: File) => Promise<string>,
): Promise<Properties> {
  const { "mp-photo-alt": alts = [], ...others } = properties;
  const stored: Record<string, readonly unknown[]> = {};
  for (const [name, values] of Object.entries(others)) {
    const urls: unknown[] = [];
    for (const value of values) {
      if (value instanceof File && name !== "photo")
        throw invalidRequest(`${name}: only photos can be uploaded as files.`);
      urls.push(value instanceof File ? await upload(value) : value);
    }
    stored[name] = name === "photo" ? urls.map((url, index) => withAlt(url, alts[index])) : urls;
  }
  return stored;
}

function withAlt(photo: unknown, alt: unknown): unknown {
  return typeof photo === "string" && typeof alt === "string" && alt !== "" ? { value: photo, alt } : photo;
}
