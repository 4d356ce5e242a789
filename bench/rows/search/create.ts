import { createBookmarks, SMALL } from "../../requests.ts";
import type { Row } from "../../row.ts";
import { withoutMarks } from "../../search-index.ts";
import { databaseOn, type Searched } from "./searched.ts";

export function creating({ engine, prefix, group }: Searched): Row {
  return {
    name: `${prefix}-create`,
    group,
    figure: `${engine}: create a bookmark, indexed`,
    unit: "requests/s",
    limit: "the same without an index",
    goal: { atLeast: 0.9 },
    rounds: 3,
    async prepare(stage) {
      const of = () => databaseOn(engine, stage, { bookmarks: SMALL });
      const plain = await of();
      await withoutMarks(plain);
      const measured = async (database: string) =>
        stage.underLoad(await stage.server(database), createBookmarks(), { waits: true });
      return { limit: await measured(plain), ours: await measured(await of()) };
    },
  };
}
