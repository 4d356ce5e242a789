import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { everyElement, LONG_TITLE, LONG_URL } from "../../seed/pictures/hostile-texts.ts";
import { makeImage } from "../support/files/images.ts";
import { until } from "../support/machine/until.ts";
import { describePages, type PageSite, type PageState, usePageSite } from "../support/pages/page-visits.ts";
import { makeToken, withToken } from "../support/records/accounts.ts";
import { bodyOf, createPost } from "../support/records/blog.ts";
import { type Send, sendTo } from "../support/requests/send.ts";
import { fullRunTest } from "../support/run/full-run.ts";

async function fill({ server, database, account }: PageSite): Promise<void> {
  const send = withToken(sendTo(server.url), await makeToken(database, account));
  const uploaded = await send("/api/media/", {
    method: "POST",
    headers: { "content-type": "image/jpeg" },
    body: await makeImage("jpeg", { width: 1200, height: 700 }),
  });
  const { url: picture } = await bodyOf<{ url: string }>(uploaded);
  await publish(send, "Quinces", everyElement(picture), {
    slug: "quinces",
    summary: "What is learned from nine quinces, and why a table needs one.",
    tags: ["food/fruit", "autumn"],
    published_at: "2026-03-02T09:00:00Z",
  });
  await publish(send, LONG_TITLE, `${"A sentence of the length that sentences have. ".repeat(40)}\n`, {
    slug: "long",
    tags: ["reading", "a-tag-that-is-much-longer-than-a-tag-should-ever-be-but-people-do-it"],
    published_at: "2026-04-02T09:00:00Z",
  });
  await publish(send, "A title alone", "", { slug: "alone", published_at: "2025-12-24T09:00:00Z" });
  await publish(send, "עברית ועוד", "טקסט קצר.", {
    slug: "hebrew",
    language: "he",
    tags: ["reading"],
    published_at: "2026-05-02T09:00:00Z",
  });
  await publish(send, "The index of John Locke", "Two facing pages.", {
    slug: "locke",
    kind: "link",
    link: "https://www.example.com/locke",
    tags: ["reading"],
    published_at: "2026-05-03T09:00:00Z",
  });
  for (const slug of ["quoted", "quoted-again"])
    await publish(send, `A link with everything, ${slug}`, everyElement(picture), {
      slug,
      kind: "link",
      link: "https://example.com/quoted",
      published_at: "2024-05-06T12:00:00Z",
    });
  await publish(send, "About", "Who writes here.", { slug: "about", kind: "page" });
  for (const [author, text] of [
    ["Mirela", "I have done this for years.\nSee https://example.com/notes too."],
    [`${"Longname".repeat(10)}`, `${"Unbroken".repeat(40)}`],
    ["Ada", "Thank you."],
  ] as const)
    await send("/api/posts/1/comments/", { method: "POST", json: { author, text } });
  for (const [author, text] of [
    ["Stranger", "Is it true? https://a.example/ https://b.example/"],
    ["Another", "Waiting, too."],
  ] as const)
    await sendTo(server.url)("/api/posts/2/comments/", { method: "POST", json: { author, text } });
  await send("/bookmarks/", {
    method: "POST",
    json: { title: LONG_TITLE, url: LONG_URL, description: "A private note.\n#reading #private" },
  });
  await send("/bookmarks/", {
    method: "POST",
    json: { title: "Locke", url: "https://www.example.com/locke" },
  });
  await send(`/api/edits/${DRAFT}/`, {
    method: "PUT",
    json: {
      title: LONG_TITLE,
      content: everyElement(picture),
      fields: { tags: "one, two", summary: "Short." },
    },
  });
  await send("/api/posts/1/", { method: "PATCH", json: { content: `${everyElement(picture)}\nMore.` } });
}

async function publish(send: Send, title: string, content: string, publication: object): Promise<void> {
  const post = await createPost(send, { title, content });
  const response = await send(`/api/posts/${post.id}/publication/`, { method: "PATCH", json: publication });
  expect(response.status).toBe(200);
}

const DRAFT = "11111111-2222-4333-8444-555555555555";
const fresh = async () => `/write/${crypto.randomUUID()}`;
const alert = (page: Page) => page.getByRole("alert").locator("visible=true").first().waitFor();
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

const EMPTY: readonly PageState[] = [
  { name: "blog-empty", like: "front", path: "/" },
  { name: "desk-empty", like: "moderation", path: "/write", signedIn: true },
  { name: "moderation-empty", like: "moderation", path: "/moderation", signedIn: true },
];

const READING: readonly PageState[] = [
  { name: "front", path: "/" },
  { name: "links", like: "front", path: "/links" },
  { name: "post", path: "/posts/quinces" },
  { name: "post-long", like: "post", path: "/posts/long" },
  { name: "post-alone", like: "post", path: "/posts/alone" },
  { name: "post-link", like: "post", path: "/posts/locke" },
  { name: "post-hebrew", like: "post", path: "/posts/hebrew" },
  { name: "page", like: "post", path: "/about" },
  { name: "archive", like: "front", path: "/archive" },
  { name: "tag", like: "front", path: "/tags/reading" },
  { name: "tags", like: "front", path: "/tags" },
  { name: "blog-search", like: "front", path: "/search?q=sentence+OR+quince*" },
  { name: "blog-search-none", like: "front", path: "/search?q=nosuchword" },
  { name: "blog-search-unreadable", like: "front", path: "/search?q=%22open" },
  { name: "comment", like: "comment-errors", path: "/posts/quinces/comments" },
  {
    name: "comment-errors",
    path: "/posts/quinces/comments",
    act: async (page) => {
      await page.getByLabel("Comment", { exact: true }).fill("Typed.");
      await page.getByLabel("Your name").fill(" ");
      await press(page, "Send");
      await alert(page);
    },
  },
];

const WRITING: readonly PageState[] = [
  { name: "desk", like: "moderation", path: "/write", signedIn: true },
  { name: "editor-new", like: "editor-images", path: fresh, signedIn: true },
  { name: "editor-draft", like: "editor-conflict", path: `/write/${DRAFT}`, signedIn: true },
  { name: "editor-published", like: "editor-conflict", path: "/write?post=2", signedIn: true },
  {
    name: "editor-cite",
    like: "editor-conflict",
    path: fresh,
    signedIn: true,
    act: async (page) => {
      await page.locator("#content").pressSequentially("See [[lo");
      await page.getByRole("listbox").getByRole("option").first().waitFor();
    },
  },
  {
    name: "editor-insert",
    like: "editor-conflict",
    path: fresh,
    signedIn: true,
    act: async (page) => {
      await page.locator(".tag-chips").waitFor();
      await page.locator("#content").pressSequentially("/");
      await page.getByRole("listbox").getByRole("option").first().waitFor();
    },
  },
  {
    name: "editor-marks",
    like: "editor-conflict",
    path: `/write/${DRAFT}`,
    signedIn: true,
    act: async (page) => {
      await page.locator(".tag-chips").waitFor();
      await page.locator("#content").selectText();
      await page.locator(".tools").locator("visible=true").waitFor();
    },
  },
  {
    name: "editor-images",
    path: fresh,
    signedIn: true,
    act: async (page) => {
      const buffer = Buffer.from(await makeImage("png"));
      await page.setInputFiles("#picture", [
        { name: "one.png", mimeType: "image/png", buffer },
        { name: "a.gif", mimeType: "image/gif", buffer: Buffer.from("GIF89a") },
      ]);
      await page.locator("#picture-sheet img").waitFor();
      await page.locator(".pictures .error").waitFor();
    },
  },
  {
    name: "editor-errors",
    like: "editor-conflict",
    path: fresh,
    signedIn: true,
    act: async (page) => {
      await page.locator("#content").fill("![](/media/x.png)");
      await press(page, "Publish");
      await alert(page);
    },
  },
  {
    name: "editor-conflict",
    path: "/write?post=3",
    signedIn: true,
    act: async (page) => {
      const body = { data: { content: "Theirs." }, headers: { origin: new URL(page.url()).origin } };
      await page.locator("#content").fill("Mine.");
      await page.request.patch("/api/posts/3/", body);
      await press(page, "Update");
      await alert(page);
    },
  },
  {
    name: "editor-discard",
    like: "moderation-removal",
    path: `/write/${DRAFT}`,
    signedIn: true,
    act: async (page) => {
      await page.evaluate("document.querySelector('[value=discard]').click()");
      await page.getByRole("heading", { name: "Discard this draft?" }).waitFor();
    },
  },
  {
    name: "versions",
    like: "moderation",
    path: `/write/${crypto.randomUUID()}/versions?post=1`,
    signedIn: true,
  },
  { name: "preview", like: "post", path: `/write/${DRAFT}/preview`, signedIn: true },
  { name: "moderation", path: "/moderation", signedIn: true },
  { name: "moderation-approved", like: "moderation", path: "/moderation?status=shown", signedIn: true },
  {
    name: "moderation-found",
    like: "moderation",
    path: "/moderation?q=e&from=192.0.2.7",
    signedIn: true,
  },
  {
    name: "moderation-rejection",
    like: "moderation-removal",
    path: "/moderation?q=e",
    signedIn: true,
    act: async (page) => {
      await page.getByRole("button", { name: /^Reject all/ }).click();
      await page.getByRole("heading", { name: /^Reject \d+ waiting comments/ }).waitFor();
    },
  },
  {
    name: "moderation-removal",
    like: "moderation",
    path: "/moderation",
    signedIn: true,
    act: async (page) => {
      await page.getByRole("checkbox").first().check();
      await press(page, "Remove");
      await page.getByRole("heading", { name: "Remove this comment?" }).waitFor();
    },
  },
  {
    name: "moderation-feed",
    like: "settings-errors",
    path: "/moderation/feeds",
    signedIn: true,
    act: (page) => press(page, "Create feed"),
  },
  { name: "look", path: "/settings/look", signedIn: true },
  {
    name: "look-preview",
    like: "post",
    path: "/settings/look/preview?theme=letter&accent=green&text=sans",
    signedIn: true,
  },
  {
    name: "look-preview-pictures",
    like: "post",
    path: "/settings/look/preview?show=front&front_page=pictures&theme=ink&accent=red",
    signedIn: true,
  },
  ...["journal", "column", "index"].map((theme) => ({
    name: `look-preview-${theme}`,
    like: "post",
    path: `/settings/look/preview?show=front&theme=${theme}&accent=teal` as const,
    signedIn: true,
  })),
  {
    name: "look-preview-whole",
    like: "post",
    path: "/settings/look/preview?show=front&front_page=whole&theme=quiet&accent=purple",
    signedIn: true,
  },
  { name: "theme", like: "settings-errors", path: "/settings/theme", signedIn: true },
  {
    name: "theme-errors",
    like: "settings-errors",
    path: "/settings/theme",
    signedIn: true,
    act: async (page) => {
      await page.getByLabel("CSS").fill("@import 'x'; a { background: url(https://evil.example/) }");
      await press(page, "Save");
      await alert(page);
    },
  },
  { name: "publish", like: "settings-errors", path: "/library/1/publish", signedIn: true },
  { name: "publish-again", like: "settings-errors", path: "/library/2/publish", signedIn: true },
  { name: "cited", like: "link", path: "/library/2", signedIn: true },
  { name: "cite", like: "settings-errors", path: "/library/cite", signedIn: true },
];

/** A blog of another program with everything that a report can have. */
const OTHER_BLOG = Buffer.from(
  `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:wp="http://wordpress.org/export/1.2/"><channel><title>Other</title><wp:wxr_version>1.2</wp:wxr_version>${[
    ["Old bread", "publish", "post", "[form] ![]"],
    [
      LONG_TITLE,
      "publish",
      "post",
      '<img src="https://blog.example/a/very/long/path/to/a/picture-of-bread.jpg">',
    ],
    ["Spam", "trash", "post", ""],
  ]
    .map(
      ([title, status, type, text], index) =>
        `<item><title>${title}</title><content:encoded><![CDATA[${text}]]></content:encoded><wp:post_id>${index + 1}</wp:post_id>
        <wp:post_date_gmt>2019-05-0${index + 1} 10:00:00</wp:post_date_gmt><wp:status>${status}</wp:status><wp:post_type>${type}</wp:post_type></item>`,
    )
    .join("")}</channel></rss>`,
);

const chooseBlog = async (page: Page, buffer: Buffer) => {
  await page.getByLabel("File").setInputFiles({ name: "other.xml", mimeType: "application/xml", buffer });
  await press(page, "Preview");
};

const IMPORT: readonly PageState[] = [
  {
    name: "blog-import-errors",
    like: "import-look",
    path: "/write/import",
    signedIn: true,
    act: async (page) => {
      await chooseBlog(page, OTHER_BLOG.subarray(0, -20));
      await alert(page);
    },
  },
  {
    name: "blog-import-look",
    like: "import-look",
    path: "/write/import",
    signedIn: true,
    act: async (page) => {
      await chooseBlog(page, OTHER_BLOG);
      await page.getByRole("heading", { name: "Left out" }).waitFor();
    },
  },
  {
    name: "blog-import-done",
    like: "import-look",
    path: "/write/import",
    signedIn: true,
    act: async (page) => {
      await chooseBlog(page, OTHER_BLOG);
      await press(page, "Import 2 posts");
      await page.getByRole("heading", { name: "Import finished" }).waitFor();
    },
  },
  { name: "blog-import", like: "import-look", path: "/write/import", signedIn: true },
];

describe("The blog", () => {
  const site = usePageSite({ COMMENTS: "moderated", BOOKMARKS_ACCESS: "private", FETCH_PAGES: "off" });
  describePages("Its pages without a post", site, EMPTY);

  describe("With posts", () => {
    beforeAll(() => fill(site));
    describePages("its pages for readers", site, READING);
    describePages("its pages for writers", site, WRITING);
    describePages("its import", site, IMPORT);

    fullRunTest("another blog is imported and undone with JavaScript off", async () => {
      const context = await site.window({ javaScriptEnabled: false }, true);
      const page = await context.newPage();
      await page.goto("/write");
      await page.getByRole("link", { name: "Import a blog" }).click();
      await chooseBlog(page, Buffer.from(OTHER_BLOG.toString().replaceAll("bread", "cheese")));
      await press(page, "Import 1 post");
      const finished = page.getByRole("heading", { name: "Import finished" });
      await until("the import is finished", async () => {
        if (await finished.isVisible()) return true;
        await page.getByRole("link", { name: "Refresh" }).click();
        return false;
      });
      await press(page, "Undo this import");
      await page.getByText("Import undone.").waitFor();
      await context.close();
    });

    test("a post is printed without what cannot be pressed on paper", async () => {
      const { page } = await site.open({ name: "post-print", path: "/posts/quinces" });
      await page.emulateMedia({ media: "print" });
      for (const hidden of ["header nav", "footer", ".nearby", ".skip", ".talk .button"])
        expect([hidden, await page.locator(hidden).first().isVisible()]).toEqual([hidden, false]);
      expect(await page.locator("h1").isVisible()).toBe(true);
      // Paper does not scroll, and nothing on it opens.
      for (const wide of [".prose pre", ".prose .table"]) {
        const hidden = `document.querySelector("${wide}").scrollWidth - document.querySelector("${wide}").clientWidth`;
        expect([wide, await page.evaluate(hidden)]).toEqual([wide, 0]);
      }
      expect(await page.getByText("Hidden at first.").isVisible()).toBe(true);
      await page.context().close();
    });
  });
});
