/**
 * A record has changed or gone since the beginning of the answer in which it stands was read. Before anything is sent,
 * the answer is rendered again; afterwards it is broken off, so that no client takes mixed versions for one.
 */
export class ChangedMeanwhile extends Error {
  override readonly name = "ChangedMeanwhile";
}
