/**
 * A record was changed or deleted while a response with it was being read. Before anything is sent, the response is
 * rendered again; afterwards it is aborted, so that no client gets mixed versions.
 */
export class ChangedDuringRead extends Error {
  override readonly name = "ChangedDuringRead";
}
