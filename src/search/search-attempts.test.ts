import { expect, test } from "bun:test";
import { INDEX_VERSION, type IndexState } from "./index/index-state.ts";
import { type IndexChange, IndexView } from "./index/index-view.ts";
import { SearchAttempts, TIME_MAX } from "./search-attempts.ts";

const WHOLE: IndexState = {
  firstMark: undefined,
  lastMark: undefined,
  rebuiltTo: undefined,
  version: INDEX_VERSION,
  isOfThisVersion: true,
  merging: undefined,
  commonWords: JSON.stringify({ serial: 1, words: ["deep", "river"] }),
  generation: 0,
};
const OTHER_LIST = { commonWords: JSON.stringify({ serial: 2, words: ["deep", "river"] }) };

test("a change of the pairs repeats a search once, at any time, and leaves the next attempts all their time", async () => {
  let now = 0;
  let change: IndexChange | undefined;
  const asked: unknown[] = [];
  const search = {
    catchUp: async (options: { readonly withPairs: boolean }) => {
      asked.push(options.withPairs);
      return new IndexView(WHOLE, 0, options);
    },
    changeSince: async () => change,
  };
  const attempts = new SearchAttempts(search, () => now);
  let view = await attempts.begin();
  now = 3 * TIME_MAX;
  change = "pairs";
  expect(await attempts.mustRepeat(view)).toBe(true);

  view = await attempts.begin();
  expect(view.pairs.use("deep", "river")).toBe(false);
  change = "entries";
  now += TIME_MAX - 1;
  expect(await attempts.mustRepeat(view)).toBe(true);
  await attempts.begin();
  now += 1;
  await expect(attempts.mustRepeat(view)).rejects.toMatchObject({ reason: "unavailable" });
  change = undefined;
  expect(await attempts.mustRepeat(view)).toBe(false);
  expect(asked).toEqual([true, false, false]);
});

test("another list of common words matters only to a search that has used a pair", () => {
  const changeAfter = (words: readonly [string, string], now: Partial<IndexState>, behind = 0) => {
    const view = new IndexView(WHOLE, behind, { withPairs: true });
    view.pairs.use(...words);
    return view.changeUntil({ ...WHOLE, ...now });
  };
  const [PAIR, OTHERS] = [["deep", "river"] as const, ["deep", "sea"] as const];
  expect(changeAfter(PAIR, {})).toBeUndefined();
  expect(changeAfter(PAIR, OTHER_LIST)).toBe("pairs");
  expect(changeAfter(OTHERS, OTHER_LIST)).toBeUndefined();
  expect(changeAfter(PAIR, { commonWords: undefined })).toBe("pairs");
  expect(changeAfter(OTHERS, { rebuiltTo: 0 })).toBe("entries");
  expect(changeAfter(OTHERS, { generation: 1 })).toBe("entries");
  // While records are missing, a rebuild alone loses none. A process of another version may write entries without pairs.
  expect(changeAfter(PAIR, { rebuiltTo: 0 }, 1)).toBeUndefined();
  expect(changeAfter(PAIR, { isOfThisVersion: false }, 1)).toBe("pairs");
  expect(changeAfter(OTHERS, { isOfThisVersion: false }, 1)).toBeUndefined();
});

test("an index that is not whole has no pairs", () => {
  const hasPairs = (state: Partial<IndexState>) =>
    new IndexView({ ...WHOLE, ...state }, 0, { withPairs: true }).pairs.use("deep", "river");
  expect(hasPairs({})).toBe(true);
  expect(hasPairs({ lastMark: 3 })).toBe(true);
  expect(hasPairs({ commonWords: undefined })).toBe(false);
  expect(hasPairs({ rebuiltTo: 5 })).toBe(false);
  expect(hasPairs({ isOfThisVersion: false })).toBe(false);
});
