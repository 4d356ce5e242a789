import type { Period } from "../data/sample-posts.ts";
import type { Measure } from "../measure.ts";
import { freshPages } from "../requests.ts";
import type { Row } from "../row.ts";

/** Posts per page. */
const PAGE = 20;

/** The latency of an uncached page for one client, compared with the first page of the same collection. */
function deepPage(name: string, figure: string, page: (last: number) => number | "last", over: Period): Row {
  return {
    name,
    group: "posts",
    figure,
    unit: "ms",
    limit: "page 1",
    ...(over === "ten years" && { goal: { atMost: 10 } }),
    rounds: 3,
    async prepare(stage) {
      const database = await stage.sharedDatabase({ posts: stage.many, over });
      const server = await stage.server(database);
      const timeOf = async (page: number | "last") =>
        inMilliseconds(await stage.underLoad(server, freshPages(page), { connections: 1, waits: true }));
      return { limit: await timeOf(1), ours: await timeOf(page(stage.many / PAGE)) };
    },
  };
}

/** A single client sends each request when the previous one is answered, so the rate gives the latency. */
function inMilliseconds(measure: Measure): Measure {
  return async () => ({ value: 1000 / (await measure()).value });
}

export const deepPages: readonly Row[] = [
  deepPage("page-500", "page 500 of 1,000,000 posts, ten years", (last) => last / 100, "ten years"),
  deepPage("page-50000", "page 50,000 of 1,000,000 posts, ten years", (last) => last, "ten years"),
  deepPage("page-last", "page=last of 1,000,000 posts, ten years", () => "last", "ten years"),
  deepPage("page-500-of-a-day", "page 500 of 1,000,000 posts of one day", (last) => last / 100, "one day"),
  deepPage("page-50000-of-a-day", "page 50,000 of 1,000,000 posts of one day", (last) => last, "one day"),
];
