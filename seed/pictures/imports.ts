import {
  BLOG_FILE,
  FAILED_BLOG_IMPORT,
  FETCHING_BLOG_IMPORT,
  READING_BLOG,
  READING_BOOKMARKS,
  RUNNING_BLOG_IMPORT,
  RUNNING_IMPORT,
} from "./fill-sites.ts";
import { HOSTILE_TITLES, LONG_URL } from "./hostile-texts.ts";
import { alert, type PageStates, press, preview } from "./picture-state.ts";

const bookmarkFile = (host: string) => `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>
<DT><A HREF="https://kitchen.${host}/soup" ADD_DATE="1700000000" TAGS="soup">Lentil soup of the monks</A>
<DT><A HREF="javascript:alert(1)" ADD_DATE="1700000000">A script</A>
<DT><A HREF="https://carto.${host}/maps">日本の古い地図を読むための小さな手引き</A></DL><p>`;

const HOSTILE_FILE = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>
${HOSTILE_TITLES.map(
  (title, index) => `<DT><A HREF="${LONG_URL}/import/${index}">${Bun.escapeHTML(title)}</A>`,
).join("\n")}
<DT><A HREF="ftp://${"x".repeat(300)}">${HOSTILE_TITLES[0]}</A></DL><p>`;

/** Importing bookmarks and blogs, and exporting. */
export const imports: PageStates = {
  "/library/import": [
    { name: "import-empty", on: "empty", path: "/library/import", signedIn: true, title: "Import links" },
    {
      name: "import",
      path: "/library/import",
      signedIn: true,
      title: "Import links",
      shows: "bookmarks.html",
      also: ["large", "medium"],
    },
    {
      name: "import-errors",
      path: "/library/import",
      signedIn: true,
      title: "Error: Import links",
      act: async (page) => {
        await preview(page, "nothing.html", "nothing");
        await alert(page);
      },
    },
    {
      name: "import-no-script",
      path: "/library/import",
      signedIn: true,
      withoutScript: true,
      title: "Import links",
    },
  ],
  "/library/import/{key}": [
    {
      name: "import-preview",
      path: "/library/import",
      signedIn: true,
      title: "Preview",
      shows: "Not valid",
      also: ["large"],
      act: (page) => preview(page, "bookmarks.html", bookmarkFile("example")),
    },
    {
      name: "import-preview-hostile",
      on: "hostile",
      path: "/library/import",
      signedIn: true,
      title: "Preview",
      shows: "Not valid",
      act: (page) => preview(page, `${"a-long-name-of-a-file-".repeat(8)}.html`, HOSTILE_FILE),
    },
    {
      name: "import-preview-nothing-new",
      path: "/library/import",
      signedIn: true,
      title: "Preview",
      shows: "nothing new",
      act: (page) =>
        preview(
          page,
          "bookmarks.html",
          `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>
        <DT><A HREF="https://clips.example/guide">Clips</A></DL><p>`,
        ),
    },
    {
      name: "import-running",
      path: `/library/import/${RUNNING_IMPORT}`,
      signedIn: true,
      title: "Importing",
      shows: "318 of 443",
      also: ["forced"],
    },
    {
      name: "import-running-no-script",
      path: `/library/import/${RUNNING_IMPORT}`,
      signedIn: true,
      withoutScript: true,
      title: "Importing",
      shows: "Refresh",
    },
    {
      name: "import-reading",
      path: `/library/import/${READING_BOOKMARKS}`,
      signedIn: true,
      title: "Reading the file",
      shows: "41% of the file is read",
      also: ["large", "forced"],
    },
    {
      name: "import-reading-no-script",
      path: `/library/import/${READING_BOOKMARKS}`,
      signedIn: true,
      withoutScript: true,
      title: "Reading the file",
      shows: "Refresh",
    },
    {
      name: "import-done",
      path: "/library/import",
      signedIn: true,
      title: "Import finished",
      act: async (page) => {
        await preview(page, "bookmarks.html", bookmarkFile(`of-${Date.now()}.example`));
        await press(page, "Import 2 links");
        await page.getByRole("heading", { name: "Import finished" }).waitFor();
      },
    },
    {
      name: "import-undone",
      path: "/library/import",
      signedIn: true,
      title: "Import",
      shows: "was undone.",
      act: async (page) => {
        await preview(page, "bookmarks.html", bookmarkFile(`to-undo-${Date.now()}.example`));
        await press(page, "Import 2 links");
        await press(page, "Undo this import");
      },
    },
    {
      name: "import-too-large",
      path: "/library/import",
      signedIn: true,
      title: "Error: Import",
      shows: "The file is larger than 32 MB.",
      act: (page) => preview(page, "bookmarks.html", "x".repeat(33 * 2 ** 20)),
    },
    {
      name: "import-not-found",
      path: "/library/import/none",
      signedIn: true,
      title: "This import has expired",
    },
  ],
  "/library/export": [
    {
      name: "export",
      path: "/library/export",
      signedIn: true,
      title: "Export",
      shows: "Everything as JSON",
      also: ["large", "medium"],
    },
    {
      name: "export-no-script",
      path: "/library/export",
      signedIn: true,
      withoutScript: true,
      title: "Export",
    },
    { name: "export-empty", on: "empty", path: "/library/export", signedIn: true, title: "Export" },
  ],
  "/write/import": [
    { name: "blog-import-empty", on: "empty", path: "/write/import", signedIn: true, title: "Import a blog" },
    {
      name: "blog-import",
      path: "/write/import",
      signedIn: true,
      title: "Import a blog",
      shows: "ghost.json",
    },
    {
      name: "blog-import-errors",
      path: "/write/import",
      signedIn: true,
      title: "Error: Import a blog",
      act: async (page) => {
        await preview(page, "other.xml", BLOG_FILE.slice(0, -20));
        await alert(page);
      },
    },
  ],
  "/write/import/{key}": [
    {
      name: "blog-import-preview",
      path: "/write/import",
      signedIn: true,
      title: "Preview",
      also: ["large"],
      act: (page) => preview(page, "other.xml", BLOG_FILE),
    },
    {
      name: "blog-import-running",
      path: `/write/import/${RUNNING_BLOG_IMPORT}`,
      signedIn: true,
      title: "Importing",
      shows: "All 212 items are read",
    },
    {
      name: "blog-import-fetching",
      path: `/write/import/${FETCHING_BLOG_IMPORT}`,
      signedIn: true,
      title: "Importing",
      shows: "38 of 146 pictures fetched",
    },
    {
      name: "blog-import-reading",
      path: `/write/import/${READING_BLOG}`,
      signedIn: true,
      title: "Reading the file",
      shows: "40% of the file is read, 8,200 items so far",
    },
    {
      name: "blog-import-failed",
      path: `/write/import/${FAILED_BLOG_IMPORT}`,
      signedIn: true,
      title: "Import a blog",
      shows: "The import failed",
    },
    {
      name: "blog-import-done",
      on: "empty",
      path: "/write/import",
      signedIn: true,
      title: "Import finished",
      act: async (page) => {
        await preview(page, "other.xml", BLOG_FILE);
        await page.getByRole("button", { name: /^Import \d+ / }).click();
        await page.getByRole("heading", { name: "Import finished" }).waitFor();
      },
    },
    {
      name: "blog-import-not-found",
      path: "/write/import/blog.none",
      signedIn: true,
      title: "This import has expired",
    },
  ],
};
