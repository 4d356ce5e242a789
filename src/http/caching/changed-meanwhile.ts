/**
 * A record was changed or deleted while an answer with it was being read. Before anything is sent, the answer is
 * rendered again; afterwards it is aborted, so that no client gets mixed versions.
 */
export class ChangedMeanwhile extends Error {
  override readonly name = "ChangedMeanwhile";
}
