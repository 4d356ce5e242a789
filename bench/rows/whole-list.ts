import type { Request } from "../load.ts";
import type { Row } from "../row.ts";
import { SMALL } from "./fetch-one.ts";

const requests: Request[] = [{ method: "GET", path: "/bookmarks/" }];

export const wholeList: Row = {
  name: "whole-list",
  figure: "whole list of 1,000",
  unit: "requests/s",
  limit: "bare server, same bytes",
  rounds: 7,
  async prepare(stage) {
    const server = await stage.server(await stage.database(SMALL));
    const bytes = stage.file("list.json");
    await Bun.write(bytes, await fetch(`${server.url}/bookmarks/`));
    const bare = await stage.bareServer("same-bytes", bytes);
    return {
      limit: await stage.underLoad(bare, requests),
      ours: await stage.underLoad(server, requests),
    };
  },
};
