import type { CopiesOfBookmarks } from "../../bookmarks/bookmark-parts.ts";
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
  /** Of the library, in which bookmarks are stored; undefined where there is none. */
  readonly copies: CopiesOfBookmarks | undefined;
  /** The maximum size of a body without files, in bytes. */
  readonly bodyLimit: number;
}

/** The parts of a call with a token that operations share. */
export type TokenCall = Pick<Call, "client" | "search"> & { readonly caller: Caller };
