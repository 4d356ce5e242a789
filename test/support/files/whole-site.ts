import type { Account } from "../../../src/accounts/account.ts";
import { picturePath } from "../../../src/copies/page-pictures/kept.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { acceptPicture } from "../../../src/media/accept-image.ts";
import { acceptPagePicture } from "../../../src/media/accept-page-picture.ts";
import { makeAccount } from "../records/accounts.ts";
import { rounds } from "../run/full-run.ts";
import { archiveOf } from "./archive-file.ts";
import { type ArchivedRecord, type ArchivedSite, archivedImage, ICON } from "./archived-site.ts";
import { makeImage } from "./images.ts";
import { importBytes } from "./imported-site.ts";

/** More than whatever reads or writes records takes at a time. */
const SIZES = {
  bookmark: 1_100,
  tag: 520,
  image: 40,
  icon: 510,
  post: 300,
  comment: 600,
  version: 120,
  edit: 60,
  copy: 120,
  picture: 60,
  mark: 530,
};

/** Characters of a post, but of one with more than a megabyte. */
const POST_LENGTH = rounds(600, 12_000);

/**
 * A site with one of each: every column of every record with two values at least, comments of everybody in every state,
 * drafts, scheduled posts, pages, links, and text that does not compress: four megabytes in the full run.
 */
export async function wholeSite() {
  const images = await Array.fromAsync(numbers(SIZES.image), (n) => archivedImage(15 + n));
  const site: ArchivedSite = {
    setting: [
      { name: "accent", value: "green", updated_at: at(0) },
      { name: "authorLine", value: "Keeps bees.", updated_at: at(0) },
      { name: "bookmarksAccess", value: "read", updated_at: at(0) },
      { name: "comments", value: "moderated", updated_at: at(1) },
      { name: "cover", value: `/media/${images[1]?.record.sha}.png`, updated_at: at(1) },
      { name: "dateStyle", value: "ymd", updated_at: at(1) },
      { name: "description", value: "Everything", updated_at: at(1) },
      { name: "frontPage", value: "whole", updated_at: at(1) },
      { name: "icon", value: `/media/${images[2]?.record.sha}.png`, updated_at: at(2) },
      { name: "keepCopies", value: "added", updated_at: at(2) },
      { name: "language", value: "de", updated_at: at(2) },
      { name: "links", value: [{ text: "About", url: "/about" }], updated_at: at(2) },
      { name: "lookTheme", value: "ink", updated_at: at(2) },
      { name: "name", value: "The whole", updated_at: at(2) },
      { name: "profiles", value: ["https://example.org/@me"], updated_at: at(2) },
      { name: "readingFace", value: "sans", updated_at: at(2) },
      { name: "readingSize", value: "large", updated_at: at(2) },
      { name: "readingWidth", value: "wide", updated_at: at(2) },
      { name: "screenTheme", value: "dark", updated_at: at(3) },
      { name: "singleKeys", value: false, updated_at: at(3) },
      { name: "textFace", value: "sans", updated_at: at(4) },
      { name: "theme", value: "light", updated_at: at(4) },
      { name: "timeZone", value: "Europe/Berlin", updated_at: at(4) },
      { name: "titleOpensCopy", value: true, updated_at: at(4) },
      { name: "today", value: false, updated_at: at(4) },
      {
        name: "verifications",
        value: [{ name: "msvalidate.01", content: "1A2B" }],
        updated_at: at(4),
      },
      { name: "styleSheet", value: "h1 { color: teal }\n", updated_at: at(5) },
    ],
    tag: numbers(SIZES.tag).map((n) => ({ id: 2 * n, name: `tag-${n}`, created_at: at(n) })),
    image: images
      .map(({ record }, n) => ({ ...record, created_at: at(n), created_by: every(n, 2, "ada") }))
      .toSorted((one, other) => (one.sha < other.sha ? -1 : 1)),
    icon: numbers(SIZES.icon).map((n) => ({
      ...{ host: siteOf(n), large: ICON, read_at: at(n) },
    })),
    bookmark: numbers(SIZES.bookmark).map(bookmark),
    post: numbers(SIZES.post).map(post),
    version: numbers(SIZES.version).map(version),
    comment: numbers(SIZES.comment).map(comment),
    edit: numbers(SIZES.edit).map(edit),
    copy: numbers(SIZES.copy).map(copy),
    mark: numbers(SIZES.mark).map(mark),
    picture: numbers(SIZES.picture).map(pagePicture),
  };
  // Some pages have the same.
  const ofPages = await Array.fromAsync(numbers(SIZES.picture), (n) => pagePictureBytes(1 + (n % 40)));
  const picture = await acceptPicture(await makeImage("webp", { width: 30, height: 20 }), 100);
  const files = new Map([
    ...images.flatMap((image) => [...image.files]),
    ...filesOfCopies(picture.bytes),
    ...site.picture.map(({ path }, index) => [path, ofPages[index] ?? new Uint8Array()] as const),
  ]);
  return { site, files, archive: await archiveOf(site, files) };
}

/** Imports an archive into an empty database, without its search index, with the account that it names. */
export async function storeSite(url: string, archive: Uint8Array): Promise<Account> {
  const database = await openDatabase(url);
  try {
    const account = await makeAccount(database, "ada");
    const report = await importBytes(database, archive);
    if (report?.refused !== 0 || report.skipped !== 0 || report.notes.length > 0)
      throw new Error(`The site is not whole: ${JSON.stringify(report?.notes.slice(0, 3))}`);
    return account;
  } finally {
    await database.close();
  }
}

function bookmark(n: number): ArchivedRecord<"bookmark"> {
  const isMarked = n % 4 > 0;
  return {
    id: 2 * n,
    ...{
      title: n % 50 === 0 ? "" : `Link ${n} “é😀”`,
      url: n <= SIZES.picture ? pageOf(n) : `https://${siteOf(1 + (n % SIZES.icon))}/${n}?q=%C3%A9`,
    },
    description: n % 3 === 0 ? "" : `About ${n}, in\ntwo lines.\n\n#tag-${n % 9} #Dev/${n % 5}`,
    ...{ created_at: at(n), updated_at: at(n + 7), created_by: every(n, 2, "ada"), version: 1 + (n % 3) },
    ...{
      unread: isMarked && n % 2 === 0,
      archived: isMarked && n % 3 === 0,
      shared: isMarked && n % 5 === 0,
    },
    states_updated_at: isMarked ? at(n + 9) : null,
    folders: [[], ["Dev"], ["Dev", "Reading / later"]][n % 3] ?? [],
  };
}

function post(n: number): ArchivedRecord<"post"> {
  const kind = (["post", "link", "page"] as const)[n % 3] ?? "post";
  const published = n % 5 > 0;
  const isScheduled = n % 10 === 0;
  const publication = {
    ...{ kind, link: kind === "link" ? `https://linked.example/${n}` : null, slug: `post-${n}` },
    ...{ summary: every(n, 3, `Summary ${n}`), tags: n % 2 ? [] : [`tag-${n % 7}`, "C#"] },
    ...{ publish_at: isScheduled ? "2999-01-01T00:00:00.000Z" : null, language: every(n, 4, "pt-BR") },
    ...{ image: every(n, 6, "/media/0f.jpg"), canonical_url: every(n, 7, `https://first.example/${n}`) },
  };
  return {
    id: 3 * n,
    ...{ title: `Post ${n}`, content: noise(n, n === 9 ? 1_100_000 : POST_LENGTH), published },
    ...{
      created_at: at(n),
      updated_at: at(n + 5),
      published_at: published || n % 15 === 0 ? at(n + 3) : null,
    },
    ...{ created_by: every(n, 2, "ada"), version: 1 + (n % 4) },
    publication: published || isScheduled || n % 15 === 0 ? publication : null,
    properties: n % 8 === 0 ? { weight: [n], "syndicate-to": ["a", { b: "c" }] } : {},
    former_slugs: n % 9 === 0 ? [`former-${n}`] : [],
    redirects: n % 11 === 0 ? [`/2019/05/post-${n}`, `/?p=${n}`] : [],
  };
}

function version(n: number): ArchivedRecord<"version"> {
  const [of, number] = n <= SIZES.version / 2 ? [3, n] : [3 * (n - SIZES.version / 2 + 1), 1];
  const replaced = { replaced_at: at(n), replaced_by: every(n, 2, "ada") };
  return { post: of, number, title: `Was ${n}`, content: noise(n, 300), published: n % 2 === 0, ...replaced };
}

/** Most are of one post. Accounts and strangers wrote them, and of both some are shown, waiting and rejected. */
function comment(n: number): ArchivedRecord<"comment"> {
  return {
    ...{
      id: 2 * n,
      post: n <= 520 ? 3 : 3 * (n - 520),
      author: n % 2 ? "Ada" : `Reader ${n}`,
      text: `Comment ${n}\nand more.`,
    },
    ...{ status: (["shown", "waiting", "rejected"] as const)[n % 3] ?? "shown", created_at: at(n) },
    ...{ created_by: every(n, 2, "ada"), reasons: [null, "links known", "name"][n % 4] ?? null },
    parent: n <= 520 && n % 3 === 0 ? 2 * (n - 2) : null,
  };
}

function edit(n: number): ArchivedRecord<"edit"> {
  const ofPost = n % 2 === 0;
  return {
    key: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
    ...{
      post: ofPost ? 3 * n : null,
      base_version: ofPost ? 1 : null,
      title: `Edit ${n}`,
      content: noise(n, 500),
    },
    ...{ fields: n % 3 ? {} : { slug: `s-${n}`, tags: "a, b" }, version: 1 + (n % 3) },
    ...{ created_at: at(n), updated_at: at(n + 1), created_by: every(n, 2, "ada") },
  };
}

/** Several of one bookmark; with and without an original, of each kind, and a picture. */
function copy(n: number): ArchivedRecord<"copy"> {
  const ending = n % 5 ? "html" : "pdf";
  return {
    ...{ id: 3 * n, bookmark: 2 * Math.ceil(n / 3), taken_at: at(n), url: `https://${n}.example/é` },
    origin: (["browser", "fetched", "imported"] as const)[n % 3] ?? "browser",
    ...{
      title: `Copy ${n}`,
      byline: every(n, 2, "Ada"),
      site: every(n, 3, "Example"),
      language: every(n, 4, "pt-BR"),
    },
    ...{
      direction: every(n, 5, "rtl" as const),
      published_at: every(n, 6, at(n)),
      words: n,
      is_article: n % 2 > 0,
    },
    ...{ extractor: 1, created_by: every(n, 2, "ada") },
    html: `<p>${noise(n, 300).replaceAll(/\s+/g, " ")}</p>${n % 2 ? '<figure><img src="picture-2" alt="" width="30" height="20" loading="lazy"></figure>' : ""}`,
    original: n % 3 ? { path: `copies/${3 * n}.${ending}`, type: TYPES[ending] } : null,
    pictures: n % 2 ? [{ name: "picture-2", path: `copies/${3 * n}-picture-2.webp` }] : [],
    reading:
      n % 6 === 1
        ? {
            ...{ chosen: true, place: n, progress: n % 101, begun_at: at(n), updated_at: at(n + 1) },
            finished: n % 4 === 1,
          }
        : null,
  };
}

/** Several of one bookmark, two alike among them. */
function mark(n: number): ArchivedRecord<"mark"> {
  const alike = Math.ceil(n / 2);
  return {
    ...{
      id: 2 * n,
      bookmark: 2 * Math.ceil(n / 8),
      quote: `Words ${alike} é 😀`,
      prefix: every(n, 2, "before ") ?? "",
    },
    ...{
      suffix: every(n, 3, " after") ?? "",
      position: every(alike, 2, alike),
      note: every(alike, 3, noise(n, 50)) ?? "",
    },
    ...{ version: 1 + (n % 3), created_at: at(n), updated_at: at(n + 1), created_by: every(n, 2, "ada") },
  };
}

/** A site and a page with an icon and a picture, which bookmarks lead to: others would expire. */
function siteOf(n: number): string {
  return `site-${String(n).padStart(3, "0")}.example`;
}

function pageOf(n: number): string {
  return `https://page-${String(n).padStart(3, "0")}.example/?%C3%A9=1`;
}

function pagePicture(n: number): ArchivedRecord<"picture"> {
  const url = pageOf(n);
  return { url, read_at: at(n), is_public: n % 3 > 0, path: picturePath(url) };
}

async function pagePictureBytes(noise: number): Promise<Uint8Array> {
  const picture = await acceptPagePicture(await makeImage("png", { width: 210, height: 110, noise }));
  return picture?.bytes ?? new Uint8Array();
}

const TYPES = { html: "text/html; charset=utf-8", pdf: "application/pdf" };

function* filesOfCopies(picture: Uint8Array): Generator<[path: string, bytes: Uint8Array]> {
  for (const { original, pictures = [], id = 0 } of numbers(SIZES.copy).map(copy)) {
    const data = Buffer.alloc(2_000, id % 251).toString("base64");
    if (original)
      yield [original.path, Buffer.from(`<p>Original ${id}<img src="data:image/png;base64,${data}">`)];
    for (const { path } of pictures) yield [path, picture];
  }
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** A value for every one of so many, else none. */
function every<T>(n: number, step: number, value: T): T | null {
  return n % step === 0 ? value : null;
}

function at(n: number): string {
  return new Date(1_700_000_000_123 + n * 3_600_017).toISOString();
}

/** Text in lines that hardly compresses, and is the same in every run. */
function noise(seed: number, length: number): string {
  let state = seed * 2_654_435_761 + 1;
  let text = "";
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += state % 9 === 0 ? `${state.toString(36)}.\n\n` : `${state.toString(36)} `;
  }
  return text.trimEnd();
}
