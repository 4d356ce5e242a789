import { expect, test } from "bun:test";
import { openDatabase } from "../../../src/database/open.ts";
import { undoSiteImport } from "../../../src/transfer/import/undo-site-import.ts";
import { importBytes } from "../../support/files/imported-site.ts";
import { zipOf } from "../../support/files/zip.ts";
import { engines } from "../../support/server/engines.ts";

const thread = (id: number, link: string, name = "") =>
  `<thread dsq:id="${id}"><id>${name}</id><category dsq:id="1"/><link>${link}</link><title>T</title><author><name>Ada</name></author></thread>`;

interface Comment {
  readonly id: number;
  readonly of: number;
  readonly name?: string;
  readonly message?: string;
  readonly more?: string;
}

const comment = ({ id, of, name = "Bo", message = `&lt;p&gt;No. ${id}&lt;/p&gt;`, more = "" }: Comment) => `
<post dsq:id="${id}"><id>wp_${id}</id><message>${message}</message><createdAt>2012-12-1${id}T12:12:12Z</createdAt>
<isDeleted>false</isDeleted><isSpam>false</isSpam><author><email>secret@example.org</email><name>${name}</name></author>
<ipAddress>192.0.2.1</ipAddress><thread dsq:id="${of}"/>${more}</post>`;

/** In the shape of Disqus' file, in which replies may come first. */
const EXPORT = `<?xml version="1.0" encoding="utf-8"?>
<disqus xmlns="http://disqus.com" xmlns:dsq="http://disqus.com/disqus-internals"><category dsq:id="1"><title>General</title></category>
${thread(1, "https://old.example/2012/12/first.html?utm=1")}${thread(2, "http://old.example/", "/about/")}${thread(3, "https://old.example/gone/")}
${comment({ id: 1, of: 1, message: "<![CDATA[<p>Hi &amp; <a href='https://b.example'>there</a></p>]]>", more: '<parent dsq:id="2"/>' })}
${comment({ id: 2, of: 1, name: "" })}
${comment({ id: 3, of: 2 })}
${comment({ id: 4, of: 3 })}${comment({ id: 5, of: 3 })}
${comment({ id: 6, of: 1 }).replace("<isSpam>false", "<isSpam>true")}
${comment({ id: 7, of: 1 }).replace("<isDeleted>false", "<isDeleted>true")}
${comment({ id: 8, of: 9 })}${comment({ id: 9, of: 1 }).replace("<isDeleted>false", "<isDeleted>1")}
</disqus>`;

const POSTS = {
  "posts/first.md": "---\ntitle: First\ndate: 2012-12-10\naliases: [/2012/12/first.html]\n---\nx",
  "pages/about.md": "---\ntitle: About\ndate: 2012-12-10\n---\nx",
};

for (const engine of engines)
  test(`Comments of Disqus come in at the posts that have the addresses of their pages; the others are named (${engine.name})`, async () => {
    await using place = await engine.createDatabase();
    const database = await openDatabase(place.url);
    try {
      await importBytes(database, await zipOf(Object.entries(POSTS)));
      const report = await importBytes(database, Buffer.from(EXPORT));
      expect(report).toMatchObject({ format: "disqus", added: 3, skipped: 2, refused: 0 });
      const comments = () => database.read`
        select p.title, c.author, c.text, c.status, c.created_at, r.text as reply_to from comments c
        join posts p on p.id = c.post_id left join comments r on r.id = c.parent_id order by c.created_at`;
      const [first, ...others] = await comments();
      expect(first).toMatchObject({
        ...{ title: "First", author: "Bo", text: "Hi & there (https://b.example)", status: "shown" },
        reply_to: "No. 2",
      });
      expect(new Date(first?.created_at as number).toISOString()).toBe("2012-12-11T12:12:12.000Z");
      expect(others).toMatchObject([
        { title: "First", author: "Anonymous", text: "No. 2", reply_to: null },
        { title: "About", author: "Bo", text: "No. 3" },
      ]);
      expect(report?.notes.map(({ detail }) => detail)).toEqual([
        "Spam: 1 comment left out.",
        "Deleted: 2 comments left out.",
        "Of a page without an address: 1 comment left out.",
        "No post here has the address of these comments: /gone (2). Import the posts before their comments.",
      ]);
      expect(JSON.stringify([report, await comments()])).not.toMatch(/secret@|192\.0\.2/);
      const again = await importBytes(database, Buffer.from(EXPORT));
      expect(again).toMatchObject({ added: 0, skipped: 5, import_id: null });
      await undoSiteImport(database, report?.import_id ?? 0, new Date());
      expect(await comments()).toEqual([]);
    } finally {
      await database.close();
    }
  });
