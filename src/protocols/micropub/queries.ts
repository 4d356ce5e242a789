import type { Sql } from "../../database/database.ts";
import { ok, type ResponseData } from "../../http/response-data.ts";
import { findPostOrDraft } from "../../posts/post-store.ts";
import { bookmarkProperties, requireBookmark } from "./bookmark-entry.ts";
import type { Properties } from "./command.ts";
import type { MicropubDependencies, TokenCall } from "./micropub-dependencies.ts";
import { invalidRequest } from "./operation.ts";
import { authorizeAction, authorizeListingTags, learns } from "./permissions.ts";
import { listCategories, postProperties } from "./post-entry.ts";
import { resolveTarget } from "./target.ts";

const LIMIT = 10;
const LIMIT_MAX = 20;
const QUERIES = ["config", "source", "syndicate-to", "category", "post-types"];

/** `GET /micropub?q=…`: queries, which programs send before they write. */
export async function answerQuery(
  dependencies: MicropubDependencies,
  call: TokenCall,
): Promise<ResponseData> {
  const { database } = dependencies;
  const query = new URLSearchParams(call.search);
  // Programs that only look whether there is an endpoint send no q.
  const q = query.get("q") || "config";
  if (q === "config") return ok(configOf(dependencies, call));
  if (q === "syndicate-to") return ok({ "syndicate-to": [] });
  if (q === "post-types") return ok({ "post-types": postTypes(dependencies) });
  if (q === "category") {
    authorizeListingTags(call.caller);
    if (!learns(call.caller, "posts")) return ok({ categories: [] });
    const part = (query.get("filter") ?? query.get("search") ?? "").toLowerCase();
    const names = await listCategories(database.read);
    return ok({ categories: names.filter((name) => name.toLowerCase().includes(part)) });
  }
  if (q !== "source") throw invalidRequest(`q must be one of ${QUERIES.join(", ")}.`);
  const url = query.get("url");
  if (url === null) return ok(await listOf(dependencies, call, query));
  const wanted = [...query.getAll("properties[]"), ...query.getAll("properties")];
  const properties = await sourceOf(dependencies, call, url);
  if (wanted.length === 0) return ok({ type: ["h-entry"], properties });
  return ok({
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => wanted.includes(name))),
  });
}

function postTypes({ copies }: MicropubDependencies) {
  return [
    { type: "note", name: "Note" },
    { type: "article", name: "Article" },
    { type: "photo", name: "Photo" },
    ...(copies ? [{ type: "bookmark", name: "Bookmark" }] : []),
  ];
}

function configOf(dependencies: MicropubDependencies, { client }: TokenCall) {
  return {
    "media-endpoint": `${client.origin}/micropub/media`,
    "syndicate-to": [],
    "post-types": postTypes(dependencies),
    q: QUERIES,
  };
}

async function sourceOf(
  { database }: MicropubDependencies,
  call: TokenCall,
  url: string,
): Promise<Properties> {
  const { caller, client } = call;
  return database.snapshot(async (read) => {
    const target = await resolveTarget(read, url, client.origin);
    authorizeAction(caller, "read", target.kind === "post" ? "posts" : "bookmarks");
    if (target.kind === "bookmark")
      return bookmarkProperties(await requireBookmark(read, target.id), client.origin);
    return findPostProperties(read, target.id, client.origin);
  });
}

/** The newest posts and drafts, a few at a time. */
async function listOf(
  { database }: MicropubDependencies,
  { caller, client }: TokenCall,
  query: URLSearchParams,
) {
  authorizeAction(caller, "read", "posts");
  const limit = Math.min(numberIn(query.get("limit")) ?? LIMIT, LIMIT_MAX);
  const offset = numberIn(query.get("offset")) ?? 0;
  return database.snapshot(async (read) => {
    const rows = await read<{ id: number }>`
      select id from posts order by created_at desc, id desc limit ${limit} offset ${offset}`;
    const items = [];
    for (const { id } of rows)
      items.push({
        type: ["h-entry"],
        properties: await findPostProperties(read, Number(id), client.origin),
      });
    return { items };
  });
}

async function findPostProperties(sql: Sql, id: number, origin: string): Promise<Properties> {
  const post = await findPostOrDraft(sql, id);
  if (post === undefined) throw invalidRequest("There is no post at this URL.");
  return postProperties(sql, post, origin);
}

function numberIn(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
