import type { Request } from "./load.ts";
import type { Contestants } from "./row.ts";
import type { Server } from "./server.ts";
import type { Stage } from "./stage.ts";

/**
 * A server against a bare one that sends the same bytes, which it has ready.
 * @param bare what is asked of the bare one, where that differs: its answer is always that to the first of these
 */
export async function againstSameBytes(
  stage: Stage,
  server: Server,
  requests: readonly Request[],
  bare: readonly Request[] = requests,
): Promise<Contestants> {
  const bytes = stage.file("same-bytes");
  const [first] = bare;
  // As they go over the wire, whatever they are compressed with.
  await Bun.write(
    bytes,
    await fetch(server.url + first?.path, { headers: { ...first?.headers }, decompress: false }),
  );
  const limit = await stage.bareServer("same-bytes", bytes);
  return {
    limit: await stage.underLoad(limit, bare),
    ours: await stage.underLoad(server, requests),
  };
}
