import type { Account } from "../../src/accounts/account.ts";
import { newContentKey } from "../../src/accounts/content-keys/content-key.ts";
import { createKey, type KeyKind } from "../../src/accounts/keys.ts";
import { newSecret } from "../../src/accounts/tokens/token.ts";
import { createWelcomeLink } from "../../src/accounts/welcome/welcome-link.ts";
import { findBookmark } from "../../src/bookmarks/bookmark-store.ts";
import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import { changeMany, removeBookmarks } from "../../src/bookmarks/bulk/change-many.ts";
import { addRecorded } from "../../src/bookmarks/recorded-bookmarks.ts";
import { createShare } from "../../src/bookmarks/shares/share-store.ts";
import { ensureTagRows, listTagRows } from "../../src/bookmarks/tags/tag-rows.ts";
import { keepPagePicture } from "../../src/copies/page-pictures/keep-page-picture.ts";
import { readPictures } from "../../src/copies/page-pictures/page-picture-store.ts";
import type { Database } from "../../src/database/database.ts";
import { publishBookmark } from "../../src/linkblog/publish-bookmark.ts";
import { heldMark } from "../../src/marks/mark-changes.ts";
import { changeNote, removeMark } from "../../src/marks/undo-marks.ts";
import { insertMedia } from "../../src/media/media-store.ts";
import { insertComment } from "../../src/posts/comments/comment-store.ts";
import { FormTimestamps } from "../../src/posts/comments/form-timestamps.ts";
import { lockComment, moderateComment } from "../../src/posts/comments/moderate-comment.ts";
import { rejectWaiting } from "../../src/posts/comments/waiting-comments.ts";
import { insertEdit } from "../../src/posts/editing/edit-store.ts";
import { createPreview } from "../../src/posts/editing/preview-links.ts";
import { findPost, insertPost, updatePost } from "../../src/posts/post-store.ts";
import { recordDraftAdded } from "../../src/posts/recorded-drafts.ts";
import { removeComments } from "../../src/posts/removal/remove-comments.ts";
import { removePost } from "../../src/posts/removal/remove-post.ts";
import { makeImage } from "../support/files/images.ts";
import { makeSession, makeToken } from "../support/records/accounts.ts";
import { makeCopy } from "../support/records/copies.ts";
import { makeMark } from "../support/records/marks.ts";

/** What records are made in and for. */
export interface Site {
  readonly database: Database;
  /** Undefined before the first account. */
  readonly account: Account | undefined;
}

/** Makes a record. @returns what stands in the path for it */
export type Make = (site: Site) => Promise<string | number>;

/** Words that stand in records of one kind, and nowhere else. */
export const WORDS = {
  link: "Brassica",
  post: "Crataegus",
  draft: "Digitalis",
  waiting: "Euphorbia",
  mark: "Foeniculum",
} as const;

let made = 0;
const unique = () => ++made;

/** From here on the records are those of a new process: they have the same numbers again. */
export function startOver(): void {
  made = 0;
}

const of = ({ account }: Site) => account?.id;
const someone = ({ account }: Site): Account => {
  if (account === undefined) throw new Error("Nobody has an account yet.");
  return account;
};

export const link: Make = async (site) => {
  const number = unique();
  const fields = {
    title: `${WORDS.link} ${number}`,
    url: `https://example.com/${number}`,
    description: `#leaf${number}`,
  };
  const { id } = await site.database.write((sql) => insertBookmark(sql, fields, of(site), new Date()));
  await makeMark(site.database, id, WORDS.mark, MARKED);
  return id;
};

/** The word of marks, in each of their texts. */
const MARKED = { prefix: WORDS.mark, suffix: WORDS.mark, note: WORDS.mark };

/** A mark of a bookmark: both ids, as they stand in the path. */
export const mark: Make = async (site) => {
  const id = Number(await link(site));
  return `${id}/marks/${(await makeMark(site.database, id, WORDS.mark, MARKED)).id}`;
};

/** Removes a mark whose note was changed before. */
const takeMark = async (site: Site) => {
  const id = Number(await link(site));
  const made = await makeMark(site.database, id, WORDS.mark, MARKED);
  const key = await site.database.write(async (sql) => {
    await changeNote(sql, made, `${WORDS.mark} again`, of(site), new Date());
    return removeMark(sql, await heldMark(sql, id, made.id), of(site), new Date());
  });
  return { id: made.id, key };
};
export const removedMark: Make = async (site) => (await takeMark(site)).id;
export const changeOfMark: Make = async (site) => (await takeMark(site)).key;

/** A copy of the page of a bookmark, with a picture: both ids, as they stand in the path. */
export const copy: Make = async (site) => {
  const id = Number(await link(site));
  return `${id}/copies/${(await makeCopy(site.database, id, WORDS.link)).id}`;
};

/** The picture of a bookmark's page: what stands in its path. */
export const picture: Make = async (site) => {
  const id = Number(await link(site));
  await keepPagePicture(
    { database: site.database, objects: undefined, room: { checkDisk() {} } },
    { asked: `https://example.com/${made}`, pictures: ["https://example.com/picture"] },
    async () => makeImage("png"),
  );
  const { url } = (await readPictures(site.database.read, [id], "public")).get(id) ?? { url: "" };
  return url.replace("/library/pictures/", "");
};

/** A bookmark whose page has a copy. */
export const linkWithCopy: Make = async (site) => String(await copy(site)).split("/")[0] ?? "";

/** The URL of a bookmark. */
export const urlOfLink: Make = async (site) => `https://example.com/${await link(site).then(() => made)}`;

/** A bookmark that may become a post. */
export const publicLink: Make = async ({ database }) => {
  const fields = { title: "A page", url: `https://example.com/${unique()}`, description: "" };
  return (await database.write((sql) => insertBookmark(sql, fields, undefined, new Date()))).id;
};

/** Two bookmarks of one page. */
export const twins: Make = async (site) => {
  const url = `https://example.com/twins/${unique()}`;
  const ids: number[] = [];
  for (const title of ["One", "Two"])
    ids.push(
      (
        await site.database.write((sql) =>
          insertBookmark(
            sql,
            { title: `${WORDS.link} ${title}`, url, description: "" },
            of(site),
            new Date(),
          ),
        )
      ).id,
    );
  return ids.join(" ");
};

/** A tag that one bookmark has. */
export const tag: Make = async (site) => `leaf${await link(site).then(() => made)}`;

export const removedLink: Make = async (site) => {
  const id = Number(await link(site));
  await removeBookmarks(site.database, [id], of(site), new Date());
  return id;
};

/** A bookmark of a page that is published already. */
export const publishedLink: Make = async (site) => {
  const id = Number(await link(site));
  await site.database.write(async (sql) => {
    const bookmark = await findBookmark(sql, id);
    const given = { title: `${WORDS.post} ${made}`, content: "", tags: [], accountId: of(site) };
    return bookmark && publishBookmark(sql, bookmark, given, new Date());
  });
  return id;
};

/** A change of a bookmark that has changed since. */
export const changeSince: Make = async (site) => {
  const id = Number(await link(site));
  const { database } = site;
  const change = { kind: "bulk", details: { q: WORDS.link }, accountId: of(site) } as const;
  const retag = (description: string) =>
    changeMany(database, [id], change, () => ({ description }), new Date());
  const { undo } = await retag("#one");
  await retag("#two");
  return String(undo);
};

/** A rejection of a comment that was approved since. */
export const rejectionSince: Make = async (site) => {
  const id = Number(await waitingComment(site));
  const { undo } = await rejectWaiting(site.database, {}, of(site));
  await site.database.write(async (sql) => {
    const comment = await lockComment(sql, id);
    return comment && moderateComment(sql, comment, { status: "shown", perPost: 1_000 });
  });
  return String(undo).split("/").at(-1) ?? "";
};

/** A change that can be undone. */
export const change: Make = async (site) => {
  const id = Number(await link(site));
  return String((await removeBookmarks(site.database, [id], of(site), new Date())).undo);
};

/** Yesterday at noon, when an agent changed something. */
const yesterday = () => new Date(new Date().setUTCHours(-12, 0, 0, 0));
const agentOf = async (site: Site) => ({ accountId: of(site), tokenId: Number(await tokenId(site)) });
const spanOf = ({ tokenId }: { readonly tokenId: number }, at: Date) =>
  `${tokenId} ${at.toISOString().slice(0, 10)}`;

/** A link that an agent added. @returns the id of its token, and the day */
export const agentsLink: Make = async (site) => {
  const [by, at] = [await agentOf(site), yesterday()];
  const fields = { title: `${WORDS.link} ${unique()}`, url: "https://example.com/", description: "" };
  await site.database.write((sql) => addRecorded(sql, fields, by, at));
  return spanOf(by, at);
};

export const agentsToken: Make = async (site) => String(await agentsLink(site)).split(" ")[0] ?? "";
export const agentsDay: Make = async (site) => String(await agentsLink(site)).replace(" ", "/changes/");

/** The same of a draft. */
export const agentsDraft: Make = async (site) => {
  const [by, at] = [await agentOf(site), yesterday()];
  await site.database.write(async (sql) => {
    const text = { title: `${WORDS.draft} ${unique()}`, content: "", published: false };
    await recordDraftAdded(sql, await insertPost(sql, text, by.accountId, at), by, at);
  });
  return spanOf(by, at);
};

const insertText = async (site: Site, published: boolean) => {
  const title = `${published ? WORDS.post : WORDS.draft} ${unique()}`;
  const post = { title, content: `${title}, a text.`, published };
  return (await site.database.write((sql) => insertPost(sql, post, of(site), new Date()))).id;
};
export const post: Make = (site) => insertText(site, true);
export const draft: Make = (site) => insertText(site, false);

/** A draft that was published before. */
export const withdrawnPost: Make = async (site) => {
  const id = await insertText(site, true);
  await site.database.write(async (sql) => {
    const read = await findPost(sql, "posts", id);
    return read && updatePost(sql, read, { ...read, published: false }, new Date());
  });
  return id;
};

const removeDraft = async (site: Site) => {
  const id = await insertText(site, false);
  const key = await site.database.write(async (sql) => {
    const read = await findPost(sql, "drafts", id);
    return read && removePost(sql, read, { accountId: of(site), now: new Date() });
  });
  return { id, key: String(key) };
};
export const removedDraft: Make = async (site) => (await removeDraft(site)).id;
export const changeOfDraft: Make = async (site) => (await removeDraft(site)).key;

const removeComment = async (site: Site) => {
  const id = Number(await waitingComment(site));
  return { id, key: String(await removeComments(site.database, [id], of(site), new Date())) };
};
export const removedComment: Make = async (site) => (await removeComment(site)).id;
export const changeOfComment: Make = async (site) => (await removeComment(site)).key;

const changed = async (site: Site, published: boolean) => {
  const id = await insertText(site, published);
  await site.database.write(async (sql) => {
    const read = await findPost(sql, published ? "posts" : "drafts", id);
    if (read !== undefined) await updatePost(sql, read, { ...read, content: "Changed." }, new Date());
  });
  return id;
};
export const changedPost: Make = (site) => changed(site, true);
export const changedDraft: Make = (site) => changed(site, false);

/** The part of a post's address that is its name. */
export const slug: Make = async (site) => `${WORDS.post.toLowerCase()}-${await post(site).then(() => made)}`;

const insertWords = async (site: Site, status: "shown" | "waiting", postId: number) => {
  const words = { postId, author: "Ada", text: `${status === "shown" ? WORDS.post : WORDS.waiting}!` };
  const comment = { ...words, status, accountId: undefined };
  return (await site.database.write((sql) => insertComment(sql, comment, new Date()))).id;
};
export const waitingComment: Make = async (site) => insertWords(site, "waiting", Number(await post(site)));
/** The path of a shown comment below that of posts. */
export const shownComment: Make = async (site) => {
  const id = Number(await post(site));
  const name = `${WORDS.post.toLowerCase()}-${made}`;
  return `${name}/comments/${await insertWords(site, "shown", id)}`;
};

export const edit: Make = async ({ database }) => {
  const key = crypto.randomUUID();
  const text = { post: null, base_version: null, title: WORDS.draft, content: "", fields: {} };
  await database.write((sql) => insertEdit(sql, key, text, undefined, new Date()));
  return key;
};

export const image: Make = async ({ database }) => {
  const bytes = new TextEncoder().encode(crypto.randomUUID());
  const sha = new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 40);
  const media = { sha, type: "jpg", width: 1, height: 1, size: bytes.length } as const;
  const forms = [{ width: 1, bytes }];
  await database.write((sql) => insertMedia(sql, { media, forms }, undefined, new Date()));
  return sha;
};
export const imageFile: Make = async (site) => `${await image(site)}.jpg`;

export const preview: Make = async (site) => {
  const key = String(await edit(site));
  return site.database.write((sql) => createPreview(sql, key, someone(site).id, new Date()));
};
const keyOf = async (site: Site, kind: KeyKind, secret: string) => {
  await site.database.write((sql) => createKey(sql, kind, someone(site).id, { secret }, new Date()));
  return secret;
};
export const feedOfLinks: Make = (site) => keyOf(site, "library-feed", newSecret());
const shareLinks = async (site: Site) => {
  const list = { query: WORDS.link, title: "A list", withNotes: false, expiresAt: null };
  return site.database.write((sql) => createShare(sql, list, someone(site).id, new Date()));
};
export const shareId: Make = async (site) => (await shareLinks(site)).share.id;
export const sharedList: Make = async (site) => {
  await link(site);
  return (await shareLinks(site)).secret;
};
export const feedOfComments: Make = (site) => keyOf(site, "comment-feed", newSecret());
export const contentKey: Make = (site) => keyOf(site, "website", newContentKey());
export const contentKeyId: Make = async (site) => {
  await contentKey(site);
  const [row] = await site.database.read<{ id: number }>`select max(id) as id from keys`;
  return Number(row?.id);
};
export const welcome: Make = async ({ database }) => {
  const found = await createWelcomeLink(database, new Date());
  return found?.secret ?? "there-is-an-account-already";
};
export const tokenId: Make = async (site) =>
  Number((await makeToken(site.database, someone(site))).split("_")[1]);
export const token: Make = (site) => makeToken(site.database, someone(site));
export const sessionId: Make = async (site) => {
  const cookie = await makeSession(site.database, someone(site));
  const key = cookie.split("=")[1] ?? "";
  return new Bun.CryptoHasher("sha256").update(key).digest("hex").slice(0, 16);
};

/** One of each, so that whatever lists records has something to say. */
export async function fill(site: Site): Promise<void> {
  await twins(site);
  // The key that signs the moment of a comment's form.
  await new FormTimestamps(site.database).sign("", new Date());
  await removedLink(site);
  await changeOfMark(site);
  for (const make of [post, draft, waitingComment, shownComment, edit, image]) await make(site);
}

/** The id of a tag, which tags get when clients of linkding first ask for them. */
export const tagId: Make = async (site) => {
  const name = String(await tag(site));
  const rows = await site.database.write(async (sql) => {
    await ensureTagRows(sql, [{ name, createdAt: new Date() }]);
    return listTagRows(sql);
  });
  return Number(rows.find(({ key }) => key === name)?.id);
};
