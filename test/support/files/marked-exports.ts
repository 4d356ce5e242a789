import { makeZip } from "./make-zip.ts";

/** A link with a copy, and one without: each of the files has marks in both of them. */
export const MARKED = "https://example.com/1";
export const BARE = "https://example.com/3";

/** A file of a product with marks, according to its source code or documentation. */
interface MarkedExport {
  readonly name: string;
  readonly file: string | Uint8Array;
  /** Whether it brings the text of {@link MARKED}. */
  readonly bringsText?: true;
  /** Where the file has no dates of marks, they get that of the import. */
  readonly isUndated?: true;
  /** The note of the first mark of {@link MARKED}, if it is not {@link NOTE}. */
  readonly note?: string;
}

/** The words of the two marks of {@link MARKED}, the note on the first, when it was made, and the words of the one of {@link BARE}. */
export const WORDS = ["Rye keeps for a week", "A crust <b>sings</b>"] as const;
export const NOTE = "Try it.";
export const MARKED_AT = "2024-10-29T16:30:11.000Z";
export const BARE_WORDS = "Flour, water, salt";
/** The text of the page of {@link MARKED}. */
export const PAGE = `<p>${WORDS[0]}. A crust &lt;b&gt;sings&lt;/b&gt;.</p>`;

const wallabag = (url: string, content: string, annotations: readonly object[]) => ({
  ...{ is_archived: 0, is_starred: 0, title: url, url, content, tags: [], annotations },
  created_at: "2016-09-08T11:55:58+0200",
});
const ranges = [{ start: "/p[1]", startOffset: "0", end: "/p[1]", endOffset: "9" }];

const readeck = (uid: string, url: string, Annotations: unknown) =>
  JSON.stringify({
    ...{ ID: 1, UID: uid, UserID: 1, Created: "2025-03-04T05:06:07.123456789Z", URL: url, InitialURL: url },
    ...{ Title: url, Labels: [], IsArchived: true, Annotations },
  });
const annotation = (text: string, note?: string) => ({
  ...{ id: text, start_selector: "p", start_offset: 0, end_selector: "p", end_offset: 9, color: "yellow" },
  ...{ created: "2024-10-29T16:30:11Z", text, note },
});
const omnivore = (url: string, slug: string) => ({
  ...{ id: slug, slug, title: url, description: "", author: "Ada", url, state: "Active", labels: [] },
  savedAt: "2024-10-20T16:30:11.000Z",
});
const raindrop = (text: string, note = "") => ({
  ...{ _id: text, text, note, color: "yellow", created: "2024-10-29T16:30:11.000Z" },
});
const readwise = (source_url: string | null, title: string, highlights: readonly object[]) => ({
  ...{
    user_book_id: 1,
    title,
    readable_title: title,
    author: "Ada",
    source: "reader",
    source_url,
    asin: null,
  },
  ...{
    unique_url: null,
    category: "articles",
    document_note: null,
    summary: null,
    book_tags: [],
    highlights,
  },
});
const highlight = (text: string, note: string | null = null, tags: readonly string[] = []) => ({
  ...{ id: 1, text, note, location: 1, location_type: "order", color: "yellow", url: null, book_id: 1 },
  ...{ highlighted_at: "2024-10-29T16:30:11Z", created_at: "2025-01-01T00:00:00Z", is_deleted: false },
  tags: tags.map((name, id) => ({ id, name })),
});
export const MARKED_EXPORTS: readonly MarkedExport[] = [
  {
    ...{ name: "wallabag", bringsText: true, isUndated: true },
    file: JSON.stringify([
      wallabag(MARKED, PAGE, [
        { text: NOTE, quote: WORDS[0], ranges },
        { text: "", quote: WORDS[1], ranges },
      ]),
      wallabag(BARE, "", [{ text: NOTE, quote: BARE_WORDS, ranges }]),
    ]),
  },
  {
    ...{ name: "Readeck", bringsText: true },
    file: makeZip({
      "bookmarks/a/info.json": readeck("a", MARKED, [annotation(WORDS[0], NOTE), annotation(WORDS[1])]),
      "bookmarks/a/container/index.html": PAGE,
      // As early versions have them.
      "bookmarks/c/info.json": readeck("c", BARE, { x: annotation(BARE_WORDS, NOTE) }),
    }),
  },
  {
    name: "Readeck's API",
    file: JSON.stringify(
      [
        { ...annotation(WORDS[0], NOTE), bookmark_url: MARKED },
        { ...annotation(WORDS[1]), bookmark_url: MARKED },
        { ...annotation(BARE_WORDS, NOTE), bookmark_url: BARE },
      ].map((one) => ({ ...one, bookmark_id: "a", bookmark_href: "/api/bookmarks/a", bookmark_title: "" })),
    ),
  },
  {
    ...{ name: "Omnivore", bringsText: true, isUndated: true, note: `#bread\n\n${NOTE}` },
    file: makeZip({
      "metadata_0_to_20.json": JSON.stringify([omnivore(MARKED, "one"), omnivore(BARE, "three")]),
      "content/one.html": PAGE,
      "highlights/one.md": `> ${WORDS[0]} \n\n#bread\n\n${NOTE}\n\n> ${WORDS[1]} `,
      "highlights/three.md": `> ${BARE_WORDS} \n\n${NOTE}`,
    }),
  },
  {
    ...{ name: "Raindrop's CSV", isUndated: true },
    file: [
      "id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite",
      `1,One,,,${MARKED},Unsorted,,2024-01-02T00:00:00Z,,"Highlight:${WORDS[0]}\nNote:${NOTE}\n\nHighlight:${WORDS[1]}",false`,
      `3,Three,,,${BARE},Unsorted,,2024-01-02T00:00:00Z,,"Highlight:${BARE_WORDS}\nNote:${NOTE}",false`,
    ].join("\n"),
  },
  {
    ...{ name: "Raindrop's HTML", note: "" },
    file: `<!DOCTYPE NETSCAPE-Bookmark-file-1><TITLE>Raindrop.io Bookmarks</TITLE><H1>Raindrop.io Bookmarks</H1><DL><p>
<DT><A HREF="${MARKED}" ADD_DATE="1596669210">One</A>
<DD>Said of it.
<DD><blockquote COLOR="undefined" ADD_DATE="1730219411">${WORDS[0]}</blockquote>
<DD><blockquote COLOR="yellow" ADD_DATE="1730219411">A crust &lt;b&gt;sings&lt;/b&gt;</blockquote>
<DT><A HREF="${BARE}" ADD_DATE="1596669210">Three</A>
<DD><blockquote COLOR="yellow" ADD_DATE="1730219411">${BARE_WORDS}</blockquote></DL><p>`,
  },
  {
    name: "Raindrop's API",
    file: JSON.stringify({
      items: [
        {
          _id: 1,
          link: MARKED,
          title: "One",
          excerpt: "",
          note: "",
          tags: [],
          created: "2024-01-02T00:00:00Z",
        },
        {
          _id: 3,
          link: BARE,
          title: "Three",
          excerpt: "",
          note: "",
          tags: [],
          created: "2024-01-02T00:00:00Z",
        },
      ].map((item, index) => ({
        ...item,
        highlights:
          index === 0 ? [raindrop(WORDS[0], NOTE), raindrop(WORDS[1])] : [raindrop(BARE_WORDS, NOTE)],
      })),
    }),
  },
  {
    ...{ name: "Readwise's API", note: `${NOTE}\n#bread` },
    file: JSON.stringify({
      ...{ count: 2, nextPageCursor: null },
      results: [
        readwise(MARKED, "One", [
          highlight(WORDS[0], NOTE, ["bread"]),
          highlight(WORDS[1]),
          { ...highlight("Gone"), is_deleted: true },
        ]),
        readwise(BARE, "Three", [highlight(BARE_WORDS, NOTE)]),
      ],
    }),
  },
  {
    ...{ name: "Pocket", note: "" },
    file: makeZip({
      "annotations/part_000000.json": JSON.stringify([
        { url: MARKED, title: "One", highlights: WORDS.map((quote) => ({ quote, created_at: 1730219411 })) },
        { url: BARE, title: "Three", highlights: [{ quote: BARE_WORDS, created_at: 1730219411 }] },
      ]),
      "part_000000.csv": `title,url,time_added,tags,status\nOne,${MARKED},1704067200,,unread\n`,
    }),
  },
];
