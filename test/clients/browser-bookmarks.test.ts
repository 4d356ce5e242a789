import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BROWSER_FILES, linksOf, type PlacedLink, throughHere } from "../support/browsers/round-trips.ts";

const read = (name: string) => readFileSync(join(BROWSER_FILES, name), "utf8");
const library = read("library.csv");

/** What a browser makes of the place of a bookmark and of its title, as documented. */
interface Changes {
  readonly name: string;
  /** The order and the folders of our bookmarks in it. */
  place(links: readonly PlacedLink[]): PlacedLink[];
  readonly keepsTags: boolean;
  /** Bookmarks of its own file that its HTML does not have. */
  readonly onlyInJson: readonly string[];
}

const BAR = "Bookmarks bar";
const isOnBar = ({ folders }: PlacedLink) => [BAR, "Bookmarks Toolbar"].includes(folders[0] ?? "");

const browsers: readonly Changes[] = [
  {
    name: "firefox",
    place: (links) => [...links],
    keepsTags: true,
    onlyInJson: ["https://mobile.example/"],
  },
  {
    name: "chromium",
    // It gathers what is not on its bar, behind the rest, and writes one space for a tab.
    place: (links) =>
      [...links.filter(isOnBar), ...links.filter((link) => !isOnBar(link))].map((link) => ({
        ...link,
        folders: isOnBar(link) ? [BAR, ...link.folders.slice(1)] : [BAR, "Imported", ...link.folders],
        title: link.title.replaceAll("\t", " "),
      })),
    keepsTags: false,
    onlyInJson: [],
  },
];

const withoutTags = (links: readonly PlacedLink[]) => links.map(({ tags, ...link }) => link);
/** The date of the last change is that of the import. */
const timeless = (html: string) => html.replaceAll(/ LAST_MODIFIED="\d+"/g, "");
/** The tags of an entry and the tag line, which have the same ones in any order. */
const untagged = (html: string) => html.replaceAll(/ (?:TAGS|TAG_LINE)="[^"]*"/g, "");

test("The browsers were given the file that an export writes now", async () => {
  expect(await throughHere(library)).toBe(read("exported.html"));
});

for (const { name, place, keepsTags, onlyInJson } of browsers)
  describe(`Of what ${name} has written:`, () => {
    const written = (file: string) => read(`${name}/${file}`);

    test("our bookmarks are as they were, in the same order, folders and with the same dates", async () => {
      const before = linksOf(read("exported.html"));
      const after = linksOf(await throughHere(written("first.html")));
      expect(withoutTags(after)).toEqual(withoutTags(place(before)));
      for (const link of keepsTags ? before : []) {
        const tags = after.find(({ url }) => url === link.url)?.tags.map((tag) => tag.toLowerCase());
        expect(tags).toEqual(expect.arrayContaining(link.tags.map((tag) => tag.toLowerCase())));
      }
    });

    test("a second round trip changes nothing", async () => {
      const first = await throughHere(written("first.html"));
      const second = await throughHere(written("second.html"));
      expect(linksOf(second)).toEqual(linksOf(first));
      expect(untagged(timeless(second))).toBe(untagged(timeless(first)));
    });

    test("a library that has the bookmarks already is unchanged by it, with descriptions and states", async () => {
      expect(await throughHere(library, written("first.html"), written("second.html"))).toBe(
        read("exported.html"),
      );
    });

    test("the browser's own bookmarks come back to it as they were", async () => {
      const before = linksOf(await throughHere(written("own.html")));
      expect(before.length).toBeGreaterThan(5);
      expect(withoutTags(linksOf(await throughHere(written("own-again.html"))))).toEqual(
        withoutTags(place(before)),
      );
    });

    test("its own format has the same bookmarks as its export, and the milliseconds", async () => {
      const json = await throughHere(written("own.json"));
      const html = linksOf(await throughHere(written("own.html")));
      const links = linksOf(json).filter(({ url }) => !onlyInJson.includes(url));
      const byUrl = (one: PlacedLink, other: PlacedLink) => (one.url < other.url ? -1 : 1);
      expect(links.toSorted(byUrl)).toEqual(html.toSorted(byUrl));
      expect(linksOf(json)).toHaveLength(html.length + onlyInJson.length);
      expect(json).toMatch(/CREATED_AT="[^"]*\.(?!000)\d{3}Z"/);
    });
  });
