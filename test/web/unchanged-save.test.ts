import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { readCustomCss, saveCustomCss } from "../../src/web/custom-css/custom-css.ts";
import { usePageSite, watch } from "../support/pages/page-visits.ts";
import { makeToken, withToken } from "../support/records/accounts.ts";
import type { Send } from "../support/requests/send.ts";
import { sendTo } from "../support/requests/send.ts";
import { fullRunTest, isFullRun } from "../support/run/full-run.ts";

/** Texts that a browser sends in another form than it got them, or that could be taken for typed by mistake. */
const TEXTS = [
  "line\nbreak",
  "one\rtwo\r\nthree\n\nfour",
  " blank at both ends ",
  "\n\nempty lines first and last\r\n",
  "tab\tand \u0001\u0007\u001f control \u0085 \u009f",
  "no-break\u00a0space \u2028 \u2029 \ufeff \u00ad\u200b",
  "a &amp; b &#10; <b> \" '",
  "e\u0301 is not \u00e9",
];
/**
 * The texts of a form's fields, form by form: in the full run each text in every field, in the short one each in one
 * field at least.
 */
const textsOf = (fields: number, forms = Math.ceil(TEXTS.length / fields)): readonly (readonly string[])[] =>
  isFullRun
    ? TEXTS.map((text) => Array.from({ length: fields }, () => text))
    : Array.from({ length: forms }, (_, form) =>
        Array.from({ length: fields }, (_, field) => TEXTS[(form * fields + field) % TEXTS.length] ?? ""),
      );
const TAG_LINES = ["", "\n#a,b #c", "\r\n\r\n  #b   #a  \r\n", "\n#B/ä #x,y,z #x\n", "\n#a, #b,"];

describe("A form that nobody has touched", () => {
  const site = usePageSite({ FETCH_PAGES: "off" });
  let send: Send;
  beforeAll(async () => {
    send = withToken(sendTo(site.server.url), await makeToken(site.database, site.account));
  });

  const json = async (path: string) => (await (await send(path)).json()) as Record<string, unknown>;
  const make = async (path: string, fields: Record<string, unknown>) => {
    const response = await send(path, { method: "POST", json: fields });
    expect(response.status).toBe(201);
    return ((await response.json()) as { id: number }).id;
  };
  const change = async (path: string, fields: Record<string, unknown>) => {
    const response = await send(path, { method: "PATCH", json: fields });
    expect(response.status === 200 || (await response.text())).toBe(true);
  };

  // What the markup alone sends is in `contract/unchanged-forms.test.ts`, too.
  for (const javaScriptEnabled of [false, true])
    describe.skipIf(!javaScriptEnabled && !isFullRun)(
      javaScriptEnabled ? "with scripts" : "without scripts",
      () => {
        const open = async () => {
          const page = await site.page({ javaScriptEnabled }, true);
          return { page, faults: watch(page, site.server.url) };
        };
        /** Opens a form, does something with it, and sends it by a button. */
        const submit = async (page: Page, path: string, button: string, act?: () => Promise<unknown>) => {
          await page.goto(`${site.server.url}${path}`);
          await act?.();
          const answered = page.waitForResponse((response) => response.request().method() === "POST");
          const left = page.waitForEvent("framenavigated");
          await page.getByRole("button", { name: button, exact: true }).first().click();
          expect((await answered).status()).toBe(303);
          await left;
        };

        test("leaves a bookmark as it is, byte for byte", async () => {
          const { page, faults } = await open();
          for (const [index, [title, note]] of textsOf(2, TAG_LINES.length).entries()) {
            const description = `${note}${TAG_LINES[index % TAG_LINES.length]}`;
            const id = await make("/bookmarks/", {
              title,
              url: "https://example.com/?a=%20#b",
              description,
            });
            const path = `/bookmarks/${id}?include=tags,updated_at`;
            const before = await json(path);
            await submit(page, `/library/${id}/edit`, "Save");
            expect(await json(path)).toEqual(before);
          }
          expect(faults).toEqual([]);
        });

        test("or has only one field touched, leaves the others of a bookmark", async () => {
          const { page } = await open();
          const fields = {
            title: "line\nbreak ",
            url: "https://example.com/",
            description: "a\r\nb  \r\n#a,b #c ",
          };
          const id = await make("/bookmarks/", fields);
          const path = `/library/${id}/edit`;
          await submit(page, path, "Save", () => page.getByLabel("Title").fill("Other "));
          expect(await json(`/bookmarks/${id}`)).toMatchObject({ ...fields, title: "Other " });
          await change(`/bookmarks/${id}`, fields);
          const tags = page.getByLabel("Tags", { exact: true });
          await submit(page, path, "Save", () => tags.fill("a,b, c, d"));
          expect(await json(`/bookmarks/${id}`)).toMatchObject({
            ...fields,
            description: "a\r\nb  \r\n#a,b #c #d ",
          });
          await submit(page, path, "Save", () => page.getByLabel("Note").fill("new"));
          expect(await json(`/bookmarks/${id}?include=tags`)).toMatchObject({
            title: fields.title,
            description: "new\n#a,b #c #d",
            tags: ["a,b", "c", "d"],
          });
        });

        test("leaves a post and its publication, byte for byte", async () => {
          const { page, faults } = await open();
          for (const [title, content, summary] of textsOf(3)) {
            const id = await make("/api/posts/", { title: `x${title}y `, content, published: true });
            await change(`/api/posts/${id}/publication/`, {
              ...{ summary, tags: ["a,b", "c"], language: "de-AT", slug: `post-${id}` },
              published_at: "2025-03-04T05:06:07.089Z",
            });
            const paths = [`/api/posts/${id}/`, `/api/posts/${id}/publication/`];
            const before = await Promise.all(paths.map(json));
            await submit(page, `/write/${crypto.randomUUID()}?post=${id}`, "Update");
            expect(await Promise.all(paths.map(json))).toEqual(before);
          }
          expect(faults).toEqual([]);
        });

        fullRunTest("leaves the settings, the menu and the style sheet", async () => {
          const { page, faults } = await open();
          for (const [name = "", description, author_line = ""] of textsOf(3)) {
            await change("/api/site/", {
              ...{ name: `x${name}`, description, author_line },
              menu: [{ text: `x${author_line.replace(/[\r\n\u2028\u2029]/g, "")}y`, url: "/about" }],
            });
            const css = `/* ${name.replaceAll(/[<\p{Cc}]/gu, "\r\n")} */\r\np { color: red }\r`;
            await site.database.write((sql) => saveCustomCss(sql, css, new Date()));
            const before = await json("/api/site/");
            for (const path of ["/settings", "/settings/menu", "/settings/theme"])
              await submit(page, path, "Save");
            expect(await json("/api/site/")).toEqual(before);
            expect((await readCustomCss(site.database.read))?.css).toBe(css);
          }
          expect(faults).toEqual([]);
        });
      },
    );
});
