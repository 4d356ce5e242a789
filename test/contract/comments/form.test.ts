import { beforeAll, expect, setSystemTime, test } from "bun:test";
import {
  COMMENTS,
  commentsOf,
  createPost,
  describeBlog,
  type Envelope,
  read,
} from "../../support/records/blog.ts";
import { submit } from "../../support/requests/forms.ts";

const SAME_SITE = { "sec-fetch-site": "same-origin", "content-type": "application/x-www-form-urlencoded" };

describeBlog(
  "The form for comments",
  (blog) => {
    const { editor, anyone } = blog;
    const path = "/posts/talked-about/comments";

    beforeAll(async () => {
      await createPost(editor, { title: "Talked about" });
    });

    /** The form as a person sends it: ten seconds after it was shown. */
    async function send(
      fields: Record<string, string>,
      { after = 10_000, as = anyone } = {},
    ): Promise<Response> {
      const html = await (await as(path)).text();
      const shown = /name="shown" value="([^"]*)"/.exec(html)?.[1] ?? "";
      setSystemTime(Date.now() + after);
      const body = new URLSearchParams({ shown, ...fields }).toString();
      const response = await as(path, { method: "POST", body, headers: SAME_SITE });
      setSystemTime();
      return response;
    }

    const waiting = () =>
      read<Envelope<{ author: string; text: string; id: number }>>(editor, `${COMMENTS}?page_size=100`);
    const moderation = async () => (await editor("/moderation")).text();

    test("holds a stranger's comment for moderation, and says so; the post is unchanged", async () => {
      const response = await send({ author: "Mirela <b>", text: "First\nhttps://example.com/a" });
      expect([response.status, response.headers.get("location")]).toEqual([303, "/posts/talked-about"]);
      expect(response.headers.get("set-cookie")).toContain("comment-waits");
      expect((await waiting()).results.map(({ author }) => author)).toEqual(["Mirela <b>"]);
      expect(await (await anyone("/posts/talked-about")).text()).not.toContain("Mirela");
    });

    test("says when a comment will appear, as the site and the writer have it", async () => {
      const open = blog.servedWith({ COMMENTS: "open" });
      for (const [as, text] of [
        [anyone, "Plain text. It appears once it is approved."],
        [open.anyone, "Plain text. It may be reviewed before it appears."],
        [editor, "Plain text."],
      ] as const)
        expect(await (await as(path)).text()).toContain(`>${text}<`);
    });

    test("shows the reasons to moderators", async () => {
      await send({ author: "Fast", text: "Quick" }, { after: 100 });
      await send({ author: "Program", text: "Filled in", site: "https://spam.example/" });
      await send({ author: "Links", text: "https://a.example/ https://b.example/" });
      await send({ author: "Forged", text: "Old form", shown: "zzzz.forged" });
      const html = await moderation();
      for (const reason of [
        "first comment under this name; sent within 3 seconds",
        "a field hidden from people was filled in",
        "more than one link",
        "the form was too old, or not from this site",
        "Mirela &lt;b>",
      ])
        expect(html).toContain(reason);
    });

    test("refuses an invalid comment with errors at the fields, keeping the typed values", async () => {
      const nothing = await send({ author: "", text: "Typed <text>" });
      expect(nothing.status).toBe(422);
      const html = await nothing.text();
      expect(html).toContain("<title>Error:");
      expect(html).toContain("Typed &lt;text>");
      expect(html).toContain('id="author-error"');
      expect((await send({ author: "Ada", text: "" })).status).toBe(422);
      expect((await send({ author: "Ada", text: "x".repeat(10_001) })).status).toBe(422);
    });

    test("waits with the name of an account, in any spelling", async () => {
      for (const author of ["editor", "ｅｄｉｔｏｒ"])
        expect([author, (await send({ author, text: "It is me" })).status]).toEqual([author, 303]);
      const html = await (await editor("/moderation")).text();
      expect(html).toContain("the name of an account, by someone who is not signed in");
    });

    test("stores the same comment once", async () => {
      expect((await send({ author: "Mirela <b>", text: "First\nhttps://example.com/a" })).status).toBe(409);
    });

    test("shows an account's comment at once", async () => {
      const response = await send({ text: "From the author" }, { as: editor });
      expect(response.headers.get("location")).toMatch(/^\/posts\/talked-about#c\d+$/);
      expect(await (await anyone("/posts/talked-about")).text()).toContain("From the author");
    });

    test("is sent from this site only", async () => {
      const body = new URLSearchParams({ author: "Foreign", text: "Form" }).toString();
      for (const headers of [
        { ...SAME_SITE, "sec-fetch-site": "cross-site" },
        { ...SAME_SITE, "sec-fetch-site": "none", origin: "https://evil.example" },
      ])
        expect((await anyone(path, { method: "POST", body, headers })).status).not.toBe(303);
      expect((await waiting()).results.some(({ author }) => author === "Foreign")).toBe(false);
    });

    test("is moderated individually or in bulk", async () => {
      const { results } = await waiting();
      const first = results.find(({ author }) => author === "Mirela <b>");
      const others = results.filter((comment) => comment !== first);
      const decide = (fields: [string, string][]) =>
        editor("/moderation", {
          method: "POST",
          body: new URLSearchParams(fields).toString(),
          headers: SAME_SITE,
        });
      const notice = ({ headers }: Response) => /notice=([\w-]+)/.exec(headers.get("set-cookie") ?? "")?.[1];
      const shown = await decide([["show", String(first?.id)]]);
      expect([shown.status, notice(shown)]).toEqual([303, "comment-approved"]);
      expect(await (await anyone("/posts/talked-about")).text()).toContain("Mirela &lt;b>");
      const last = String(others.at(-1)?.id);
      expect(await moderation()).toContain(`name="ask" value="${last}"`);
      const asked = await (await decide([["ask", last]])).text();
      expect(asked).toContain("Remove this comment?");
      expect(asked.match(/name="id" value="\d+"/g)).toEqual([`name="id" value="${last}"`]);
      expect((await waiting()).count).toBe(others.length);
      expect(
        notice(
          await decide([
            ["all", "remove"],
            ["id", last],
          ]),
        ),
      ).toBe("comment-removed");
      expect((await waiting()).count).toBe(others.length - 1);
      expect(notice(await decide([["all", "reject"]]))).toBe("nothing-selected");
      const rejected = await decide([
        ["all", "reject"],
        ...others.slice(0, -1).map(({ id }): [string, string] => ["id", String(id)]),
      ]);
      expect([rejected.status, notice(rejected)]).toEqual([303, "comments-rejected"]);
      expect((await waiting()).count).toBe(0);
      expect(await moderation()).toContain("No comments are waiting.");
      expect((await anyone("/moderation")).status).toBe(303);
    });

    test("is listed after it is rejected, and can still be approved", async () => {
      const page = async (path: string) => (await editor(path)).text();
      const rejected = await page("/moderation?status=rejected");
      expect(rejected).toContain("<bdi>Fast</bdi>");
      const count = rejected.split('name="show"').length - 1;
      expect(rejected).toContain(`>Rejected <span class="count">${count}</span></a>`);
      expect(rejected).toContain('>Waiting <span class="count"></span></a>');
      expect(rejected).toContain("sent within 3 seconds");
      const [, id = ""] = /name="show" value="(\d+)"/.exec(rejected) ?? [];
      const response = await submit(editor, "/moderation", { show: id, status: "rejected" });
      expect(response.headers.get("location")).toBe("/moderation?status=rejected");
      expect(await page("/moderation?status=rejected")).not.toContain(`value="${id}"`);
      const shown = await page("/moderation?status=shown");
      expect(shown).toContain(`name="reject" value="${id}"`);
      expect(shown).toContain("<bdi>Mirela &lt;b></bdi>");
      expect(await (await anyone("/posts/talked-about")).text()).toContain(`id="c${id}"`);
      const asked = await submit(editor, "/moderation", { ask: id, status: "shown" });
      expect(await asked.text()).toContain('href="/moderation?status=shown"');
      await submit(editor, "/moderation", { reject: id, status: "shown" });
      expect(await (await anyone("/posts/talked-about")).text()).not.toContain(`id="c${id}"`);
      expect(await page("/moderation?status=nothing")).toContain("No comments are waiting.");
    });

    test("is found on older pages of the list of its status", async () => {
      const posted = await createPost(editor, { title: "Much talked about" });
      for (let n = 0; n < 51; n++)
        await editor(commentsOf(posted), { method: "POST", json: { author: `Speaker ${n}`, text: `${n}` } });
      const newest = await (await editor("/moderation?status=shown")).text();
      expect(newest).toContain("<bdi>Speaker 50</bdi>");
      expect(newest).not.toContain("<bdi>Speaker 0</bdi>");
      const [, older = ""] = /href="([^"]+)" rel="next"/.exec(newest) ?? [];
      const rest = await (await editor(older.replaceAll("&amp;", "&"))).text();
      expect(rest).toContain("<bdi>Speaker 0</bdi>");
      expect(rest).not.toContain("<bdi>Speaker 50</bdi>");
    });
  },
  { COMMENTS: "moderated" },
);

describeBlog(
  "A site that closes its comments",
  ({ editor, anyone }) => {
    test("has no form", async () => {
      await createPost(editor, { title: "Silent" });
      expect((await anyone("/posts/silent/comments")).status).toBe(404);
      expect(await (await anyone("/posts/silent")).text()).not.toContain("Write a comment");
    });
  },
  { COMMENTS: "off" },
);
