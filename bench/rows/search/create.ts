import type { Sample } from "../../measure.ts";
import { processorSecondsOf } from "../../other-programs.ts";
import { postgresSeconds } from "../../postgres.ts";
import { isPostgres } from "../../raw-database.ts";
import { createBookmarks, SMALL } from "../../requests.ts";
import type { Row } from "../../row.ts";
import { IndexWatch, withoutMarks } from "../../search-index.ts";
import type { Stage } from "../../stage.ts";
import { aside, databaseOn, type Searched } from "./searched.ts";

/** The length of a measurement, and of the load before the first one, in seconds. */
const [SECONDS, WARM_UP] = [3, 2];

/**
 * The rate counts what happens while bookmarks are created: their marks, and the steps of the indexer that run during that
 * time. The CPU time also counts indexing them afterwards.
 */
export function creating({ engine, prefix, group }: Searched): Row {
  return {
    name: `${prefix}-create`,
    group,
    figure: `${engine}: create a bookmark, indexed`,
    unit: "requests/s",
    limit: "the same without an index",
    goal: { atLeast: 0.9 },
    aside: [
      aside(`${prefix}-create-cpu`, "… CPU time of 1,000, until they are indexed", "ms"),
      aside(`${prefix}-create-cpu-alone`, "… the same without an index", "ms"),
    ],
    rounds: 7,
    async prepare(stage) {
      const database = () => databaseOn(engine, stage, { bookmarks: SMALL });
      const plain = await database();
      await withoutMarks(plain);
      const [limit, ours] = [await creatingOn(stage, plain), await creatingOn(stage, await database())];
      // Neither server works in the background while the other one is measured.
      const measured = async (side: Creating) => {
        for (const { watch } of [limit, ours]) await watch.idle();
        return side.measure();
      };
      let alone = Number.NaN;
      return {
        async limit() {
          const { sample, milliseconds } = await measured(limit);
          alone = milliseconds;
          return sample;
        },
        async ours() {
          const { sample, milliseconds } = await measured(ours);
          return { ...sample, aside: [milliseconds, alone] };
        },
      };
    },
  };
}

interface Creating {
  readonly watch: IndexWatch;
  measure(): Promise<{ readonly sample: Sample; readonly milliseconds: number }>;
}

async function creatingOn(stage: Stage, database: string): Promise<Creating> {
  const server = await stage.server(database);
  const create = await stage.prepare(server, createBookmarks());
  const watch = new IndexWatch(database);
  const spent = async () =>
    processorSecondsOf(server.pid) + (isPostgres(database) ? await postgresSeconds() : 0);
  await create(WARM_UP);
  return {
    watch,
    async measure() {
      const before = await spent();
      const { answered, refused, seconds } = await create(stage.quick ? 1 : SECONDS);
      await watch.finished();
      const milliseconds = (((await spent()) - before) * 1_000 * 1_000) / answered;
      return { sample: { value: answered / seconds, refused: refused / (answered + refused) }, milliseconds };
    },
  };
}
