/**
 * `npm run seed`: fills an empty database with a made-up library, blog and account, to look at. The same every time,
 * apart from the present day, at which the newest bookmarks end.
 */
import { parseArgs } from "node:util";
import { insertAccount } from "../src/accounts/account-store.ts";
import { hashPassword } from "../src/accounts/sign-in/password.ts";
import { changeStatesOf } from "../src/bookmarks/bookmark-states.ts";
import { insertBookmark } from "../src/bookmarks/bookmark-writer.ts";
import { openOptionsFrom } from "../src/config/config.ts";
import { readConfig } from "../src/config/read-config.ts";
import { CopyRoom } from "../src/copies/copy-room.ts";
import { extractPage } from "../src/copies/extraction/extract-page.ts";
import { CopyKeeper } from "../src/copies/keep-copy.ts";
import { keepPagePicture } from "../src/copies/page-pictures/keep-page-picture.ts";
import type { Database, Sql } from "../src/database/database.ts";
import { openDatabase } from "../src/database/open.ts";
import { publishBookmark } from "../src/linkblog/publish-bookmark.ts";
import { CopyText } from "../src/marks/find-mark.ts";
import { keepMark } from "../src/marks/mark-changes.ts";
import { type AcceptedImage, acceptImage } from "../src/media/accept-image.ts";
import { mediaPath } from "../src/media/media.ts";
import { insertMedia } from "../src/media/media-store.ts";
import { insertComment } from "../src/posts/comments/comment-store.ts";
import { insertPost } from "../src/posts/post-store.ts";
import { changePublication } from "../src/posts/publication/change-publication.ts";
import { KEPT_TITLE, keptPage, SEED_MARKS } from "./kept-page.ts";
import { landscape } from "./landscapes.ts";
import { type MadeUpBookmark, madeUpBookmarks } from "./made-up-bookmarks.ts";
import { SEED_LINK_POSTS, SEED_POSTS, type SeedPost } from "./posts.ts";

const USERNAME = "ada";
const PASSWORD = "slow fruit keeps";
/** Of the newest bookmarks, three in five have a picture. */
const NEWEST = 40;
/** One bookmark in nine is to be read, one in thirteen is archived. */
const STATES = [
  [9, { unread: true }],
  [13, { archived: true }],
] as const;
/** The size of covers, in pixels. */
const COVER = { width: 1_200, height: 676 };
const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const GIGABYTE = 1024 ** 3;

const { values } = parseArgs({
  options: {
    "database-url": { type: "string" },
    bookmarks: { type: "string", default: "612" },
    /** The day at which the newest bookmarks end, `YYYY-MM-DD`: for pictures that should not change. */
    until: { type: "string" },
  },
});
const url = values["database-url"];
const config = readConfig(process.env, url ? { databaseUrl: url } : {});
const end = values.until === undefined ? new Date() : new Date(`${values.until}T20:00:00Z`);

const database = await openDatabase(config.databaseUrl, openOptionsFrom(config));
try {
  if (await isEmpty(database)) await fill(database, Number(values.bookmarks));
  else {
    console.error(
      `seed: ${database.location} is not empty. Give another one with --database-url sqlite:PATH.`,
    );
    process.exitCode = 1;
  }
} finally {
  await database.close();
}

async function isEmpty({ read }: Database): Promise<boolean> {
  const rows = await read`
    select 1 from bookmarks union all select 1 from posts union all select 1 from accounts limit 1`;
  return rows.length === 0;
}

async function fill(database: Database, count: number): Promise<void> {
  const passwordHash = await hashPassword(PASSWORD);
  const bookmarks = madeUpBookmarks(count, end);
  const covers = await Promise.all(SEED_POSTS.map(({ cover = false }, index) => cover && coverOf(index)));
  await database.write(async (sql) => {
    const account = await insertAccount(sql, USERNAME, passwordHash, new Date("2016-12-01T18:00:00Z"));
    if (account === undefined) throw new Error(`there is an account ${USERNAME} already`);
    const ids: number[] = [];
    for (const { createdAt, ...fields } of bookmarks)
      ids.push((await insertBookmark(sql, fields, account.id, createdAt)).id);
    for (const [every, changes] of STATES)
      await changeStatesOf(
        sql,
        ids.filter((_, index) => index % every === every - 3),
        changes,
        end,
      );
    for (const [index, post] of SEED_POSTS.entries())
      await insertSeedPost(sql, account.id, post, covers[index] || undefined);
    await publishLinks(sql, account.id, bookmarks);
  });
  await keepAndMark(database);
  for (const [index, { url: asked }] of bookmarks.slice(-NEWEST).entries())
    if (index % 5 !== 1 && index % 5 !== 3)
      await keepPagePicture(
        { database, objects: undefined, room: { checkDisk() {} } },
        { asked, pictures: [asked] },
        () => landscape(index),
      );
  console.log(`${bookmarks.length} bookmarks and ${SEED_POSTS.length} posts are in ${database.location}.`);
  console.log(`Sign in as ${USERNAME} with the password: ${PASSWORD}`);
}

/** Keeps the page of one bookmark, and marks words in it, and in pages that are not kept. */
async function keepAndMark(database: Database): Promise<void> {
  const rows = await database.read<{
    id: number;
    title: string;
    url: string;
  }>`select id, title, url from bookmarks`;
  const named = (title: string) => rows.find((row) => row.title === title);
  const kept = named(KEPT_TITLE);
  const bytes = Buffer.from(await keptPage());
  const page = extractPage(bytes, kept?.url ?? "", "text/html");
  const text = new CopyText(page.html);
  if (kept !== undefined)
    await new CopyKeeper({ database, objects: undefined, room: new CopyRoom(database, GIGABYTE) }).keep(
      Number(kept.id),
      { origin: "browser", url: kept.url, original: { bytes, type: "text/html" }, page },
      undefined,
    );
  for (const [index, { title, quote, note, days }] of SEED_MARKS.entries()) {
    const bookmark = named(title);
    if (bookmark === undefined) continue;
    const start = bookmark === kept ? text.text.indexOf(quote) : -1;
    const found = start < 0 ? undefined : text.cut(start, start + quote.length);
    const about = { bookmarkId: Number(bookmark.id), note, accountId: undefined };
    const at = new Date(end.getTime() - days * 24 * HOUR - (SEED_MARKS.length - index) * MINUTE);
    await database.write((sql) =>
      keepMark(sql, found ?? { quote, prefix: "", suffix: "", position: null }, about, at),
    );
  }
}

function coverOf(index: number): Promise<AcceptedImage> {
  return landscape(index, COVER).then(acceptImage);
}

async function insertSeedPost(
  sql: Sql,
  accountId: number,
  seed: SeedPost,
  cover: AcceptedImage | undefined,
): Promise<void> {
  const { day, title, content, details = {}, draft = false, comments = [] } = seed;
  const createdAt = new Date(`${day}T17:30:00Z`);
  const post = await insertPost(sql, { title, content, published: !draft }, accountId, createdAt);
  const image = cover && mediaPath(await insertMedia(sql, cover, accountId, createdAt));
  await changePublication(sql, post, image === undefined ? details : { ...details, image }, createdAt);
  for (const [index, { author, text, waiting = false }] of comments.entries())
    await insertComment(
      sql,
      { postId: post.id, author, text, status: waiting ? "waiting" : "shown", accountId: undefined },
      new Date(createdAt.getTime() + (index + 1) * 7 * HOUR),
    );
}

/** Publishes the bookmarks of the linkblog that exist in the library, each an hour after it was saved. */
async function publishLinks(
  sql: Sql,
  accountId: number,
  bookmarks: readonly MadeUpBookmark[],
): Promise<void> {
  for (const { title, content, tags } of SEED_LINK_POSTS) {
    const bookmark = bookmarks.find((one) => one.title === title);
    if (bookmark === undefined) continue;
    const now = new Date(bookmark.createdAt.getTime() + HOUR);
    await publishBookmark(sql, bookmark, { content, tags, accountId }, now);
  }
}
