import type { Database } from "../../src/database/database.ts";
import type { Send } from "../../test/support/requests/send.ts";
import type { RunningServer } from "../../test/support/server/server.ts";

/** A server in a separate process, and the means to bring its pages into their states. */
export interface PictureSite {
  readonly server: RunningServer;
  readonly database: Database;
  /** The header of the owner's session; undefined while there is no account. */
  readonly cookie: string | undefined;
  /** Sends as the owner. */
  readonly send: Send;
}
