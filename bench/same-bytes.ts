import type { Request } from "./load.ts";
import type { Contestants } from "./row.ts";
import type { Server } from "./server.ts";
import type { Stage } from "./stage.ts";

/**
 * Compares a server with a bare one that sends the same bytes from memory.
 * @param bare the requests for the bare server, if different. It always sends our response to the first of them
 */
export async function againstSameBytes(
  stage: Stage,
  server: Server,
  requests: readonly Request[],
  bare: readonly Request[] = requests,
): Promise<Contestants> {
  const bytes = stage.file("same-bytes");
  const [first] = bare;
  // The body as transferred, with any compression.
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
