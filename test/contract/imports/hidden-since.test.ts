import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { importPage } from "../../support/files/import-page.ts";
import { zipOf } from "../../support/files/zip.ts";
import { submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";
import { run, temporaryFolder } from "../../support/server/server.ts";

const post = (title: string, more = "") =>
  `---\ntitle: ${title}\ndate: 2020-01-01\n${more}---\nWords of ${title}`;

/** A blog, and the same one when one of its posts is hidden. */
const SHOWN = { "a.md": post("Shown"), "b.md": post("Hidden"), "c.md": post("Draft", "draft: true\n") };
const HIDDEN = { ...SHOWN, "b.md": post("Hidden", "private: true\n") };

describeApp("A blog that hides what an earlier import made public", (service) => {
  const start = async () => {
    const app = await importPage(service);
    const zip = (files: Readonly<Record<string, string>>) => zipOf(Object.entries(files));
    const published = async () => {
      const rows = await app.database.read<{ title: string }>`
        select title from posts where published = ${true} order by title`;
      return rows.map(({ title }) => title);
    };
    return { ...app, zip, published };
  };

  test("is offered to make these posts drafts, in the preview, and only then they are", async () => {
    const { importAll, page, published, request, runJob, send, upload, zip } = await start();
    const first = await importAll(await zip(SHOWN));
    expect(first.preview).not.toContain('name="drafts"');
    expect(await published()).toEqual(["Hidden", "Shown"]);
    const again = await importAll(await zip(HIDDEN));
    expect(again.preview).toContain("Public here, hidden in the file");
    expect(again.preview).toContain("Turn 1 post into a draft: it is public here, but hidden in this file?");
    expect(again.preview).toContain('<input type="hidden" name="drafts" value="1"/>');
    // The form was sent without it.
    expect(await published()).toEqual(["Hidden", "Shown"]);

    const path = (await upload(await zip({ ...HIDDEN, "d.md": post("New") }))).headers.get("location") ?? "";
    const look = await page(path);
    expect(look).toContain('<input type="checkbox" name="drafts" value="1" checked/>');
    expect(look).toContain("was made public by an earlier import, but it is hidden in this file.");
    await submit(send, path, { drafts: "1" });
    await runJob(path);
    expect(await published()).toEqual(["New", "Shown"]);
    expect((await request("/posts/a")).status).toBe(200);
    expect((await request("/posts/b")).status).toBe(404);
    expect(await page("/")).not.toContain("Words of Hidden");
    // A draft is no longer named.
    expect((await importAll(await zip(HIDDEN))).preview).not.toContain('name="drafts"');
  });

  test("does not name posts that a person has published here", async () => {
    const { database, importAll, zip } = await start();
    await importAll(await zip(SHOWN));
    await database.write((sql) => sql`update import_rows set reason = 'draft' where title = 'Hidden'`);
    expect((await importAll(await zip(HIDDEN))).preview).not.toContain('name="drafts"');
  });
});

describe("commonplace import", () => {
  const blog = (
    folder: ReturnType<typeof temporaryFolder>,
    name: string,
    files: Readonly<Record<string, string>>,
  ) => {
    mkdirSync(folder.file(name));
    for (const [path, text] of Object.entries(files)) writeFileSync(folder.file(`${name}/${path}`), text);
    return folder.file(name);
  };
  const wxr = (attributes: string) =>
    `<?xml version="1.0"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><item><title>T</title><content:encoded><![CDATA[<!-- wp:paragraph --><p>Open.</p><!-- /wp:paragraph --><!-- wp:paragraph ${attributes} --><p>Veiled.</p><!-- /wp:paragraph -->]]></content:encoded><wp:post_id>1</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status><wp:post_date_gmt>2020-01-01 10:00:00</wp:post_date_gmt></item></channel></rss>`;

  test("names posts that are public here and hidden in the file; --make-drafts makes them drafts", async () => {
    using folder = temporaryFolder();
    const env = { DATABASE_URL: `sqlite:${folder.file("blog.db")}` };
    await run(["import", blog(folder, "shown", SHOWN)], { env });
    const hidden = blog(folder, "later", HIDDEN);
    for (const words of [["--dry-run"], []]) {
      const { stdout } = await run(["import", hidden, ...words], { env });
      expect(stdout).toContain(
        "  1 post is public here by an earlier import, and hidden in this file. Add --make-drafts to make them drafts:\n    b.md, line 1: skipped post “Hidden” – Post 2 (b) was made public",
      );
    }
    const json = JSON.parse((await run(["import", hidden, "--dry-run", "--json"], { env })).stdout);
    expect(json).toMatchObject({ hidden_there: 1, made_drafts: false });
    expect(json.rows).toContainEqual(expect.objectContaining({ id: 2, reason: "hidden_there" }));
    const done = await run(["import", hidden, "--make-drafts"], { env });
    expect(done.stdout).toContain("hidden in this file, now drafts:\n");
    expect((await run(["import", hidden], { env })).stdout).not.toContain("hidden in this file");
    expect(await run(["check"], { env })).toMatchObject({ code: 0 });
    const links = folder.file("links.html");
    writeFileSync(
      links,
      '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://a.example/">A</A></DL>',
    );
    expect(await run(["import", links, "--make-drafts"], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--make-drafts applies to a blog only"),
    });
  });

  test("names a post of which a part is hidden in the file, unless the part is not here", async () => {
    using folder = temporaryFolder();
    const env = { DATABASE_URL: `sqlite:${folder.file("blog.db")}` };
    const [shown, hidden] = [folder.file("shown.xml"), folder.file("hidden.xml")];
    writeFileSync(shown, wxr(""));
    writeFileSync(hidden, wxr('{"metadata":{"blockVisibility":false}}'));
    await run(["import", shown], { env });
    expect((await run(["import", hidden], { env })).stdout).toContain(
      "but the file has blocks that are hidden there: paragraph.",
    );
    const other = { DATABASE_URL: `sqlite:${folder.file("other.db")}` };
    await run(["import", hidden], { env: other });
    expect((await run(["import", hidden], { env: other })).stdout).not.toContain("earlier import");
  });
});
