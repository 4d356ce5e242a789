import { openBeside } from "../support/databases/database.ts";
import { makeAccount } from "../support/records/accounts.ts";
import { startServer, temporaryFolder } from "../support/server/server.ts";

export const credentials = { username: "editor", password: "correct horse battery" };

/** A server in a process of its own, as people start it. */
export interface BlogServer extends AsyncDisposable {
  readonly url: string;
}

/** Starts a server that has the account of {@link credentials}. */
export async function startBlogServer(): Promise<BlogServer> {
  const folder = temporaryFolder();
  const databaseUrl = `sqlite:${folder.file("blog.db")}`;
  const server = await startServer({ DATABASE_URL: databaseUrl, BOOKMARKS_ACCESS: "open" });
  const database = await openBeside(databaseUrl);
  await makeAccount(database, credentials.username, credentials.password);
  await database.close();
  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      await server.kill();
      folder[Symbol.dispose]();
    },
  };
}
