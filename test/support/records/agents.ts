import type { Account } from "../../../src/accounts/account.ts";
import { hashOfSecret, newSecret } from "../../../src/accounts/tokens/token.ts";
import { insertToken } from "../../../src/accounts/tokens/token-store.ts";
import { changeMany, changeStatesOfMany } from "../../../src/bookmarks/bulk/change-many.ts";
import { addRecorded, editRecorded } from "../../../src/bookmarks/recorded-bookmarks.ts";
import { retaggedDescription } from "../../../src/bookmarks/tags/change-tags.ts";
import type { Clock } from "../../../src/clock.ts";
import type { Database } from "../../../src/database/database.ts";
import { findPostOrDraft, insertPost, updatePost, withTags } from "../../../src/posts/post-store.ts";
import { recordDraftAdded, recordDraftRevised } from "../../../src/posts/recorded-drafts.ts";

/** A token by which an agent changes links and drafts. */
export interface TestAgent {
  readonly tokenId: number;
  /** Adds a link. @returns its id */
  add(title: string, url?: string): Promise<number>;
  edit(id: number, title: string): Promise<void>;
  tag(ids: readonly number[], tag: string): Promise<void>;
  archive(ids: readonly number[]): Promise<void>;
  /** Writes a draft. @returns its id */
  draft(title: string, content?: string): Promise<number>;
  revise(id: number, content: string): Promise<void>;
}

/** Makes a token with a name, and an agent that changes things with it. @param clock of its changes */
export async function makeAgent(
  database: Database,
  account: Pick<Account, "id" | "passwordHash">,
  { name = "Claude", clock = database.clock }: { name?: string; clock?: Pick<Clock, "now"> } = {},
): Promise<TestAgent> {
  const secretHash = hashOfSecret(newSecret());
  const scopes = ["bookmarks:read", "bookmarks:write", "posts:read", "posts:write"] as const;
  const token = { name, secretHash, scopes, expiresAt: null };
  const tokenId = await database.write((sql) => insertToken(sql, account, token, new Date()));
  if (tokenId === undefined) throw new Error("the account can have no token");
  const by = { accountId: account.id, tokenId };
  return {
    tokenId,
    async add(title, url = "https://example.com/a") {
      const fields = { title, url, description: "" };
      const added = await database.write((sql) => addRecorded(sql, fields, by, clock.now()));
      return added.bookmark.id;
    },
    async edit(id, title) {
      await editRecorded(database, id, () => ({ title }), by, clock.now());
    },
    async tag(ids, tag) {
      const details = { matched: ids.length, add_tags: [tag] };
      const change = (bookmark: { readonly description: string }) =>
        retaggedDescription(bookmark, (tags) => [...tags, tag]);
      await changeMany(database, ids, { kind: "bulk", details, ...by }, change, clock.now());
    },
    async archive(ids) {
      await changeStatesOfMany(database, ids, { archived: true }, by, clock.now());
    },
    draft: (title, content = "A first sentence.") =>
      database.write(async (sql) => {
        const fields = { title, content, published: false };
        const post = await insertPost(sql, fields, account.id, clock.now());
        await recordDraftAdded(sql, post, by, clock.now());
        return post.id;
      }),
    revise: (id, content) =>
      database.write(async (sql) => {
        const post = await findPostOrDraft(sql, id);
        if (post === undefined) throw new Error(`there is no draft ${id}`);
        const before = await withTags(sql, post);
        const after = await updatePost(sql, before, { ...before, content }, clock.now());
        await recordDraftRevised(sql, before, after ?? before, by, clock.now());
      }),
  };
}
