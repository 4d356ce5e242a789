import type { PostCreate } from "../../src/posts/post.ts";
import { SeededRandom, sentence, WORDS } from "./made-up-text.ts";

const DAY = 24 * 60 * 60 * 1000;

/** The period in which a collection's posts were written, in milliseconds. */
const PERIOD = 10 * 365 * DAY;

/** The number of comments on each post. */
export const COMMENTS = 3;

/** A comment of a made-up collection. */
export interface SampleComment {
  readonly author: string;
  readonly text: string;
}

/** A post of a made-up collection, with its comments, which have the same date. */
export interface SamplePost extends PostCreate {
  readonly createdAt: Date;
  readonly comments: readonly SampleComment[];
}

/**
 * Made-up published posts, oldest first: titles of 20 to 80 characters, contents of 100 to 3,000 with a mean
 * of 800, three comments of 20 to 220 each. The same count always gives the same posts.
 */
export function* samplePosts(count: number): Generator<SamplePost> {
  const random = new SeededRandom(2);
  const prose = longText(random);
  // Contents are cut from one text: to make a million of them word by word would take a minute.
  const cut = (length: number) => {
    const from = random.below(prose.length - length);
    return prose.slice(from, from + length).trim();
  };
  const step = (2 * PERIOD * 0.99) / count;
  let createdAt = Date.UTC(2016, 0, 1);
  for (let index = 0; index < count; index++) {
    createdAt += random.next() * step;
    yield {
      title: sentence(random, 20 + random.below(50)),
      // Most posts are short.
      content: cut(100 + Math.floor(2_900 * random.next() ** 3.14)),
      published: true,
      createdAt: new Date(Math.floor(createdAt)),
      comments: Array.from({ length: COMMENTS }, () => ({
        author: `${random.pick(WORDS)} ${random.pick(WORDS)}`,
        text: cut(20 + random.below(200)),
      })),
    };
  }
}

/** A quarter of a million characters of sentences and paragraphs. */
function longText(random: SeededRandom): string {
  let text = "";
  while (text.length < 250_000)
    text += `${sentence(random, 20 + random.below(120))}.${random.below(5) === 0 ? "\n\n" : " "}`;
  return text;
}
