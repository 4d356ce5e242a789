import { PASSWORD } from "../data/accounts.ts";
import type { Request } from "../load.ts";
import { withOthers } from "../probe.ts";
import { SMALL } from "../requests.ts";
import type { Row } from "../row.ts";

/** The number of accounts that sign in, each with one client. */
const ACCOUNTS = 8;

export const signIn: Row = {
  name: "sign-in",
  group: "accounts",
  figure: "sign-ins, 8 accounts at once",
  unit: "requests/s",
  limit: "a bare server that does nothing but the hashing",
  aside: [{ name: "sign-in-p99", figure: "… p99 of fetching a bookmark meanwhile", unit: "ms" }],
  rounds: 3,
  async prepare(stage) {
    const database = await stage.database({ bookmarks: SMALL });
    await stage.accounts(database, ACCOUNTS);
    const server = await stage.server(database);
    const bare = await stage.bareServer("derive");
    const idle = await stage.bareServer("look-up", database);
    // Hashing runs in separate threads, so the use of the server's core does not show whether it is at its limit.
    const options = { connections: ACCOUNTS, waits: true, seconds: 3 };
    const limit = await stage.underLoad(bare, signIns, options);
    const signingIn = await stage.underLoad(server, signIns, options);
    return {
      limit,
      async ours() {
        const { done, p99, noise } = await withOthers({ server, idle }, signingIn);
        return { value: done.value, aside: [p99], noise };
      },
    };
  },
};

const signIns: readonly Request[] = Array.from({ length: ACCOUNTS }, (_, index) => ({
  method: "POST",
  path: "/api/token/",
  body: JSON.stringify({ username: `writer${index + 1}`, password: PASSWORD }),
}));
