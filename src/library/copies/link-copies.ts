import type { Copy } from "../../copies/copy.ts";
import type { CopyParts } from "../../copies/copy-parts.ts";
import { type FailureReason, findFailure } from "../../copies/fetching/copy-failure.ts";
import { FETCH_JOB } from "../../copies/fetching/request-fetch.ts";
import { textOfCopy } from "../../copies/search/text-of-copy.ts";
import { isShown } from "../../copies/shown-original.ts";
import type { Sql } from "../../database/database.ts";
import { hasJob } from "../../jobs/job-store.ts";
import { truncateAtWord } from "../../web/truncate.ts";

/** A copy as the page of its link lists it. */
export interface ListedCopy extends Copy {
  /** How its original can be had: looked at and downloaded, or only downloaded; a text from another program has none. */
  readonly original: "shown" | "file" | undefined;
}

/** What the page of a link says of its copies. */
export interface LinkCopies {
  readonly newestFirst: readonly ListedCopy[];
  /** The id of the one that is read. */
  readonly readId: number | undefined;
  /** The beginning of its text, if it is an article: one paragraph, which may be cut. */
  readonly beginning: string | undefined;
  /** Whether the server is fetching the page, or will. */
  readonly isWaiting: boolean;
  /** Why the page could not be kept the last time. */
  readonly failure: FailureReason | undefined;
}

export async function copiesOfLink(
  { store }: Pick<CopyParts, "store">,
  sql: Sql,
  bookmarkId: number,
): Promise<LinkCopies> {
  const copies = await store.newestFirst(sql, bookmarkId);
  const ids = copies.map(({ id }) => id);
  const [types, read, isWaiting, failure] = await Promise.all([
    store.originalTypes(sql, ids),
    store.read(sql, bookmarkId),
    hasJob(sql, FETCH_JOB, String(bookmarkId)),
    findFailure(sql, bookmarkId),
  ]);
  const beginning = read?.isArticle ? beginningOf(await store.html(sql, read.id)) : undefined;
  const originalOf = (id: number) => {
    const type = types.get(id);
    return type === undefined ? undefined : isShown(type) ? "shown" : "file";
  };
  return {
    newestFirst: copies.map((copy) => ({ ...copy, original: originalOf(copy.id) })),
    readId: read?.id,
    ...{ beginning, isWaiting, failure },
  };
}

/** Where a paragraph is looked for, and the length of what counts as one, in characters. */
const BEGINNING = { within: 20_000, min: 60, max: 280 };

/** The first paragraph of a copy that is more than a line. @param html what is sanitized */
function beginningOf(html: string): string | undefined {
  const { within, min, max } = BEGINNING;
  // Half of a tag would be read as words.
  const paragraphs = textOfCopy(html.slice(0, within).replace(/<[^<>]*$/, "")).split("\n");
  const first = paragraphs.find(({ length }) => length >= min);
  return first && truncateAtWord(first, max);
}
