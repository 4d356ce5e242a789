import { join } from "node:path";
import { headersOf, type Load, type Request, type Tally } from "../load.ts";

const SCRIPT = join(import.meta.dir, "wrk.lua");

interface WrkTally {
  /** Responses with any status. */
  readonly requests: number;
  /** Responses with a status of 400 or above. */
  readonly refused: number;
  /** Connections that failed or timed out. */
  readonly broken: number;
  readonly microseconds: number;
}

/** `wrk` with one thread. */
export function wrkLoad(): Load {
  return {
    name: version(),
    async prepare(place, url, requests, { connections, cores }) {
      const file = place.file(crypto.randomUUID());
      await Bun.write(file, requests.map((request) => rawRequest(url, request)).join("\0"));
      let sent = 0;
      return async (seconds) => {
        const output = await place.run([
          ...[...cores, "wrk", "--threads", "1", "--connections", String(connections)],
          ...["--duration", `${seconds}s`, "--timeout", "10s", "--script", SCRIPT, url, "--", file],
          String(sent % requests.length),
        ]);
        const tally = tallyOf(output);
        sent += tally.answered + tally.refused;
        return tally;
      };
    },
  };
}

/** The tally that `wrk.lua` printed last. */
function tallyOf(output: string): Tally {
  const [, json] = /^tally (.*)$/m.exec(output) ?? [];
  if (json === undefined) throw new Error(`wrk counted nothing: ${output}`);
  const { requests, refused, broken, microseconds }: WrkTally = JSON.parse(json);
  return { answered: requests - refused, refused, broken, seconds: microseconds / 1e6 };
}

/** `wrk` prints its version on the first line of its help, and then exits with 1. */
function version(): string {
  const help = Bun.spawnSync(["wrk", "--version"]).stdout.toString();
  return /^(wrk \S+)/.exec(help)?.[1] ?? "wrk";
}

/** A request in its wire format (RFC 9112). */
function rawRequest(url: string, request: Request): string {
  const { method, path, body } = request;
  const headers = {
    host: new URL(url).host,
    ...headersOf(request),
    ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`;
}
