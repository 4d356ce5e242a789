import { SeededRandom } from "../bench/data/made-up-text.ts";
import type { BookmarkCreate } from "../src/bookmarks/bookmark.ts";
import { OTHER_TOPICS } from "./other-languages.ts";
import { ENGLISH_TOPICS, type Topic } from "./topics.ts";

const TOPICS = [...ENGLISH_TOPICS, ...OTHER_TOPICS];
const DAY = 24 * 60 * 60 * 1000;

/** A made-up bookmark. */
export interface MadeUpBookmark extends BookmarkCreate {
  readonly createdAt: Date;
}

interface Page {
  readonly topic: Topic;
  readonly title: string;
  readonly note: string;
}

/**
 * A library that a person could have collected over ten years: sixteen interests in seven languages, more in the
 * evenings and in recent years, a fifth without a tag. The same seed and end always give the same bookmarks, oldest
 * first; no two have the same URL.
 *
 * @param end the newest is some hours older
 */
export function madeUpBookmarks(count: number, end: Date, seed = 1706): MadeUpBookmark[] {
  const random = new SeededRandom(seed);
  const urls = new Set<string>();
  const pages = pagesOf(random, count);
  return times(random, pages.length, end).map((createdAt, index) => {
    const { topic, title, note } = pages[index] as Page;
    return {
      title,
      url: urlOf(random, topic, { title, year: createdAt.getUTCFullYear() }, urls),
      description: describe(random, topic, note),
      createdAt,
    };
  });
}

/** The hand-written pages, and composed ones until there are enough; in random order. */
function pagesOf(random: SeededRandom, count: number): Page[] {
  const pages = TOPICS.flatMap((topic) =>
    topic.pages.map(([title, note = ""]): Page => ({ topic, title, note })),
  );
  const titles = new Set(pages.map(({ title }) => title));
  const composed: Page[] = [];
  // Titles repeat when none are left: people do save a page twice.
  for (let tries = 0; pages.length + composed.length < count; tries++) {
    const topic = pickTopic(random);
    const title = capitalized(random.pick(topic.patterns).replace("…", random.pick(topic.things)));
    if (titles.has(title) && tries < 20 * count) continue;
    titles.add(title);
    composed.push({ topic, title, note: random.chance(0.35) ? random.pick(topic.notes) : "" });
  }
  // Most of the hand-written ones are the newest, where people see them.
  const [early, late] = [random.shuffle(composed), random.shuffle(pages)];
  const recent = late.slice(0, Math.ceil(late.length * 0.4));
  const older = random.shuffle([...early, ...late.slice(recent.length)]);
  const mixed = random.shuffle([...older.splice(-recent.length), ...recent]);
  return [...older, ...mixed].slice(-count);
}

function pickTopic(random: SeededRandom): Topic {
  const total = TOPICS.reduce((sum, { weight }) => sum + weight, 0);
  let left = random.below(total);
  for (const topic of TOPICS) {
    left -= topic.weight;
    if (left < 0) return topic;
  }
  throw new Error("the weights do not add up");
}

/** Instants over ten years, denser toward the end, between seven in the morning and eleven at night. */
function times(random: SeededRandom, count: number, end: Date): Date[] {
  const newest = end.getTime() - DAY / 8;
  return Array.from({ length: count }, () => {
    const day = new Date(newest - Math.floor(3_650 * random.next() ** 1.6) * DAY);
    day.setUTCHours(
      7 + Math.floor(16 * random.next() ** 0.7),
      random.below(60),
      random.below(60),
      random.below(1_000),
    );
    return new Date(Math.min(day.getTime(), newest - random.below(DAY / 24)));
  }).toSorted((one, other) => one.getTime() - other.getTime());
}

function urlOf(
  random: SeededRandom,
  { sites }: Topic,
  { title, year }: { title: string; year: number },
  taken: Set<string>,
): string {
  const words = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
  const slug = words.split("-").slice(0, 7).join("-");
  const folder = random.pick(["", "notes/", "articles/", `${year}/`, "essays/"]);
  const base = new URL(`https://${random.pick(sites)}/${folder}${slug}`).href;
  let url = base;
  for (let copy = 2; taken.has(url); copy++) url = `${base}-${copy}`;
  taken.add(url);
  return url;
}

/** The note, then a line of tags. */
function describe(random: SeededRandom, { tags }: Topic, note: string): string {
  const [main = "", ...others] = tags;
  const chosen = random.chance(0.8) ? [main, ...others.filter(() => random.chance(0.28))] : [];
  const line = chosen.map((tag) => `#${tag}`).join(" ");
  return [note, line].filter(Boolean).join("\n\n");
}

function capitalized(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1);
}
