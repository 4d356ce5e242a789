import { SeededRandom } from "./made-up-text.ts";
import type { SampleBookmark } from "./sample-bookmarks.ts";

const DAY = 24 * 60 * 60 * 1000;
const ONSETS = "b c d f g h j k l m n p r s t v w z br ch cl dr fl gr pl pr sh sl st th tr".split(" ");
const VOWELS = "a e i o u ai ea ee ie oa ou".split(" ");
const CODAS = ["", "", "", "n", "r", "s", "t", "l", "nd", "ck"];
const ACCENTED: Readonly<Record<string, string>> = { a: "ä", e: "é", i: "í", o: "ö", u: "ü" };
const HAN = "東京大学日本語図書館新聞検索技術開発情報科学生活音楽映画料理旅行地図天気";

/** The numbers of different words, hosts and tags in the collection. */
const VOCABULARY = 60_000;
const HOSTS = 40_000;
const TAGS = 5_000;

/**
 * A made-up collection to search: words, hosts and tags are as unequally frequent as in a language (Zipf's law),
 * 5 % of the titles are Chinese or Japanese, 2 % of the words have an accent. Lengths are those of
 * {@link sampleBookmarks}. The same count always gives the same collection.
 */
export function* searchableBookmarks(count: number): Generator<SampleBookmark> {
  const random = new SeededRandom(2);
  let createdAt = Date.UTC(2016, 0, 1);
  for (let index = 1; index <= count; index++) {
    createdAt += Math.floor((random.next() * 2 * 10 * 365 * DAY) / count);
    const title = random.chance(0.05) ? han(random) : capital(words(random, 25 + random.below(40)));
    const path = words(random, 10 + random.below(30)).replaceAll(" ", "-");
    yield {
      title,
      url: new URL(`https://${hostName(rank(random, HOSTS))}/${path}/${index.toString(36)}`).href,
      description: description(random),
      createdAt: new Date(createdAt),
    };
  }
}

/** A word of the vocabulary; low ranks are frequent. */
export function wordOfRank(rank: number): string {
  return spelled(rank + 40);
}

/** A tag of the collection; low ranks are frequent. */
export function tagOfRank(rank: number): string {
  return rank % 5 === 4 ? `${spelled(rank % 50)}/${spelled(rank + 7)}` : spelled(rank + 7);
}

/** A host of the collection; low ranks are frequent. */
export function hostName(rank: number): string {
  const domain = `${spelled(rank * 3 + 11)}.${["com", "org", "net", "example"][rank % 4]}`;
  return rank % 7 === 3 ? `blog.${domain}` : domain;
}

/** Syllables that spell a number; each number has its own. */
function spelled(number: number): string {
  let rest = number;
  let text = "";
  do {
    const syllable = rest % (ONSETS.length * VOWELS.length);
    text += `${ONSETS[syllable % ONSETS.length]}${VOWELS[Math.floor(syllable / ONSETS.length)]}`;
    rest = Math.floor(rest / (ONSETS.length * VOWELS.length));
  } while (rest > 0);
  return text + (CODAS[number % CODAS.length] ?? "");
}

/** A rank below `count`: the first is twice as frequent as the second, and so on. */
function rank(random: SeededRandom, count: number): number {
  return Math.floor(count ** random.next()) - 1;
}

function words(random: SeededRandom, length: number): string {
  let text = word(random);
  while (text.length < length) text += ` ${word(random)}`;
  return text;
}

function word(random: SeededRandom): string {
  const plain = wordOfRank(rank(random, VOCABULARY));
  return random.chance(0.02) ? plain.replace(/[aeiou]/, (vowel) => ACCENTED[vowel] ?? vowel) : plain;
}

function han(random: SeededRandom): string {
  return Array.from({ length: 6 + random.below(14) }, () => HAN[random.below(HAN.length)]).join("");
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function description(random: SeededRandom): string {
  if (random.below(3) === 0) return "";
  const text = `${capital(words(random, random.below(260)))}.`;
  const tags = Array.from({ length: random.below(4) }, () => `#${tagOfRank(rank(random, TAGS))}`);
  return [text.slice(0, 280), tags.join(" ")].filter((line) => line !== "").join("\n");
}
