import fc from "fast-check";
import { picturePath } from "../../../src/copies/page-pictures/kept.ts";
import { acceptImage } from "../../../src/media/accept-image.ts";
import { imageFile } from "../../../src/media/kept.ts";
import type { ArchivedKind, RawLine } from "../../../src/nouns.ts";
import { makeImage } from "./images.ts";

/** A record of the archive, with its id and the id of its post or bookmark. */
export type ArchivedRecord<K extends ArchivedKind> = RawLine<K> & {
  readonly id?: number;
  readonly post?: number | null;
  readonly bookmark?: number | null;
};

/** All records of an archive by kind, in export order. */
export type ArchivedSite = { readonly [K in ArchivedKind]: readonly ArchivedRecord<K>[] };

/** A red square of 16 pixels, as an archive has it. */
export const ICON = "UklGRhwAAABXRUJQVlA4TA8AAAAvD8ADAAcQ/Y/+ByKi/wEA";

/** The picture of a page, a gray square of 60 pixels, with its bytes. */
export const PAGE_PICTURE: ArchivedRecord<"picture"> = {
  ...{ url: "https://bun.sh/docs", read_at: "2026-11-21T06:40:12.345Z", is_public: true },
  path: picturePath("https://bun.sh/docs"),
};
export const PAGE_PICTURE_FILE = Buffer.from(
  "UklGRiQAAABXRUJQVlA4TBcAAAAvO8AOAAdQmMIUpv8BICH8f69F9D/1AgA=",
  "base64",
);

/** Text that is difficult for formats and engines. */
const hard = fc.constantFrom(
  "First light",
  "---\ntitle: no front matter\n---\n",
  "\"quotes\" 'single' \\ \\u0041 \t\r\n\u0001\u007f\u2028 é e\u0301 😀 \u{10ffff}",
  "</script><!-- {{ template }} -->",
);
const text = (max: number) =>
  fc
    .oneof(
      { weight: 1, arbitrary: hard },
      { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: max }) },
    )
    .map((value) => value.replaceAll("\0", "").toWellFormed());
const filled = (max: number) => text(max).map((value) => value || "x");
const instant = fc
  .date({ min: new Date("1970-01-02T00:00:00Z"), max: new Date("9999-12-30T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString());
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const author = fc.constantFrom("ada", null);
const version = fc.integer({ min: 1, max: 1_000 });
const url = fc
  .webUrl({ validSchemes: ["http", "https"], withQueryParameters: true, size: "small" })
  .map((address) => new URL(address).href);

/** Records with ascending ids, with gaps between them. */
function numbered<T extends object>(record: fc.Arbitrary<T>): fc.Arbitrary<(T & { readonly id: number })[]> {
  return fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), record), { maxLength: 5 }).map((rows) => {
    let id = 0;
    return rows.map(([gap, given]) => {
      id += gap;
      return { id, ...given };
    });
  });
}

/** The position of a setting: by name, with the style sheet last. */
function order(name: string): number {
  return ["links", "name", "singleKeys", "timeZone", "styleSheet"].indexOf(name);
}

const settings = fc.uniqueArray(
  fc.oneof(
    fc.record({ name: fc.constant("name"), value: filled(40) }),
    fc.record({ name: fc.constant("timeZone"), value: fc.constantFrom("UTC", "Europe/Berlin") }),
    fc.record({ name: fc.constant("styleSheet"), value: fc.constant("h1 { color: teal }\n") }),
    fc.record({ name: fc.constant("singleKeys"), value: fc.boolean() }),
    fc.record({
      name: fc.constant("links"),
      value: fc.array(
        fc.record({ text: filled(20), url: fc.constantFrom("/archive", "https://example.org/") }),
      ),
    }),
  ),
  { selector: ({ name }) => name, maxLength: 4 },
);

const bookmark = fc
  .record({
    title: text(40),
    url,
    description: text(200),
    created_at: instant,
    updated_at: instant,
    created_by: author,
    version,
    unread: fc.boolean(),
    archived: fc.boolean(),
    shared: fc.boolean(),
    states_updated_at: instant,
    folders: fc.array(text(20), { maxLength: 3 }),
  })
  .chain((given) => {
    const none = { unread: false, archived: false, shared: false, states_updated_at: null };
    return fc.constantFrom(given, { ...given, ...none });
  });

const publication = (number: number, published: boolean) =>
  fc
    .record({
      kind: fc.constantFrom("post" as const, "link" as const, "page" as const),
      link: url,
      slug: maybe(fc.constantFrom(`slug-${number}`, `日本語-${number}`)),
      summary: maybe(text(100)),
      tags: fc.uniqueArray(fc.constantFrom("Dev/JS", "2024", "C#", "R&D", "ünï"), { maxLength: 4 }),
      publish_at: maybe(instant),
      language: fc.constantFrom(null, "en", "pt-BR"),
      image: fc.constantFrom(null, "https://example.org/a.png", "/media/0f.jpg"),
      canonical_url: maybe(url),
    })
    .map((given) => ({
      ...given,
      link: given.kind === "link" ? given.link : null,
      publish_at: published ? null : given.publish_at,
    }));

const post = (number: number) =>
  fc.boolean().chain((published) =>
    fc.record({
      title: filled(60),
      content: text(400),
      published: fc.constant(published),
      created_at: instant,
      updated_at: instant,
      published_at: published ? instant : maybe(instant),
      created_by: author,
      version,
      publication: published ? publication(number, true) : maybe(publication(number, false)),
      properties: fc.constantFrom<Record<string, (string | number | { b: string })[]>>(
        {},
        { weight: [5], "syndicate-to": ["a", { b: "c" }] },
      ),
      former_slugs: fc.constantFrom<string[]>([], [`former-${number}`], [`a-${number}`, `former-${number}`]),
      redirects: fc.constantFrom<string[]>(
        [],
        [`/2019/05/post-${number}`],
        [`/?p=${number}`, `/blog/ü-${number}.html`],
      ),
    }),
  );

const comment = fc.record({
  author: filled(40),
  text: filled(200),
  status: fc.constantFrom("shown" as const, "waiting" as const, "rejected" as const),
  created_at: instant,
  created_by: author,
  reasons: fc.constantFrom(null, "links known"),
});

const edit = (number: number) =>
  fc.record({
    key: fc.constant(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`),
    base_version: maybe(version),
    title: text(40),
    content: text(200),
    fields: fc.dictionary(fc.stringMatching(/^[a-z]{1,10}$/), text(20), { maxKeys: 3 }),
    version,
    created_at: instant,
    updated_at: instant,
    created_by: author,
  });

const formerText = fc.record({
  title: text(40),
  content: text(100),
  published: fc.boolean(),
  replaced_at: instant,
  replaced_by: author,
});

const copy = fc
  .record({
    taken_at: instant,
    origin: fc.constantFrom("browser" as const, "fetched" as const, "imported" as const),
    url,
    title: text(40),
    byline: maybe(filled(20)),
    site: maybe(filled(20)),
    language: fc.constantFrom(null, "en", "pt-BR"),
    direction: fc.constantFrom(null, "ltr" as const, "rtl" as const),
    published_at: maybe(instant),
    words: fc.integer({ min: 0, max: 10_000 }),
    is_article: fc.boolean(),
    extractor: fc.constant(1),
    created_by: author,
    html: fc.constantFrom(
      "",
      "<p>Two words</p>",
      '<h2>A title</h2><p><a href="https://example.com/">é 😀</a></p>',
    ),
    reading: maybe(
      fc.record({
        chosen: fc.boolean(),
        place: fc.integer({ min: 0, max: 10_000 }),
        progress: fc.integer({ min: 0, max: 100 }),
        begun_at: instant,
        updated_at: instant,
        finished: fc.boolean(),
      }),
    ),
  })
  .map((given) => ({ ...given, original: null, pictures: [] }));

const context = text(32).map((words) => [...words].slice(0, 32).join(""));
const mark = fc.record({
  quote: filled(60).map((words) => (words.trim() === "" ? "é 😀" : words)),
  prefix: context,
  suffix: context,
  position: maybe(fc.integer({ min: 0, max: 10_000 })),
  note: text(100),
  version,
  created_at: instant,
  updated_at: instant,
  created_by: author,
});

/** Bookmarks, copies of some of them, and marks, also several of one. */
const library = fc
  .tuple(numbered(bookmark), numbered(copy), numbered(mark))
  .map(([bookmarks, copies, marks]) => ({
    bookmark: bookmarks,
    copy: copies
      .slice(0, bookmarks.length)
      .map((given, index) => ({ ...given, bookmark: bookmarks[index]?.id ?? 0 })),
    mark:
      bookmarks.length === 0
        ? []
        : marks.map((given, index) => ({
            ...given,
            bookmark: bookmarks[index % 2]?.id ?? bookmarks[0]?.id ?? 0,
          })),
  }));

/** Sites with every field of every record in an archive. @param image an image that every other site has */
export function archivedSites(image: ArchivedRecord<"image">): fc.Arbitrary<ArchivedSite> {
  const posts = fc
    .tuple(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 4 }))
    .chain(([gaps]) => {
      let id = 0;
      const ids = gaps.map((gap) => {
        id += gap;
        return id;
      });
      return fc.tuple(...ids.map((number) => post(number).map((given) => ({ id: number, ...given }))));
    });
  return posts.chain((made) => {
    const ids = made.map(({ id }) => id);
    const ofPost = fc.constantFrom(...ids);
    return fc
      .record({
        setting: fc
          .tuple(settings, instant)
          .map(([given, updated_at]) =>
            given
              .map((setting) => ({ ...setting, updated_at }))
              .toSorted((a, b) => order(a.name) - order(b.name)),
          ),
        tag: numbered(fc.record({ name: fc.constant("tag"), created_at: instant })).map((tags) =>
          tags.map((tag) => ({ ...tag, name: `C#${tag.id}` })),
        ),
        image: fc.constantFrom([], [image]),
        icon: fc.constantFrom([], [{ host: "bun.sh", large: ICON, read_at: "2026-11-21T06:40:12.345Z" }]),
        picture: fc.constantFrom([], [PAGE_PICTURE]),
        library,
        post: fc.constant(made),
        version: fc
          .array(formerText, { maxLength: 3 })
          .chain((texts) =>
            ofPost.map((of) => texts.map((given, index) => ({ post: of, number: index + 1, ...given }))),
          ),
        comment: numbered(fc.tuple(ofPost, comment).map(([of, given]) => ({ post: of, ...given }))).map(
          // Replies to the next one, or to the first, if it is on the same post.
          (comments) =>
            comments.map((given, index) => {
              const other = comments[(index + 1) % comments.length];
              return { ...given, parent: index % 2 === 1 && other?.post === given.post ? other.id : null };
            }),
        ),
        edit: fc.tuple(edit(1), edit(2), maybe(ofPost)).map(([one, two, of]) => [
          { ...one, post: of, base_version: of === null ? null : one.base_version },
          { ...two, post: null, base_version: null },
        ]),
      })
      .map(({ library: kept, ...site }) => ({ ...site, ...kept }));
  });
}

/** Makes an image in the form of an archive: its record, and its files by path. */
export async function archivedImage(width = 1_000) {
  const { media, forms } = await acceptImage(await makeImage("png", { width, height: 40 }));
  const { sha, type, height } = media;
  const record: ArchivedRecord<"image"> = {
    ...{ sha, type, width, height, created_at: "2026-11-21T06:40:12.345Z", created_by: "ada" },
  };
  const files = new Map(
    forms.map(
      (form) => [imageFile(sha, type, form.width === width ? undefined : form.width), form.bytes] as const,
    ),
  );
  return { record, files };
}
