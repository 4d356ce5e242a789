import { beforeAll, expect, test } from "bun:test";
import type { Account } from "../../src/accounts/account.ts";
import { storeStates } from "../../src/bookmarks/bookmark-states.ts";
import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import { removeBookmarks } from "../../src/bookmarks/bulk/change-many.ts";
import { insertPost } from "../../src/posts/post-store.ts";
import { changePublication } from "../../src/posts/publication/change-publication.ts";
import type { PublicationPatch } from "../../src/posts/publication/publication.ts";
import type { SiteSettings } from "../../src/web/site/site-settings.ts";
import { saveSite } from "../../src/web/site/site-store.ts";
import { everything } from "../support/databases/moving.ts";
import { describeSite, oneEngine } from "../support/pages/site.ts";
import { makeAccount, makeSession } from "../support/records/accounts.ts";
import { makeMark } from "../support/records/marks.ts";
import { formsOf, submit } from "../support/requests/forms.ts";
import type { Send } from "../support/requests/send.ts";

/** Tables and columns that a save may touch without a change: when it was, and what is computed of the rest. */
const PASSING = /^(?:sessions|commits|counters|jobs|meta|rendered_posts|sqlite_sequence)$/;
const PASSING_COLUMN = /last_used_at$|last_seen_at$|updated_at$|^themes\.created_at$/;

/** A value other than the default of each setting that a form has. */
const SETTINGS: Partial<SiteSettings> = {
  ...{ name: "Ada’s “shelf” & more", description: "Two lines,\nin fact.", language: "pt-BR" },
  ...{ timeZone: "Asia/Tokyo", dateStyle: "ymd", authorLine: "Keeps <bees>.", theme: "dark" },
  ...{ profiles: ["https://one.example/@ada", "https://two.example/ada"], screenTheme: "light" },
  verifications: [{ name: "msvalidate.01", content: "1A2B" }],
  links: [
    { text: "About “us”", url: "/posts/about" },
    { text: "Elsewhere", url: "https://elsewhere.example/?a=1&b=2" },
  ],
  ...{
    singleKeys: false,
    titleOpensCopy: true,
    today: false,
    keepCopies: "added",
    bookmarksAccess: "read",
    comments: "moderated",
  },
  ...{ lookTheme: "ink", accent: "purple", textFace: "sans", frontPage: "whole" },
};

const NOTE = "A note\nof two lines, “quoted”.\n#fern #C# #dev/js";
/** A value of each detail of a post. */
const PUBLICATION: PublicationPatch = {
  ...{
    kind: "link" as const,
    link: "https://linked.example/?a=1&b=2",
    slug: "a-slug",
    summary: "In “short”.",
  },
  ...{ tags: ["Fern", "C#"], language: "de", canonical_url: "https://first.example/" },
};

describeSite(
  "A form that is sent as it was shown",
  (site) => {
    let account: Account;
    let send: Send;
    let link: number;
    let post: number;
    let mark: number;

    beforeAll(async () => {
      const { database } = site;
      account = await makeAccount(database, "ada");
      const cookie = await makeSession(database, account);
      send = (path, init) => site.send(path, { ...init, headers: { cookie, ...(init?.headers as object) } });
      const now = new Date();
      link = await storeLink("edited");
      mark = (await makeMark(database, link, "Words", { note: `\n${NOTE}\r\nMore. \n` })).id;
      await database.write((sql) => saveSite(sql, SETTINGS, now));
      await submit(send, "/settings/theme", { css: "a { color: teal }\n/* “done” & </style> */" });
      await submit(send, "/account/name", { display_name: "Ada “L.” & Co" });
      post = await database.write(async (sql) => {
        const text = { title: "A <title>", content: "\n\nTwo lines\nand  “more” & more.\n", published: true };
        const made = await insertPost(sql, text, account.id, now);
        await changePublication(sql, made, PUBLICATION, now);
        return made.id;
      });
    });

    async function storeLink(name: string): Promise<number> {
      const fields = {
        title: `A “link” & <${name}>`,
        url: `https://${name}.example/?a=1&b=2#part`,
        description: NOTE,
      };
      return site.database.write(async (sql) => {
        const { id } = await insertBookmark(sql, fields, account.id, new Date());
        await storeStates(sql, [{ id, states: { unread: true, archived: true, shared: true } }], new Date());
        return id;
      });
    }

    async function sendAsShown(path: string, action = path): Promise<Response> {
      const html = await (await send(path)).text();
      const [form] = formsOf(html, action);
      if (form === undefined) throw new Error(`${path} has no form that leads to ${action}`);
      return submit(send, form.action, form.fields);
    }

    const FORMS: Readonly<Record<string, () => string>> = {
      "/library/{id}": () => `/library/${link}`,
      "/library/{id}/edit": () => `/library/${link}/edit`,
      "/library/{id}/marks/{mark}": () => `/library/${link}/marks/${mark}`,
      "/settings": () => "/settings",
      "/settings/copies": () => "/settings/copies",
      "/settings/menu": () => "/settings/menu",
      "/settings/look": () => "/settings/look",
      "/settings/theme": () => "/settings/theme",
      "/account": () => "/account",
    };
    // These pages have several.
    const ACTIONS: Readonly<Record<string, () => string>> = {
      "/library/{id}": () => `/library/${link}/note`,
      "/account": () => "/account/name",
    };

    test.each(Object.entries(FORMS))("%s changes nothing", async (name, pathOf) => {
      const before = recordsIn(site.databaseUrl);
      const response = await sendAsShown(pathOf(), ACTIONS[name]?.());
      expect(response.status).toBe(303);
      expect(recordsIn(site.databaseUrl)).toEqual(before);
    });

    test("the editor changes nothing of the post but its version", async () => {
      const before = recordsIn(site.databaseUrl);
      const { location } = Object.fromEntries((await send(`/write?post=${post}`)).headers);
      const response = await sendAsShown(location ?? "", location?.split("?")[0]);
      expect([response.status, await response.text()]).toEqual([303, ""]);
      const after = recordsIn(site.databaseUrl);
      expect(after.posts).toEqual(before.posts);
    });

    test("after the link was removed makes a new one with all that the form had", async () => {
      const id = await storeLink("removed");
      const [shown] = formsOf(await (await send(`/library/${id}/edit`)).text(), `/library/${id}/edit`);
      await removeBookmarks(site.database, [id], account.id, new Date());
      const refused = await submit(send, `/library/${id}/edit`, shown?.fields ?? {});
      const [offered] = formsOf(await refused.text(), "/library/new");
      const response = await submit(send, "/library/new", offered?.fields ?? {});
      expect([refused.status, response.status]).toEqual([404, 303]);
      const rows = await site.database.read<{ title: string; description: string; unread: number }>`
        select title, description, unread from bookmarks where url like 'https://removed.example/%'`;
      expect(rows.map((row) => ({ ...row, unread: Boolean(row.unread) }))).toEqual([
        { title: "A “link” & <removed>", description: NOTE, unread: true },
      ]);
    });
  },
  { on: oneEngine },
);

/** All records, by table. */
function recordsIn(url: string): Record<string, unknown[]> {
  const tables = Object.entries(everything(url)).filter(([table]) => !PASSING.test(table));
  return Object.fromEntries(
    tables.map(([table, rows]) => [
      table,
      (rows as Record<string, unknown>[]).map((row) =>
        Object.fromEntries(
          Object.entries(row).filter(([column]) => !PASSING_COLUMN.test(`${table}.${column}`)),
        ),
      ),
    ]),
  );
}
