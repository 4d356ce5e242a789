import { z } from "zod";
import type { BookmarkParts } from "../../bookmarks/bookmark-parts.ts";
import { deleteTag } from "../../bookmarks/tags/change-tags.ts";
import { listTags } from "../../bookmarks/tags/tag-list.ts";
import { ensureTagRows, findTagRow, listTagRows, type TagRow } from "../../bookmarks/tags/tag-rows.ts";
import { orNotFound } from "../../errors.ts";
import { PathId } from "../../http/parameters.ts";
import { noContent, ok } from "../../http/response-data.ts";
import { makeTagName, tagKey } from "../../tags/tag-name.ts";
import { text } from "../../text.ts";
import { LINKDING_BODIES } from "./form-bodies.ts";
import { pageEnvelope, parsePaging } from "./list-query.ts";
import { linkdingOperation } from "./operation.ts";

const params = z.object({ id: PathId });
const NewTag = z.object({ name: text({ min: 1 }) });

/** Clients request all tags at once, for autocompletion. */
const LIMIT_MAX = 10_000;
const ALL = 1_000_000;

/** The tag operations of linkding's API, with stable ids. */
export function tagOperations({ database, readAccess, writeAccess }: BookmarkParts) {
  const list = linkdingOperation({ access: readAccess }, async ({ client, path, search: query }) => {
    await giveIds();
    const parameters = new URLSearchParams(query);
    const { limit, offset } = parsePaging(parameters, LIMIT_MAX);
    const q = tagKey(parameters.get("q") ?? "");
    const rows = (await listTagRows(database.read)).filter(({ key }) => key.includes(q));
    const empty = pageEnvelope(`${client.origin}${path}`, query, rows.length, limit, offset);
    return ok({ ...empty, results: rows.slice(offset, offset + limit).map(toLinkdingTag) });
  });

  const read = linkdingOperation({ access: readAccess, params }, async ({ params }) =>
    ok(toLinkdingTag(await existing(params.id))),
  );

  const ofOne = { access: writeAccess, reads: readAccess };
  const create = linkdingOperation(
    { ...ofOne, body: NewTag, takes: LINKDING_BODIES },
    async ({ body, path, mayRead }) => {
      const name = makeTagName(body.name) ?? "-";
      await database.write((sql) => ensureTagRows(sql, [{ name, createdAt: database.clock.now() }]));
      const row = (await listTagRows(database.read)).find(({ key }) => key === tagKey(name));
      if (row === undefined) throw new Error("a tag that was just created has no row");
      // The id of a tag tells whether there was one.
      if (!mayRead) return { ...ok({ name }), status: 201 };
      return { ...ok(toLinkdingTag(row)), status: 201, location: `${path}${row.id}/` };
    },
  );

  const remove = linkdingOperation({ access: writeAccess, params }, async ({ params, caller }) => {
    const { name } = await existing(params.id);
    await deleteTag(database, name, {
      accountId: caller.account?.id,
      now: database.clock.now(),
      dryRun: false,
    });
    return noContent();
  });

  /**
   * Gives ids to tags that have none: they get them when tags are first requested. Where nothing can be stored, those are not
   * listed.
   */
  async function giveIds(): Promise<void> {
    if (database.obstacle() !== undefined) return;
    const known = new Set((await listTagRows(database.read)).map(({ key }) => key));
    const { tags } = await listTags(database.read, { sort: "name", limit: ALL });
    const fresh = tags.filter(({ name }) => !known.has(tagKey(name)));
    if (fresh.length === 0) return;
    await database.write((sql) =>
      ensureTagRows(
        sql,
        fresh.map(({ name, lastUsed }) => ({ name, createdAt: lastUsed })),
      ),
    );
  }

  async function existing(id: number | bigint): Promise<TagRow> {
    return orNotFound(typeof id === "bigint" ? undefined : await findTagRow(database.read, id), "Tag", id);
  }

  return { list, read, create, remove };
}

function toLinkdingTag({ id, name, createdAt }: TagRow) {
  return { id, name, date_added: createdAt.toISOString() };
}
