import autocannon from "autocannon";
import manifest from "autocannon/package.json" with { type: "json" };
import { CONNECTIONS, type Load } from "../load.ts";

/** `autocannon`, in this process. It needs more of its core than `wrk` and may itself be the limit. */
export function autocannonLoad(): Load {
  return {
    name: `autocannon ${manifest.version}`,
    async aim(_, url, requests) {
      const sent = requests.map(({ body, ...request }) => ({
        ...request,
        headers: body === undefined ? {} : { "content-type": "application/json" },
        ...(body !== undefined && { body }),
      }));
      return async (seconds) => {
        const connections = CONNECTIONS;
        const result = await autocannon({ url, connections, duration: seconds, timeout: 10, requests: sent });
        const { "2xx": answered, non2xx, errors, duration } = result;
        return { answered, failed: non2xx + errors, seconds: duration };
      };
    },
  };
}
