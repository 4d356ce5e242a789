import autocannon from "autocannon";
import manifest from "autocannon/package.json" with { type: "json" };
import { headersOf, type Load } from "../load.ts";

/** `autocannon`, in this process. It needs more CPU time than `wrk` and may itself be the limit. */
export function autocannonLoad(): Load {
  return {
    name: `autocannon ${manifest.version}`,
    async prepare(_, url, requests, { connections }) {
      const sent = requests.map((request) => {
        const { method, path, body } = request;
        return { method, path, headers: headersOf(request), ...(body !== undefined && { body }) };
      });
      return async (seconds) => {
        const result = await autocannon({ url, connections, duration: seconds, timeout: 10, requests: sent });
        const { "2xx": succeeded, non2xx, errors, duration, statusCodeStats } = result;
        sent.push(...sent.splice(0, (succeeded + non2xx) % sent.length));
        const unchanged = statusCodeStats["304"]?.count ?? 0;
        return {
          answered: succeeded + unchanged,
          refused: non2xx - unchanged,
          broken: errors,
          seconds: duration,
        };
      };
    },
  };
}
