import type { Request } from "../load.ts";
import type { Row } from "../row.ts";
import { sampleBookmarks } from "../sample-bookmarks.ts";
import { fetchEach, SMALL } from "./fetch-one.ts";

export const createOne: Row = {
  name: "create-one",
  figure: "create a bookmark, fsynced",
  unit: "requests/s",
  limit: "fetching one",
  goal: { atLeast: 0.6 },
  rounds: 7,
  async prepare(stage) {
    const server = await stage.server(await stage.database(SMALL));
    return {
      limit: await stage.underLoad(server, fetchEach(SMALL)),
      ours: await stage.underLoad(server, createEach(SMALL)),
    };
  },
};

function createEach(count: number): Request[] {
  return Array.from(sampleBookmarks(count), ({ title, url, description }) => ({
    method: "POST",
    path: "/bookmarks/",
    body: JSON.stringify({ title, url, description }),
  }));
}
