import type { Request } from "../load.ts";
import { SMALL } from "../requests.ts";
import type { Row } from "../row.ts";
import { againstSameBytes } from "../same-bytes.ts";

const wholeListRequest: readonly Request[] = [{ method: "GET", path: "/bookmarks/" }];

export const wholeList: Row = {
  name: "whole-list",
  group: "bookmarks",
  figure: "whole list of 1,000",
  unit: "requests/s",
  limit: "a bare server sending the same bytes",
  rounds: 4,
  async prepare(stage) {
    const server = await stage.server(await stage.sharedDatabase({ bookmarks: SMALL }));
    return againstSameBytes(stage, server, wholeListRequest);
  },
};
