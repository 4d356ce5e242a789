import { thenSync } from "../../awaitable.ts";
import type { Database } from "../../database/database.ts";
import type { UnroutedPage } from "../../http/dispatch.ts";
import type { Operation, Resource, Routes } from "../../http/endpoint.ts";
import { ScheduledPosts } from "./scheduled-posts.ts";

/** Has requests publish the posts that are due before they are answered. */
export class DuePosts {
  readonly #database: Database;
  readonly #scheduled: ScheduledPosts;

  constructor(database: Database) {
    this.#database = database;
    this.#scheduled = new ScheduledPosts(database);
  }

  /** The same routes, for those that show or change posts. */
  before(routes: Routes): Routes {
    return mapped(routes, (resource): Resource => mapped(resource, (operation) => this.#before(operation)));
  }

  /** The same page, which looks for a post by its path. */
  beforePage({ operation, paramsOf }: UnroutedPage): UnroutedPage {
    return {
      operation,
      paramsOf: (path) => thenSync(this.#scheduled.publishDue(this.#database), () => paramsOf(path)),
    };
  }

  #before<T extends Operation>(operation: T): T {
    return {
      ...operation,
      handle: (call) =>
        thenSync(this.#scheduled.publishDue(call.stamp), (hasWritten) => {
          if (hasWritten) call.stamp.renew();
          return operation.handle(call);
        }),
    };
  }
}

function mapped<T>(table: Readonly<Record<string, T | undefined>>, map: (value: T) => T): Record<string, T> {
  const entries = Object.entries(table).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, map(value)] as const],
  );
  return Object.fromEntries(entries);
}
