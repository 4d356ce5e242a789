import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import { removeBookmarks } from "../../src/bookmarks/bulk/change-many.ts";
import { storeSiteIcon } from "../../src/bookmarks/site-icons/site-icon-store.ts";
import { runReading } from "../../src/imports/reading-job.ts";
import { awaitEnd, SMALL_READING_JOB, storeUpload } from "../../src/imports/uploads.ts";
import { finishJob, leaseDueJob } from "../../src/jobs/job-store.ts";
import { acceptIcon } from "../../src/media/accept-icon.ts";
import { insertComment } from "../../src/posts/comments/comment-store.ts";
import { insertPost, touchPost } from "../../src/posts/post-store.ts";
import { removeComments } from "../../src/posts/removal/remove-comments.ts";
import { removePost } from "../../src/posts/removal/remove-post.ts";
import { findBySlug } from "../../src/posts/site-posts.ts";
import { saveSite } from "../../src/web/site/site-store.ts";
import { makeImage } from "../../test/support/files/images.ts";
import { fieldValue, submit } from "../../test/support/requests/forms.ts";
import { type Send, sendTo } from "../../test/support/requests/send.ts";
import {
  ARABIC,
  everyElement,
  HEBREW,
  HOSTILE_TITLES,
  LONG_TAG,
  LONG_TITLE,
  LONG_URL,
  UNBROKEN,
} from "./hostile-texts.ts";
import type { PictureSite } from "./picture-site.ts";

/** The working copy of a draft that is being written. */
export const OPEN_TEXT = "11111111-2222-4333-8444-555555555555";
/** The keys of imports that stay in progress. */
export const RUNNING_IMPORT = "running";
export const RUNNING_BLOG_IMPORT = "blog.running";
export const FETCHING_BLOG_IMPORT = "blog.fetching";
export const FAILED_BLOG_IMPORT = "blog.failed";
/** The keys of two files that another process seems to be reading. */
export const READING_BOOKMARKS = "reading";
export const READING_BLOG = "blog.reading";

/** How long the server may take to read a file that it was faster to find, in milliseconds. */
const READ_WITHIN = 30_000;

/** A blog of another program, of two posts. The second has a picture that is not in the file. */
export const BLOG_FILE = `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:wp="http://wordpress.org/export/1.2/"><channel><title>Other</title><wp:wxr_version>1.2</wp:wxr_version>
  ${blogItem(1, "Old bread", "publish", "[form] ![]")}
  ${blogItem(2, LONG_TITLE, "publish", '<img src="https://blog.example/a/very/long/path/to/a/picture-of-bread.jpg">')}
  ${blogItem(3, "Spam", "trash", "")}
  </channel></rss>`;

function blogItem(id: number, title: string, status: string, text: string): string {
  return `<item><title>${title}</title><content:encoded><![CDATA[${text}]]></content:encoded>
    <wp:post_id>${id}</wp:post_id><wp:post_date_gmt>2019-05-0${id} 10:00:00</wp:post_date_gmt>
    <wp:status>${status}</wp:status><wp:post_type>post</wp:post_type></item>`;
}

/** Fills a library and a blog with the seed, and adds what their other pages show. */
export async function fillSite(site: PictureSite): Promise<void> {
  const { send, database } = site;
  await database.write(async (sql) => {
    await saveSite(
      sql,
      {
        name: "Margins",
        description: "Notes on paper, rye bread and old maps.",
        timeZone: "Europe/Berlin",
        links: [{ text: "About", url: "/about" }],
      },
      new Date(),
    );
  });
  const picture = await uploadPicture(send);
  const quinces = await publish(send, "Nine quinces", everyElement(picture), {
    slug: "nine-quinces",
    summary: "What is learned from nine quinces, and why a table needs one.",
    tags: ["food/fruit", "autumn"],
  });
  await publish(send, "About", "Ada writes here, mostly in the evening.", { slug: "about", kind: "page" });
  await publish(send, "The index of John Locke", "Two facing pages, and a vowel.", {
    slug: "locke",
    kind: "link",
    link: "https://www.example.com/locke",
    tags: ["reading"],
  });
  await publishBookmarks(send);
  await addIcons(site);
  const winter = { title: "A list for the winter", content: "Candles, rye, string.", published: false };
  const { id: draft } = await write<{ id: number }>(send, "/api/drafts/", "POST", winter);
  const publish_at = "2031-05-01T07:00:00Z";
  await write(send, `/api/drafts/${draft}/publication/`, "PATCH", { publish_at });
  for (const more of ["A first correction.", "A second one.", "A third one, of the table."])
    await write(send, `/api/posts/${quinces}/`, "PATCH", { content: `${everyElement(picture)}\n\n${more}` });
  await write(send, `/api/edits/${OPEN_TEXT}/`, "PUT", {
    title: "What the swifts leave behind",
    content: `They go in the first week of August.\n\n![A nest](${picture})\n\n> Nobody sees them leave.\n`,
    fields: { tags: "birds, august", summary: "Empty nests, and what is in them." },
  });
  for (const [author, text] of [
    ["Stranger", "Is it true? https://a.example/ https://b.example/"],
    ["Mirela", "Mine were gone by Christmas.\n\nThe ones in the attic were not."],
    ["Pens", "Buy pens."],
  ] as const)
    await comment(site, "nine-quinces", author, text);
  const waiting = await send("/api/comments/?limit=100");
  const { results } = (await waiting.json()) as { results: { id: number; text: string }[] };
  const spam = results.find(({ text }) => text === "Buy pens.");
  await write(send, `/api/comments/${spam?.id}/`, "PUT", { status: "rejected" });
  await write(send, "/api/tokens/", "POST", {
    name: "Reading list on the phone",
    scopes: ["bookmarks:read", "bookmarks:write"],
  });
  for (const [title, url] of [
    ["A field guide to paper clips", "https://clips.example/guide"],
    ["Field guide to paper clips (copy)", "https://www.clips.example/guide/"],
  ])
    await write(send, "/bookmarks/", "POST", { title, url, description: "#paper" });
  await removeBookmarks(database, [3, 4, 5], undefined, new Date());
  await comment(site, "nine-quinces", "Lamps", "Lamps, cheap.");
  await database.write(async (sql) => {
    const post = { title: "What a kettle says", content: "Nothing yet.", published: false };
    const draft = await insertPost(sql, post, undefined, new Date());
    await removePost(sql, draft, { accountId: undefined, now: new Date() });
  });
  const [lamps] = await database.read<{ id: number }>`select id from comments where author = 'Lamps'`;
  await removeComments(database, [Number(lamps?.id)], undefined, new Date());
  await database.write(async (sql) => {
    const now = new Date();
    await sql`
      insert into import_uploads (key, kind, file_name, state, rule, with_tags, records, imported, step_total, step_done,
        items, created_at)
      values
        (${RUNNING_IMPORT}, 'bookmarks', 'bookmarks.html', 'importing', 'skip', ${true}, 443, 318, 0, 0, 0, ${now}),
        (${RUNNING_BLOG_IMPORT}, 'blog', 'ghost.json', 'importing', 'skip', ${true}, 212, 0, 0, 0, 0, ${now}),
        (${FETCHING_BLOG_IMPORT}, 'blog', 'wordpress.xml', 'importing', 'skip', ${true}, 212, 0, 146, 38, 0, ${now}),
        (${READING_BOOKMARKS}, 'bookmarks', 'firefox.html', 'reading', ${null}, ${null}, 0, 0, 100000, 41600, 0, ${now}),
        (${READING_BLOG}, 'blog', 'posts.zip', 'reading', ${null}, ${null}, 0, 0, 13000000, 5300000, 8200, ${now})`;
  });
  const file = {
    kind: "blog",
    fileName: "wordpress.xml",
    bytes: new TextEncoder().encode(BLOG_FILE),
  } as const;
  const key = await storeUpload(database, file, FAILED_BLOG_IMPORT);
  const now = new Date();
  const job = await leaseDueJob(database, [SMALL_READING_JOB], now, new Date(now.getTime() + 3_600_000));
  if (job === undefined) await awaitEnd(database, key, ["uploaded", "reading"], READ_WITHIN);
  else {
    await runReading(database, job, new AbortController().signal);
    await database.write((sql) => finishJob(sql, job, undefined));
  }
  await database.write(
    (sql) => sql`update import_uploads set state = 'failed', reason = 'unknown' where key = ${key}`,
  );
}

/** Gives every second site of the library an icon, as one that was read with a page. */
async function addIcons({ database }: PictureSite): Promise<void> {
  const sites = await database.read<{ host: string }>`select host from search_bookmarks_sites order by host`;
  for (const [index, { host }] of sites.entries()) {
    const icon = index % 2 === 0 ? await acceptIcon(drawnIcon(index)) : undefined;
    if (icon !== undefined) await database.write((sql) => storeSiteIcon(sql, host, icon, new Date()));
  }
}

/** A ring on a white sheet, as a bitmap of Windows. */
function drawnIcon(index: number): Buffer {
  const side = 32;
  const file = Buffer.alloc(54 + 3 * side * side, 255);
  file.write("BM");
  for (const [value, at] of [
    [file.length, 2],
    [54, 10],
    [40, 14],
    [side, 18],
    [side, 22],
    [0x18_00_01, 26],
  ] as const)
    file.writeUInt32LE(value, at);
  file.fill(0, 6, 10);
  file.fill(0, 30, 54);
  const color = [0x1f6340, 0x84380f, 0x6b2d73, 0x9a2030, 0x1d4f91][index % 5] ?? 0;
  for (let at = 0; at < side * side; at++) {
    const far = Math.hypot((at % side) - 15.5, Math.floor(at / side) - 15.5);
    if (far > 7 + (index % 3) && far < 15) file.writeUIntLE(color, 54 + 3 * at, 3);
  }
  return file;
}

/** Fills a site with titles, tags, names and texts that are long, unbroken, right-to-left, or contain markup. */
export async function fillHostileSite(site: PictureSite): Promise<void> {
  const { send, database } = site;
  const icon = await uploadPicture(send, { width: 400, height: 400 });
  await database.write(async (sql) => {
    await saveSite(
      sql,
      {
        name: "The commonplace book of a person with a rather long name for a site",
        description: "",
        icon,
        cover: icon,
        links: ["About", "Colophon", "A link with a longer name", "Projects", HEBREW.slice(0, 20)].map(
          (text, index) => ({ text, url: `/page-${index}` }),
        ),
      },
      new Date(),
    );
    for (const [index, title] of HOSTILE_TITLES.entries())
      await insertBookmark(
        sql,
        { title, url: `${LONG_URL}/${index}`, description: `${title}\n#${LONG_TAG} #${UNBROKEN} #עברית #a` },
        undefined,
        new Date(Date.now() - index * 3_600_000),
      );
    await insertBookmark(sql, { title: "", url: LONG_URL, description: "" }, undefined, new Date());
  });
  for (const [index, title] of HOSTILE_TITLES.entries())
    await publish(send, title, `${title}\n\n${UNBROKEN}\n\n${LONG_URL}`, {
      slug: `post-${index}`,
      tags: [LONG_TAG, UNBROKEN, "עברית"],
      ...(index % 3 === 0 && { kind: "link", link: `${LONG_URL}/${index}` }),
    });
  const id = await publish(
    send,
    HEBREW,
    `${HEBREW}.\n\n> ${HEBREW}\n\n- ${HEBREW}\n- latin\n\n1. ${HEBREW}\n`,
    {
      slug: "hebrew",
      language: "he",
      summary: HEBREW,
      tags: ["עברית"],
    },
  );
  for (const [author, text] of [
    [UNBROKEN.slice(0, 80), UNBROKEN],
    [HEBREW.slice(0, 40), `${ARABIC}\nhttps://example.com/`],
    ["<b>Bold</b>", "<script>alert(1)</script> and some words."],
  ] as const) {
    await write(send, `/api/posts/${id}/comments/`, "POST", { author, text });
    await comment(site, "hebrew", author, `${text}\n\nOnce more.`);
  }
  await fillThread(site, "post-4");
  await write(send, `/api/edits/${OPEN_TEXT}/`, "PUT", {
    title: HOSTILE_TITLES[0],
    content: HOSTILE_TITLES.join("\n\n"),
    fields: { tags: `${LONG_TAG}, ${UNBROKEN}`, summary: UNBROKEN },
  });
}

/** Publishes the newest bookmarks, as links with a comment. */
async function publishBookmarks(send: Send): Promise<void> {
  const newest = (await (await send("/bookmarks/?limit=3")).json()) as { id: number }[];
  for (const { id } of newest)
    await write(send, `/bookmarks/${id}/publish`, "POST", { content: "Worth an evening." });
}

/** @returns the id of the post */
async function publish(send: Send, title: string, content: string, publication: object): Promise<number> {
  const post = { title, content, published: true };
  const { id } = await write<{ id: number }>(send, "/api/posts/", "POST", post);
  await write(send, `/api/posts/${id}/publication/`, "PATCH", publication);
  return id;
}

async function uploadPicture(send: Send, size = { width: 1200, height: 700 }): Promise<string> {
  const body = await makeImage("jpeg", size);
  const headers = { "content-type": "image/jpeg" };
  const response = await send("/api/media/", { method: "POST", headers, body });
  return ((await response.json()) as { url: string }).url;
}

/** More comments on a post than fit on a page. */
async function fillThread({ database }: PictureSite, slug: string): Promise<void> {
  await database.write(async (sql) => {
    const post = await findBySlug(sql, slug);
    if (post === undefined) throw new Error(`no post has the slug ${slug}`);
    const texts = ["I had to read it twice.", HEBREW, `${LONG_TITLE}\n\nhttps://example.com/`, "Quite."];
    let first: number | undefined;
    for (let index = 0; index < 130; index++) {
      const text = texts[index % texts.length] ?? "";
      const comment = { postId: post.id, author: `Reader ${index + 1}`, text, accountId: undefined };
      // Each third begins a branch, to which the next two reply.
      const parentId = index % 3 === 0 ? undefined : first;
      const added = await insertComment(
        sql,
        { ...comment, parentId, status: "shown" },
        new Date(Date.now() - (130 - index) * 60_000),
      );
      if (parentId === undefined) first = added.id;
    }
    await touchPost(sql, post.id);
  });
}

/** Comments as a reader, in the form of a post. */
async function comment({ server }: PictureSite, slug: string, author: string, text: string): Promise<void> {
  const send = sendTo(server.url);
  const path = `/posts/${slug}/comments`;
  const shown = fieldValue(await (await send(path)).text(), "shown") ?? "";
  const response = await submit(send, path, { shown, author, text });
  if (response.status !== 303) throw new Error(`A comment by ${author}: ${response.status}`);
}

/** Sends a value. @throws Error when it is refused */
export async function write<T = unknown>(send: Send, path: string, method: string, json: object): Promise<T> {
  const response = await send(path, { method, json });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (response.status === 204 ? undefined : await response.json()) as T;
}
