import { z } from "zod";
import { removeBookmarks } from "../../bookmarks/bulk/change-many.ts";
import type { Database, Sql } from "../../database/database.ts";
import { FORM_BODY, type FormFields, JSON_BODY, MULTIPART_BODY } from "../../http/body/body-decoders.ts";
import type { Call, Routes } from "../../http/endpoint.ts";
import { runOnce } from "../../http/idempotency.ts";
import { noContent, type ResponseData } from "../../http/response-data.ts";
import { limits } from "../../limits.ts";
import { acceptImage } from "../../media/accept-image.ts";
import { mediaPath } from "../../media/media.ts";
import { type MediaPlaces, storeImage } from "../../media/place-images.ts";
import { findPostOrDraft } from "../../posts/post-store.ts";
import { restoreRemoved } from "../../undo/undo.ts";
import {
  bookmarkLocation,
  createBookmarkEntry,
  requireBookmark,
  updateBookmarkEntry,
} from "./bookmark-entry.ts";
import {
  type MicropubCommand,
  type Properties,
  type PropertyChange,
  parseFormCommand,
  parseJsonCommand,
} from "./command.ts";
import { CITATION_PROPERTIES } from "./entry.ts";
import type { MicropubDependencies } from "./micropub-dependencies.ts";
import { insufficientScope, invalidRequest, micropubOperation } from "./operation.ts";
import { authorizeAction, isLimitedToDrafts, learns, tokenAccess, tokenCaller } from "./permissions.ts";
import {
  createPostEntry,
  type EntryContext,
  postLocation,
  removePostEntry,
  restorePostEntry,
  updatePostEntry,
} from "./post-entry.ts";
import { answerQuery } from "./queries.ts";
import { resolveTarget } from "./target.ts";

const Body = z.looseObject({});
type MicropubCall = Call<undefined, undefined, typeof Body>;

/** Micropub (W3C Recommendation of 23 May 2017): posts written by other programs (docs/other-clients.md). */
export function micropubApi(dependencies: MicropubDependencies): Routes {
  const { authenticator, bodyLimit } = dependencies;
  const { mediaBytes: mediaLimit } = limits();
  const access = tokenAccess(bodyLimit);

  const write = micropubOperation(
    {
      access,
      body: Body,
      takes: [FORM_BODY, MULTIPART_BODY, JSON_BODY],
      bodyLimit: mediaLimit,
      headers: ["Idempotency-Key"],
    },
    async (call) => {
      const isJson = /^application\/json\b/i.test(call.request.headers.get("content-type") ?? "");
      const fields = call.body as FormFields;
      const caller = await tokenCaller(call, authenticator, isJson ? undefined : fields.access_token);
      checkLength(call, dependencies);
      const command = isJson ? parseJsonCommand(call.body) : parseFormCommand(fields);
      return perform(dependencies, { ...call, caller }, command);
    },
  );

  const query = micropubOperation({ access: { anonymous: false } }, async (call) =>
    answerQuery(dependencies, { ...call, caller: await tokenCaller(call, authenticator) }),
  );

  const upload = micropubOperation(
    { access, body: Body, takes: [MULTIPART_BODY], bodyLimit: mediaLimit },
    async (call) => {
      const { file, access_token } = call.body as FormFields;
      const caller = await tokenCaller(call, authenticator, access_token);
      authorizeAction(caller, "media", "posts");
      if (!(file instanceof File)) throw invalidRequest("file is required: the image to upload.");
      const context = { origin: call.client.origin, accountId: caller.account?.id };
      return { status: 201, body: null, location: await storeUpload(dependencies, file, context) };
    },
  );

  return {
    "/micropub": { GET: query, POST: write },
    "/micropub/media": { POST: upload },
  };
}

async function perform(
  dependencies: MicropubDependencies,
  call: MicropubCall,
  command: MicropubCommand,
): Promise<ResponseData> {
  const { database, site } = dependencies;
  const { caller, client } = call;
  const { timeZone } = await site.settings();
  const context = {
    origin: client.origin,
    timeZone,
    accountId: caller.account?.id,
    now: database.clock.now(),
  };
  if (command.action === "create") return create(dependencies, call, command.properties, context);
  const target = await resolveTarget(database.read, command.url, client.origin);
  const of = target.kind === "post" ? "posts" : "bookmarks";
  authorizeAction(caller, command.action === "update" ? "update" : "delete", of);
  if (command.action === "update" && !learns(caller, of)) refuseQuestions(command);
  if (target.kind === "bookmark") {
    const mayRead = learns(caller, "bookmarks");
    return changeBookmark(database, target.id, command, { ...context, mayRead });
  }
  return database.write(async (sql) => {
    const before = await addressOf(sql, target.id, context);
    if (command.action === "update") await updatePostEntry(sql, target.id, command, context);
    else if (command.action === "undelete") await restorePostEntry(sql, target.id, context);
    else {
      await removePostEntry(sql, target.id, target.isDraftAddress, context);
      return noContent();
    }
    const after = await addressOf(sql, target.id, context);
    const hasMoved = after !== before && after !== command.url && after !== undefined;
    if (!hasMoved) return noContent();
    // Its path has words of its title.
    const location = learns(caller, "posts") ? after : `${context.origin}/api/posts/${target.id}/`;
    return { status: 201, body: null, location };
  });
}

/** Properties of one value. */
const SINGLE = [
  "name",
  "content",
  "summary",
  "published",
  "mp-slug",
  "post-status",
  "visibility",
  "bookmark-of",
];

/**
 * A second value of these is refused, and so is none where one is needed: whether a stored value is the given one would show.
 * Who may not read replaces them.
 */
function refuseQuestions({ add, remove }: PropertyChange): void {
  const touched = [...Object.keys(add), ...(Array.isArray(remove) ? [] : Object.keys(remove))];
  const asked = touched.find(
    (name) => SINGLE.includes(name) || CITATION_PROPERTIES.some((one) => one === name),
  );
  if (asked !== undefined) throw invalidRequest(`${asked}: a token that may not read can only replace this.`);
}

async function create(
  dependencies: MicropubDependencies,
  call: MicropubCall,
  given: Properties,
  context: EntryContext,
): Promise<ResponseData> {
  const { database, copies } = dependencies;
  const { caller } = call;
  const library = (given["bookmark-of"] ?? []).length > 0 ? copies : undefined;
  const draftsOnly = isLimitedToDrafts(caller);
  if (!draftsOnly) authorizeAction(caller, "create", library ? "bookmarks" : "posts");
  else if (library) throw insufficientScope("create");
  if (hasFiles(given)) authorizeAction(caller, "media", "posts");
  const properties = await withUploadedUrls(given, (file) => storeUpload(dependencies, file, context));
  const wanted = draftsOnly ? { ...properties, "post-status": ["draft"] } : properties;
  return runOnce(database, call, async (sql) => {
    const location = library
      ? bookmarkLocation(await createBookmarkEntry(sql, wanted, context, library), context.origin)
      : postLocation(await createPostEntry(sql, wanted, context), context.origin);
    return { status: 201, body: JSON.stringify({ url: location }), location };
  });
}

async function changeBookmark(
  database: Database,
  id: number,
  command: Exclude<MicropubCommand, { action: "create" }>,
  context: EntryContext & { readonly mayRead: boolean },
): Promise<ResponseData> {
  if (command.action === "undelete") await restoreRemoved(database, "bookmark", [id], context.now);
  else await requireBookmark(database.read, id);
  if (command.action === "update") await updateBookmarkEntry(database, id, command, context);
  if (command.action === "delete") await removeBookmarks(database, [id], context.accountId, context.now);
  return noContent();
}

async function addressOf(sql: Sql, id: number, { origin }: EntryContext): Promise<string | undefined> {
  const post = await findPostOrDraft(sql, id);
  return post && postLocation(post, origin);
}

function hasFiles(properties: Properties): boolean {
  return Object.values(properties).some((values) => values.some((value) => value instanceof File));
}

/** Only a body with files may be long. */
function checkLength({ body, rawBody }: MicropubCall, { bodyLimit }: MicropubDependencies): void {
  const files = Object.values(body as FormFields).flatMap((value) => [value].flat());
  const bytes = files.reduce((sum, value) => sum + (value instanceof File ? value.size : 0), 0);
  if (rawBody.length - bytes > bodyLimit)
    throw invalidRequest(`A request without files may have at most ${bodyLimit} bytes.`);
}

/** Stores an uploaded image. @returns its absolute URL */
async function storeUpload(
  places: MediaPlaces,
  file: File,
  { origin, accountId }: { readonly origin: string; readonly accountId: number | undefined },
): Promise<string> {
  const accepted = await acceptImage(new Uint8Array(await file.arrayBuffer()));
  return origin + mediaPath(await storeImage(places, accepted, accountId));
}

/** Replaces files by the URLs under which they are stored, and adds the alternative text to each photo. */
async function withUploadedUrls(
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
