import type { BookmarkCreate } from "../../src/bookmarks/bookmark.ts";
import { SeededRandom, sentence, WORDS } from "./made-up-text.ts";

const TAGS = [
  "art",
  "baking",
  "Bun",
  "cities",
  "dev/js",
  "dev/sql",
  "howto",
  "later",
  "maps",
  "music",
  "read",
];

const DAY = 24 * 60 * 60 * 1000;

/** A bookmark of a made-up collection. */
export interface SampleBookmark extends BookmarkCreate {
  readonly createdAt: Date;
}

/**
 * A made-up collection with the lengths of real ones: titles of about 50 characters, URLs of about 70,
 * descriptions of up to 300, a third of them empty, most others ending in hashtags. No two URLs are the
 * same. The same count and seed always give the same collection; other seeds give other URLs.
 */
export function* sampleBookmarks(count: number, seed = 1): Generator<SampleBookmark> {
  const random = new SeededRandom(seed);
  let createdAt = Date.UTC(2016, 0, 1);
  for (let index = 1; index <= count; index++) {
    createdAt += Math.floor((random.next() * 2 * 10 * 365 * DAY) / count);
    const title = sentence(random, 30 + random.below(40));
    const host = `${random.pick(WORDS)}-${random.pick(WORDS)}.example`;
    const path = sentence(random, 10 + random.below(40))
      .toLowerCase()
      .replaceAll(" ", "-");
    yield {
      title,
      url: `https://${host}/${random.pick(WORDS)}/${path}-${seed}${index.toString().padStart(7, "0")}`,
      description: description(random),
      createdAt: new Date(createdAt),
    };
  }
}

function description(random: SeededRandom): string {
  if (random.below(3) === 0) return "";
  const text = `${sentence(random, random.below(260))}.`;
  const tags = Array.from({ length: random.below(4) }, () => `#${random.pick(TAGS)}`);
  return [text, ...tags].join(" ").slice(0, 300);
}
