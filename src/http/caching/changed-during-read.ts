/**
 * A record was changed or deleted while a response with it was being read. It is refused, or aborted once it has begun,
 * so that no client gets mixed versions.
 */
export class ChangedDuringRead extends Error {
  override readonly name = "ChangedDuringRead";
}
