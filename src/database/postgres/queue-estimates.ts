import type { Database } from "../database.ts";
import type { Bound } from "../fragment.ts";
import type { QueuedMethods, QueueEstimates } from "../load/queue-estimates.ts";

/** On PostgreSQL, reads and writes wait for a connection and for the server's response. */
export function estimatePostgresQueues(
  database: Database,
  { reads, writes }: QueueEstimates,
  connections: number,
): QueuedMethods {
  const read = <Row>(text: TemplateStringsArray, ...values: Bound[]) =>
    reads.joinQueue(() => database.read<Row>(text, ...values), connections);
  return {
    read: Object.assign(read, { slot: database.read.slot }),
    write: (work) => writes.joinQueue(() => database.write(work), connections),
  };
}
