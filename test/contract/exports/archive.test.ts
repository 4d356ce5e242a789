import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import type { z } from "zod";
import { checkDatabase } from "../../../src/checks/check-database.ts";
import { Reading } from "../../../src/copies/kept.ts";
import { picturePath } from "../../../src/copies/page-pictures/kept.ts";
import type { Database } from "../../../src/database/database.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { inspectDatabase } from "../../../src/database/open-inspection.ts";
import { messageOf } from "../../../src/errors.ts";
import { listMedia } from "../../../src/media/media-store.ts";
import { ARCHIVED } from "../../../src/nouns.ts";
import { addComment } from "../../../src/posts/comments/add-comment.ts";
import { insertPost } from "../../../src/posts/post-store.ts";
import { refuseBomb } from "../../../src/readers/files/file-tree.ts";
import { PublicationRecord } from "../../../src/records/record.ts";
import { nothingWritten, writeArchive } from "../../../src/transfer/archive/write-archive.ts";
import { importSite } from "../../../src/transfer/import/import-records.ts";
import { listImports } from "../../../src/transfer/import/recorded-imports.ts";
import type { StagedSite } from "../../../src/transfer/import/staged-file.ts";
import { previewSiteUndo, undoSiteImport } from "../../../src/transfer/import/undo-site-import.ts";
import { stageSite } from "../../../src/transfer/stage-site.ts";
import { archiveOf as archiveFile, LAST_IDS, recordsOf } from "../../support/files/archive-file.ts";
import {
  type ArchivedSite,
  archivedImage,
  archivedSites,
  ICON,
  PAGE_PICTURE,
  PAGE_PICTURE_FILE,
} from "../../support/files/archived-site.ts";
import { PLACE, photo } from "../../support/files/images.ts";
import { importedFrom } from "../../support/files/imported-site.ts";
import { inMemory, zipOf } from "../../support/files/zip.ts";
import { makeAccount } from "../../support/records/accounts.ts";
import { rounds } from "../../support/run/full-run.ts";
import { engines } from "../../support/server/engines.ts";
import { run, temporaryFolder } from "../../support/server/server.ts";

let image: Awaited<ReturnType<typeof archivedImage>>;

beforeAll(async () => {
  image = await archivedImage();
});

/** The archive of a site, with the image. @param more files that replace or join those of the site */
function archiveOf(
  site: Partial<ArchivedSite>,
  more: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<Buffer> {
  const picture = [PAGE_PICTURE.path, PAGE_PICTURE_FILE] as const;
  return archiveFile(site, new Map([...image.files, picture, ...Object.entries(more)]));
}

async function staged(archive: Buffer): Promise<StagedSite> {
  const site = await stageSite(inMemory(archive), { fileName: "site.zip", now: new Date() });
  if (site === undefined) throw new Error("not an archive");
  return site;
}

async function restored(archive: Buffer, database: Pick<Database, "write" | "engine">) {
  using site = await staged(archive);
  const report = await importSite(database, site);
  return { ...report, rows: [...report.rows], notes: [...report.notes] };
}

async function exported(database: Database): Promise<Buffer> {
  return database.snapshot(async (sql) =>
    Buffer.concat(await Array.fromAsync(writeArchive(sql, database.engine, nothingWritten(), new Date()))),
  );
}

test("An archive restores every field of every record, on each engine and between engines", async () => {
  await fc.assert(
    fc.asyncProperty(archivedSites(image.record), async (site) => {
      let archive = await archiveOf(site);
      for (const engine of engines) {
        await using place = await engine.createDatabase();
        const database = await openDatabase(place.url);
        try {
          await makeAccount(database, "ada");
          const { refused, skipped, notes } = await restored(archive, database);
          expect({ refused, skipped, notes }).toEqual({ refused: 0, skipped: 0, notes: [] });
          archive = await exported(database);
          expect(await recordsOf(archive)).toEqual({ ...(site as object), last_ids: LAST_IDS });
        } finally {
          await database.close();
        }
      }
    }),
    { numRuns: rounds(1, 6) },
  );
});

const WHEN = "2026-11-21T06:40:12.345Z";
const post = {
  ...{ id: 7, title: "First light", content: "Hello.", published: true, created_by: null, version: 3 },
  ...{ created_at: WHEN, updated_at: WHEN, published_at: WHEN },
  publication: { slug: "first-light", tags: ["dev"] },
  redirects: ["/2019/05/first-light/"],
};
const small: Partial<ArchivedSite> = {
  picture: [PAGE_PICTURE],
  setting: [{ name: "name", value: "Ada's notes", updated_at: WHEN }],
  tag: [{ id: 4, name: "dev", created_at: WHEN }],
  post: [
    post,
    {
      ...post,
      id: 9,
      title: "Second",
      publication: { slug: "second" },
      redirects: [],
      content: "![](/media/x)",
    },
  ],
  version: [{ post: 7, number: 1, title: "Dawn", content: "", published: false, replaced_at: WHEN }],
  comment: [{ id: 3, post: 7, author: "Bo", text: "Welcome!", status: "shown", created_at: WHEN }],
  edit: [
    {
      key: "00000000-0000-4000-8000-000000000001",
      post: null,
      title: "",
      content: "New",
      created_at: WHEN,
      updated_at: WHEN,
    },
  ],
  bookmark: [
    { id: 5, title: "Bun", url: "https://bun.sh/", created_at: WHEN, updated_at: WHEN, folders: ["Dev"] },
  ],
};

test("An archive of an earlier program may have fewer versions of an image: those stay, and no other is made", async () => {
  const [whole = "", narrow = ""] = [...image.files.keys()].toSorted((a, b) => a.length - b.length);
  const without = (path: string) => new Map([...image.files].filter(([name]) => name !== path));
  const widthsOf = async (archive: Buffer) => {
    using site = await staged(archive);
    return site.records.forms(image.record.sha).map(({ width }) => width);
  };
  await using place = await engines[0]?.createDatabase();
  const database = await openDatabase(place?.url ?? "");
  const archive = await archiveFile({ image: [image.record] }, without(narrow));
  expect((await restored(archive, database)).refused).toBe(0);
  expect(await widthsOf(await exported(database))).toEqual([800, 1_000]);
  expect(await widthsOf(await archiveFile({ image: [image.record] }, without(whole)))).toEqual([]);
  await database.close();
});

test("An archive leaves out the pictures of pages to which no bookmark leads any more", async () => {
  await using place = await engines[0]?.createDatabase();
  const database = await openDatabase(place?.url ?? "");
  await restored(await archiveOf({ picture: [PAGE_PICTURE] }), database);
  const pictures = async () =>
    ((await recordsOf(await exported(database))) as Partial<ArchivedSite>).picture?.map(({ url }) => url) ??
    [];
  expect(await pictures()).toEqual([PAGE_PICTURE.url]);
  await database.write((sql) => sql`update page_pictures set unused_since = ${new Date()}`);
  expect(await pictures()).toEqual([]);
  await database.close();
});

for (const engine of engines)
  describe(`An archive (${engine.name})`, () => {
    const toEnd = new AsyncDisposableStack();
    const folder = toEnd.use(temporaryFolder());
    let database: Database;
    let url: string;
    let archive: Buffer;

    beforeAll(async () => {
      url = toEnd.use(await engine.createDatabase()).url;
      database = await openDatabase(url);
      toEnd.defer(() => database.close());
      archive = await archiveOf({ ...small, image: [{ ...image.record, created_by: null }] });
    });
    afterAll(() => toEnd.disposeAsync());

    const contents = async () => {
      const { last_ids: _, ...records } = await recordsOf(await exported(database));
      return records;
    };

    async function problems(): Promise<string[]> {
      const inspection = await inspectDatabase(url);
      try {
        const findings = await checkDatabase(inspection);
        return findings.flatMap(({ status, detail }) => (status === "problem" ? [detail] : []));
      } finally {
        await inspection.close();
      }
    }

    test("that is interrupted leaves nothing behind", async () => {
      const before = await contents();
      const interrupted: Pick<Database, "write" | "engine"> = {
        engine: database.engine,
        write: (work) =>
          database.write(async (sql) => {
            const result = await work(sql);
            if ((await sql`select 1 from imports`).length > 0) throw new Error("interrupted");
            return result;
          }),
      };
      await expect(restored(archive, interrupted)).rejects.toThrow("interrupted");
      expect(await contents()).toEqual(before);
    });

    test("has a Markdown file for each post, also of drafts whose names are alike", async () => {
      const draft = { content: "", published: false, created_at: WHEN, updated_at: WHEN, published_at: null };
      await using place = await engine.createDatabase();
      const other = await openDatabase(place.url);
      try {
        const posts = [
          { ...draft, id: 7, title: "Without a slug", publication: null },
          { ...draft, id: 9, title: "With a slug", publication: { slug: "post-7" } },
        ];
        expect(await restored(await archiveOf({ post: posts }), other)).toMatchObject({ added: 2 });
        expect(await restored(await exported(other), other)).toMatchObject({ skipped: 2 });
      } finally {
        await other.close();
      }
    });

    test("gives no post a former address of a post that was there, but leaves those inside the file as they are", async () => {
      const times = { created_at: WHEN, updated_at: WHEN, published_at: WHEN };
      const post = (title: string, slug: string, former: string[] = []) => ({
        title,
        content: "",
        published: true,
        ...times,
        publication: { slug },
        former_slugs: former,
      });
      await using place = await engine.createDatabase();
      const other = await openDatabase(place.url);
      try {
        const own = await restored(
          await archiveOf({ post: [post("A", "a", ["old"]), post("B", "old")] }),
          other,
        );
        expect(own.rows.map(({ path }) => path)).toEqual(["/posts/a", "/posts/old"]);
        await other.write((sql) => sql`delete from posts where title = ${"B"}`);
        const more = await restored(await archiveOf({ post: [post("C", "old")] }), other);
        expect(more.rows.map(({ path }) => path)).toEqual(["/posts/old-2"]);
        expect(more.notes.map(({ code }) => code)).toEqual(["slug_changed"]);
      } finally {
        await other.close();
      }
    });

    test("merges with existing records: a second import adds nothing, and only new comments of a known post", async () => {
      const first = await restored(archive, database);
      expect(first).toMatchObject({ added: 10, skipped: 0, refused: 0, notes: [] });
      expect(await problems()).toEqual([]);
      const before = await contents();
      const again = await restored(archive, database);
      expect(again).toMatchObject({ added: 0, skipped: 10, refused: 0, import_id: null });
      expect(await contents()).toEqual(before);

      const more = await archiveOf({
        post: [
          { ...post, title: "First light, renamed" },
          { ...post, id: 8, title: "Another", created_at: "2020-01-01T00:00:00Z" },
        ],
        comment: [
          { id: 3, post: 7, author: "Bo", text: "Welcome!", status: "shown", created_at: WHEN },
          { id: 30, post: 7, author: "Cy", text: "Late.", status: "waiting", created_at: WHEN },
          { id: 31, post: 99, author: "Cy", text: "Lost.", status: "shown", created_at: WHEN },
        ],
      });
      const joined = await restored(more, database);
      expect(joined.rows.map(({ kind, outcome, reason, path }) => [kind, outcome, reason, path])).toEqual([
        ["post", "skipped", "there_already", null],
        ["post", "added", "public", "/posts/first-light-2"],
        ["comment", "skipped", "there_already", null],
        ["comment", "added", null, null],
        ["comment", "refused", "no_post", null],
      ]);
      expect(joined.notes.map(({ file, line, code }) => [file, line, code])).toEqual([
        ["posts.jsonl", 2, "slug_changed"],
        ["posts.jsonl", 2, "redirect_taken"],
      ]);
      expect(await problems()).toEqual([]);
      await undoSiteImport(database, joined.import_id ?? 0, new Date());
      expect(await contents()).toEqual(before);
    });

    test("is undone except for records that have changed since", async () => {
      const { id } = await database.write((sql) =>
        insertPost(
          sql,
          { title: "Mine", content: `/media/${image.record.sha}.png`, published: true },
          undefined,
          new Date(),
        ),
      );
      const [there] = await database.read<{ id: number }>`select id from posts where title = 'Second'`;
      await database.write((sql) =>
        addComment(
          sql,
          { postId: Number(there?.id), author: "Di", text: "Hi", status: "shown", accountId: undefined },
          { perPost: 9, now: new Date() },
        ),
      );
      const [made] = await listImports(database.read);
      const preview = await previewSiteUndo(database, made?.id ?? 0, new Date());
      const report = await undoSiteImport(database, made?.id ?? 0, new Date());
      expect({ ...preview, dry_run: false }).toEqual(report);
      expect(report).toMatchObject({
        removed: { bookmark: 1, post: 1, comment: 1, edit: 1, setting: 1 },
        kept: [
          { kind: "post", id: Number(there?.id), title: "Second" },
          { kind: "image", key: image.record.sha },
        ],
      });
      const left = await database.read<{ id: number }>`select id from posts order by id`;
      expect(left.map((row) => Number(row.id))).toEqual([Number(there?.id), id].toSorted((a, b) => a - b));
      expect(await problems()).toEqual([]);
      await expect(undoSiteImport(database, made?.id ?? 0, new Date())).rejects.toThrow("already undone");
    });

    test("is exported and imported by the commands, with a preview that changes nothing", async () => {
      const place = toEnd.use(await engine.createDatabase()).url;
      const file = folder.file(`${engine.name}.zip`);
      const out = await run(["export", file, "--format", "archive"], { env: { DATABASE_URL: url } });
      expect(out).toMatchObject({
        code: 0,
        stderr: "",
        stdout: expect.stringMatching(/^Exported 0 bookmarks, 2 posts, 1 comment, 1 image from /),
      });
      const env = { DATABASE_URL: place };
      const dry = await run(["import", file, "--dry-run"], { env });
      expect(dry).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("add post “Second” → /posts/second"),
      });
      const done = await run(["import", file, "--json"], { env });
      expect(JSON.parse(done.stdout)).toMatchObject({
        format: "archive",
        added: 6,
        refused: 0,
        import_id: 1,
      });
      const undone = await run(["import", "--undo", "1"], { env });
      expect(undone.stdout).toContain("  removed: 1 comment, 2 posts, 1 image\n  0 kept");
    });
  });

describe("An archive is refused", () => {
  const refusal = (bytes: Promise<Buffer>) =>
    bytes.then(staged).then(
      () => "read",
      (error) => {
        // As of every command that is given a wrong file.
        expect(error).toMatchObject({ exitCode: 2 });
        return messageOf(error);
      },
    );

  test("with the file and line of the damage", async () => {
    const broken = archiveOf({}, { "posts.jsonl": '{"title":"x"}\nnot JSON\n' });
    expect(await refusal(broken)).toBe("posts.jsonl, line 2: not a JSON object. Nothing was imported.");
    const bytes = archiveOf({}, { "posts.jsonl": Buffer.from([0x7b, 0xff, 0x0a]) });
    expect(await refusal(bytes)).toBe("posts.jsonl, after line 0: not UTF-8.");
    const whole = await archiveOf(small);
    expect(await refusal(Promise.resolve(whole.subarray(0, whole.length - 30)))).toBe(
      "The archive is damaged: its end is missing, as after an interrupted download. Get it again.",
    );
    expect(await refusal(archiveOf({}, { "commonplace.json": "{}" }))).toMatch(
      /^commonplace\.json is damaged/,
    );
  });

  test("with a clear message when a byte has changed, or when it is encrypted", async () => {
    const whole = await archiveOf(small);
    const changed = (change: (bytes: Buffer, header: number) => void) => {
      const bytes = Buffer.from(whole);
      change(
        bytes,
        bytes.lastIndexOf("PK\x01\x02", bytes.indexOf("posts.jsonl", bytes.indexOf("PK\x01\x02"))),
      );
      return refusal(Promise.resolve(bytes));
    };
    const data = (bytes: Buffer, header: number) =>
      bytes.readUInt32LE(header + 42) + 30 + "posts.jsonl".length;
    expect(await changed((bytes, header) => bytes.writeUInt8(0xff, data(bytes, header)))).toBe(
      "posts.jsonl is damaged in the archive. Get it again.",
    );
    // What is unpacked is as long as it should be, and JSON.
    expect(await changed((bytes, header) => bytes.writeUInt32LE(7, header + 16))).toBe(
      "posts.jsonl is damaged in the archive. Get it again.",
    );
    expect(await changed((bytes, header) => bytes.writeUInt8(1, header + 8))).toBe(
      "posts.jsonl is encrypted: unpack the archive with its password, and zip the files again.",
    );
    expect(await changed((bytes, header) => bytes.writeUInt8(0x40, header + 8))).toBe(
      "The archive is encrypted: unpack it with its password, and zip the files again.",
    );
    expect(await changed((bytes, header) => bytes.writeUInt16LE(14, header + 10))).toBe(
      "posts.jsonl uses an unsupported compression method: unpack the archive, and zip the files again.",
    );
    expect(await changed((bytes, header) => bytes.writeUInt32LE(0, header))).toBe(
      "The archive is damaged. Get it again.",
    );
  });

  test("when a later version wrote it, or when a path leads out of it", async () => {
    const later = JSON.stringify({ format: "commonplace", version: 2, program: "9", exported_at: "" });
    expect(await refusal(archiveOf({}, { "commonplace.json": later }))).toMatch(
      /version 2 .* a newer version/,
    );
    const slip = Buffer.from(
      (
        await zipOf([
          ["aa/etc", "x"],
          ["commonplace.json", "{}"],
        ])
      )
        .toString("latin1")
        .replaceAll("aa/etc", "../etc"),
      "latin1",
    );
    expect(await refusal(Promise.resolve(slip))).toBe(
      "The archive has a path that leads out of it: ../etc. It is refused.",
    );
  });

  test("when it unpacks to absurdly more than its size", () => {
    expect(() => refuseBomb(3 * 1024 ** 3, 1024 ** 2)).toThrow("200 times");
    expect(() => refuseBomb(3 * 1024 ** 3, 1024 ** 3)).not.toThrow();
  });

  test("per record when a record is invalid", async () => {
    const copy = {
      ...{
        id: 1,
        bookmark: 1,
        taken_at: WHEN,
        origin: "browser" as const,
        url: "https://example.com/",
        title: "x",
      },
      ...{ words: 1, is_article: true, extractor: 1, created_by: null, html: "<p>x</p>" },
    };
    const pictures = [1, 2].map((n) => ({ name: "picture-1", path: `copies/1-picture-${n}.png` }));
    using site = await staged(
      await archiveOf(
        {
          setting: [{ name: "bookmarksAccess", value: "everyone", updated_at: WHEN }],
          post: [
            { ...post, title: "" },
            { ...post, id: 2 ** 52, publication: { slug: "../Search" } },
          ],
          image: [{ ...image.record, sha: "0".repeat(40) }],
          icon: [
            { host: "drawn.example", large: btoa("<svg onload='alert(1)'/>"), read_at: WHEN },
            { host: "kept.example", large: ICON, read_at: WHEN },
          ],
          bookmark: [{ title: "x", url: "javascript:alert(1)", created_at: WHEN, updated_at: WHEN }],
          comment: [{ post: 7, author: "Bo", text: "Hi", status: "shown", created_at: "yesterday" }],
          copy: [
            { ...copy, url: "javascript:alert(1)" },
            { ...copy, pictures },
          ],
          picture: [
            { ...PAGE_PICTURE, path: picturePath("javascript:alert(1)"), url: "javascript:alert(1)" },
            { ...PAGE_PICTURE, url: "https://drawn.example/", path: picturePath("https://drawn.example/") },
            { ...PAGE_PICTURE, url: "https://gone.example/", path: picturePath("https://gone.example/") },
            { ...PAGE_PICTURE, path: PAGE_PICTURE.path.replace("page-pictures/", "page-pictures/../") },
            PAGE_PICTURE,
          ],
        },
        { [picturePath("https://drawn.example/")]: "<svg onload='alert(1)'/>" },
      ),
    );
    await using place = await engines[0]?.createDatabase();
    const database = await openDatabase(place?.url ?? "");
    const report = await importSite(database, site);
    const rows = [...report.rows].map(({ kind, file, line, outcome, reason }) => [
      kind,
      `${file}:${line}`,
      outcome,
      reason,
    ]);
    expect(rows.toSorted()).toEqual([
      ["bookmark", "bookmarks.jsonl:1", "refused", "url_scheme"],
      ["comment", "comments.jsonl:1", "refused", "datetime_invalid"],
      ["copy", "copies.jsonl:1", "refused", "invalid"],
      ["copy", "copies.jsonl:2", "refused", "invalid"],
      ["icon", "icons.jsonl:1", "refused", "wrong_image"],
      ["icon", "icons.jsonl:2", "added", null],
      ["image", "images.jsonl:1", "refused", "wrong_image"],
      ["picture", "page-pictures.jsonl:1", "refused", "invalid"],
      ["picture", "page-pictures.jsonl:2", "refused", "wrong_image"],
      ["picture", "page-pictures.jsonl:3", "refused", "missing_file"],
      ["picture", "page-pictures.jsonl:4", "refused", "invalid"],
      ["picture", "page-pictures.jsonl:5", "added", null],
      ["post", "posts.jsonl:1", "refused", "too_short"],
      ["post", "posts.jsonl:2", "added", "public"],
      ["setting", "settings.jsonl:1", "refused", "unknown_value"],
    ]);
    const posts = await database.read`select id, slug from posts where publication_version > 0`;
    expect(posts.map((row) => ({ ...row }))).toEqual([{ id: 1, slug: "search-2" }]);
    await database.close();
  });
});

test("A photo in an archive loses its place as an upload does, and texts follow its new name", async () => {
  const jpeg = await photo();
  const sha = createHash("sha256").update(jpeg).digest("hex").slice(0, 40);
  const record = { ...image.record, sha, type: "jpg", width: 400, height: 300 } as const;
  const path = `/media/${sha}.jpg`;
  const site = {
    setting: [{ name: "styleSheet", value: `h1 { background: url(${path}) }`, updated_at: WHEN }],
    image: [record],
    post: [{ ...post, content: `![Here](${path})`, publication: { slug: "here", image: path } }],
  } as unknown as ArchivedSite;
  await using place = await engines[0]?.createDatabase();
  const database = await openDatabase(place?.url ?? "");
  const report = await restored(await archiveOf(site, { [`media/${sha}.jpg`]: jpeg }), database);
  expect([report.added, report.refused, report.skipped]).toEqual([3, 0, 0]);
  const [kept] = await listMedia(database.read);
  const name = kept?.sha ?? "";
  const archive = await exported(database);
  const bytes = await database.read<{
    bytes: Uint8Array;
  }>`select bytes from media_forms where sha = ${name}`;
  const stored = Buffer.concat(bytes.map(({ bytes }) => bytes));
  expect(["Exif", PLACE, "script"].filter((text) => stored.includes(text))).toEqual([]);
  const text = JSON.stringify(await recordsOf(archive));
  expect([text.includes(sha), text.split(`/media/${name}.jpg`).length - 1]).toEqual([false, 3]);
  await using other = await engines[0]?.createDatabase();
  const again = await openDatabase(other?.url ?? "");
  await restored(archive, again);
  expect(await recordsOf(await exported(again))).toEqual(await recordsOf(archive));
  await database.close();
  await again.close();
});

/** What an archive does not have: secrets, what is derived, and what is of this database alone. */
const LEFT_OUT = new Set([
  ...["accounts", "tokens", "sessions", "sign_in_failures", "welcome_links", "authorization_codes", "keys"],
  ...["meta", "counters", "commits", "jobs", "idempotency_keys", "media_objects"],
  ...["imports", "import_rows", "import_uploads", "import_pieces", "changes", "change_rows"],
  ...["copy_failures"],
]);

/** Columns that are derived from others, only distinguish versions of this database, or are forgotten after days. */
const DERIVED = new Set([
  "posts.comments_version",
  "bookmarks.not_before",
  "bookmarks.digest",
  "posts.digest",
  "comments.digest",
  "copies.digest",
  "marks.digest",
  "media_forms.digest",
  "comments.sender",
  "posts.publication_version",
  "media.size",
  "tags.key",
  "themes.hash",
  "themes.created_at",
  "site_icons.hash",
  "site_icons.small",
  ...["copies.size", "copy_parts.sha256", "copy_parts.position", "copy_blobs.sha256", "copy_blobs.size"],
  ...["copy_parts.width", "copy_parts.height"],
  ...["page_pictures.page", "page_pictures.sha256", "page_pictures.width", "page_pictures.height"],
  "page_pictures.unused_since",
]);

const TABLES: Readonly<Record<string, string>> = {
  bookmarks: "bookmark",
  tags: "tag",
  site_settings: "setting",
  themes: "setting",
  site_icons: "icon",
  posts: "post",
  post_tags: "post",
  post_properties: "post",
  former_slugs: "post",
  redirects: "post",
  post_versions: "version",
  comments: "comment",
  edits: "edit",
  media: "image",
  media_forms: "image",
  copies: "copy",
  copy_parts: "copy",
  copy_blobs: "copy",
  reading: "copy",
  marks: "mark",
  page_pictures: "picture",
};

test("Replies before their comments are linked; those to themselves or to another post stand alone", async () => {
  const said = (id: number, parent: number | null, on = 7) =>
    ({ id, post: on, author: "Bo", text: `${id}`, status: "shown", created_at: WHEN, parent }) as const;
  const early = Array.from({ length: 600 }, (_, n) => said(n + 1, n + 2));
  const { comments, report } = await importedFrom(
    await archiveFile({
      post: [post, { ...post, id: 9, title: "Second", publication: null, redirects: [] }],
      comment: [
        ...early,
        said(601, null),
        said(602, 602),
        said(603, 601, 9),
        said(604, 605, 9),
        said(605, null),
      ],
    }),
  );
  expect(comments.map(({ id, parent }) => [id, parent])).toEqual([
    ...early.map(({ id, parent }) => [id, parent]),
    ...[601, 602, 603, 604, 605].map((id) => [id, null]),
  ]);
  expect(report.notes.map(({ line, detail }) => [line, detail])).toEqual([
    [602, "3 comments reply to others that did not come in; they stand alone."],
  ]);
});

test("Every table is in an archive or left out on purpose, and every column of it", async () => {
  await using place = await engines[0]?.createDatabase();
  const database = await openDatabase(place?.url ?? "");
  const columns = await database.read<{ name: string; column: string }>`
    select m.name, c.name as column from sqlite_schema m join pragma_table_info(m.name) c where m.type = 'table'`;
  await database.close();
  const names = new Map<string, string>(
    Object.entries({
      post_id: "post",
      parent_id: "parent",
      slug: "former_slugs",
      path: "redirects",
      position: "tags",
      key: "tags",
      name: "tags",
      css: "value",
      bytes: "sha",
      object: "sha",
      replaced_by: "replaced_by",
    }),
  );
  const shapes: Record<string, object> = Object.fromEntries(
    ARCHIVED.map(({ kind, archive }) => [
      kind,
      {
        id: 1,
        post: 1,
        ...(archive.shape as z.ZodObject).shape,
        // A text is HTML there; a copy has its parts as files, and how far it is read.
        ...(kind === "copy" && {
          bookmark_id: 1,
          copy_id: 1,
          text: "",
          name: "",
          type: "",
          bytes: "",
          object: "",
        }),
        ...(kind === "copy" && Reading.shape),
        ...(kind === "mark" && { bookmark_id: 1 }),
        ...(kind === "post" && PublicationRecord.shape),
      },
    ]),
  );
  const missing = columns.filter(({ name, column }) => {
    if (
      /^sqlite_|^search_|^rendered_posts$/.test(name) ||
      LEFT_OUT.has(name) ||
      DERIVED.has(`${name}.${column}`)
    )
      return false;
    const shape = shapes[TABLES[name] ?? ""] ?? {};
    return !(column in shape) && !((names.get(column) ?? "") in shape);
  });
  expect(missing).toEqual([]);
});
