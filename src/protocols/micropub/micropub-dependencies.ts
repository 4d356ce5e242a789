import type { Database } from "../../database/database.ts";
import type { Authenticator, Caller } from "../../http/access.ts";
import type { Call } from "../../http/endpoint.ts";
import type { ObjectStore } from "../../media/object-store.ts";
import type { Site } from "../../web/site/site-store.ts";

export interface MicropubDependencies {
  readonly database: Database;
  /** The store of images beside the database. */
  readonly objects: ObjectStore | undefined;
  readonly site: Site;
  readonly authenticator: Authenticator;
  /** Whether this server has a library, in which bookmarks are stored. */
  readonly hasLibrary: boolean;
  /** The maximum size of a body without files, in bytes. */
  readonly bodyLimit: number;
}

/** The parts of a call with a token that operations share. */
export type TokenCall = Pick<Call, "client" | "search"> & { readonly caller: Caller };
