import { z } from "zod";
import type { Sql } from "../database/database.ts";
import { notFound, orNotFound, Refusal } from "../errors.ts";
import type { Access } from "../http/access.ts";
import { type BodyDecoder, MULTIPART_BODY } from "../http/body/body-decoders.ts";
import { okWithContentTag } from "../http/caching/content-response.ts";
import { checkPreconditions, contentTag, isNotModified } from "../http/caching/etags.ts";
import { endpoint, NOT_MODIFIED_RESPONSE, type Routes } from "../http/endpoint.ts";
import { envelope, pageNotFound, pageOf, pageParameters, pageSchema } from "../http/pagination.ts";
import { noContent, notModified, totalCount } from "../http/response-data.ts";
import { limits } from "../limits.ts";
import { Timestamp } from "../text.ts";
import { acceptImage, unsupportedImage } from "./accept-image.ts";
import { IMAGE_TYPES, type Media, mediaPath, parseMediaName } from "./media.ts";
import {
  bytesOf,
  deleteMedia,
  findMedia,
  findMediaVariant,
  listMedia,
  type StoredBytes,
} from "./media-store.ts";
import { type MediaPlaces, storeImage } from "./place-images.ts";

const tag = { name: "Media", description: "Images for posts." };
const SHA = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c";
const example = { url: `/media/${SHA}.jpg`, width: 2400, height: 1600 };
const missing = notFound("Image", SHA);
const params = z.object({ sha: z.string().describe("The image's name, without its type.") });

const Uploaded = z
  .object({
    url: z.string().describe("The path of the image on this server."),
    width: z.int().min(1),
    height: z.int().min(1),
  })
  .meta({ id: "UploadedImage" });

const Listed = Uploaded.extend({
  size: z.int().min(1).describe("In bytes."),
  created_at: Timestamp,
  used: z.boolean().describe("Whether a post, a working copy or the site uses it."),
}).meta({ id: "ListedImage" });

/** The body can be the image itself instead of a form. */
const IMAGE_BODIES: readonly BodyDecoder[] = Object.values(IMAGE_TYPES).map((mediaType) => ({
  mediaType,
  isFile: true,
  decode: (bytes) => ({ file: new File([bytes as Uint8Array<ArrayBuffer>], "image") }),
}));

export interface MediaApiDependencies extends MediaPlaces {
  readonly readAccess: Access;
  /** Accounts only. */
  readonly writeAccess: Access;
  /** Who may know the images of drafts, too. */
  readonly readAllAccess: Access;
  /** The names of all images that are used anywhere. */
  readonly findUsed: (sql: Sql) => Promise<ReadonlySet<string>>;
}

/** Uploading images, and the images themselves. */
export function mediaApi(dependencies: MediaApiDependencies): Routes {
  const { database, objects, readAccess, writeAccess, readAllAccess, findUsed } = dependencies;
  let reading = 0;

  const create = endpoint(
    {
      id: "uploadImage",
      tag,
      summary: "Upload an image",
      description:
        "JPEG, PNG or WebP, as the body or as `file` of a form. It is re-encoded without its metadata (location, camera), " +
        "at most 2,400 pixels wide and high. Its `url` is a path of this server, for use in posts.",
      access: writeAccess,
      body: z.object({ file: z.file() }).meta({ id: "ImageUpload" }),
      takes: [MULTIPART_BODY, ...IMAGE_BODIES],
      example: { file: "(bytes)" },
      bodyLimit: limits().mediaBytes,
      responses: {
        201: { description: "The image.", schema: Uploaded, example, headers: ["Location"] },
      },
      refusals: [unsupportedImage(), "too_large"],
    },
    async ({ body, caller }) => {
      const accepted = await acceptImage(new Uint8Array(await body.file.arrayBuffer()));
      const media = await storeImage(dependencies, accepted, caller.account?.id);
      const location = `/api/media/${media.sha}/`;
      return { status: 201, body: JSON.stringify(toUploaded(media)), location };
    },
  );

  const list = endpoint(
    {
      id: "listImages",
      tag,
      summary: "List images",
      description:
        "A page of images, newest first; `used` says whether a post, a working copy or the site uses the image.",
      access: writeAccess,
      reads: readAllAccess,
      query: z.object({
        ...pageParameters,
        used: z
          .enum(["true", "false"])
          .optional()
          .describe("Only images that are used (`true`) or unused (`false`)."),
      }),
      headers: ["If-None-Match"],
      responses: {
        200: {
          description: "The page.",
          schema: pageSchema(Listed, "ImagePage"),
          example: {
            count: 1,
            next: null,
            previous: null,
            results: [{ ...example, size: 400_000, created_at: "2026-11-21T06:40:12.345Z", used: true }],
          },
          headers: ["ETag", "X-Total-Count"],
        },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [pageNotFound(1)],
    },
    async ({ request, client, path, search, query, mayRead }) => {
      const { used, stored } = await database.snapshot(async (read) => ({
        used: await findUsed(read),
        // The path of an image is all that it takes to see it.
        stored: mayRead ? await listMedia(read) : [],
      }));
      const all = stored.filter(
        ({ sha }) => query.used === undefined || used.has(sha) === (query.used === "true"),
      );
      const page = pageOf(query, all.length);
      const results = all.slice(page.offset, page.offset + page.limit).map((media) => ({
        ...toUploaded(media),
        size: media.size,
        created_at: media.createdAt.toISOString(),
        used: used.has(media.sha),
      }));
      const listed = envelope(page, client.origin + path, search, results);
      return okWithContentTag(request, database, listed, { headers: totalCount(page.count) });
    },
  );

  const read = endpoint(
    {
      id: "readImage",
      tag,
      summary: "Read an image's details",
      description: "The path and size of an image. The image itself is at the path.",
      access: writeAccess,
      params,
      headers: ["If-None-Match"],
      responses: {
        200: { description: "The image.", schema: Uploaded, example, headers: ["ETag"] },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [missing],
    },
    async ({ request, params }) =>
      okWithContentTag(request, database, toUploaded(await existing(database.read, params.sha))),
  );

  const remove = endpoint(
    {
      id: "deleteImage",
      tag,
      summary: "Delete an image",
      description: "Deletes the image permanently, unless a post, a working copy or the site uses it.",
      access: writeAccess,
      params,
      headers: ["If-Match", "If-None-Match"],
      responses: { 204: { description: "Deleted." } },
      refusals: [missing, inUse()],
    },
    ({ request, params: { sha } }) =>
      database.write(async (sql) => {
        const uploaded = toUploaded(await existing(sql, sha));
        checkPreconditions(request, contentTag(database.epoch, uploaded));
        if ((await findUsed(sql)).has(sha)) throw inUse();
        await deleteMedia(sql, sha, database.clock.now());
        return noContent();
      }),
  );

  const show = endpoint(
    {
      id: "showImage",
      tag,
      summary: "Read an image",
      description:
        "The image; with `-480`, `-800`, `-1200` or `-1600` before the type, a smaller version if it has one: `srcset` in the " +
        "HTML of posts names them. It never changes.",
      access: readAccess,
      params: z.object({ name: z.string().describe("The last part of the image's `url`.") }),
      headers: ["If-None-Match"],
      responses: {
        200: { description: "The image.", contentType: Object.values(IMAGE_TYPES), headers: ["ETag"] },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [missing],
    },
    async ({ request, params: { name } }) => {
      const parsed = parseMediaName(name);
      const etag = `"${name}"`;
      const stored = parsed && (await findMediaVariant(database.read, parsed));
      if (parsed === undefined || stored === undefined) throw notFound("Image", name);
      const caching = readAccess.anonymous ? "immutable" : "private";
      const headers = {
        ...(caching === "private" && { "cache-control": "private, max-age=31536000, immutable" }),
        "content-security-policy": "default-src 'none'; sandbox",
      };
      if (isNotModified(request, etag)) return { ...notModified(etag, caching), headers };
      const contentType = IMAGE_TYPES[parsed.type as keyof typeof IMAGE_TYPES];
      const bytes = stored.bytes ?? (await readBeside(stored));
      return { status: 200, body: bytes, contentType, etag, caching, headers };
    },
  );

  /** @throws Refusal `unavailable` when too many are being read */
  async function readBeside(stored: StoredBytes): Promise<Uint8Array> {
    if (reading >= READS_MAX)
      throw new Refusal("unavailable", "Too many images are being read: try again in a moment.", {
        retryAfter: 2,
      });
    reading++;
    try {
      return await bytesOf(stored, objects);
    } finally {
      reading--;
    }
  }

  return {
    "/api/media/": { GET: list, POST: create },
    "/api/media/{sha}/": { GET: read, DELETE: remove },
    "/media/{name}": { GET: show },
  };
}

/** The number of images read from beside the database at once: were it slow, they would be all requests of a process. */
const READS_MAX = 64;

async function existing(sql: Sql, sha: string): Promise<Media> {
  return orNotFound(/^[0-9a-f]{40}$/.test(sha) ? await findMedia(sql, sha) : undefined, "Image", sha);
}

function toUploaded(media: Media): z.output<typeof Uploaded> {
  return { url: mediaPath(media), width: media.width, height: media.height };
}

function inUse(): Refusal {
  return new Refusal("conflict", "This image cannot be deleted: a post, a working copy or the site uses it.");
}
