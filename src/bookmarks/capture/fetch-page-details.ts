import { FetchError, fetchPublic, type Network } from "../../outbound/fetch-public.ts";
import type { PageDetails } from "./page-details.ts";

/** Title and description of the page at a URL; undefined when it cannot be read. Never throws. */
export type FetchPageDetails = (url: string) => Promise<PageDetails | undefined>;

const LIMITS = { timeout: 5_000, maxBytes: 512 * 1024, accept: "text/html,application/xhtml+xml" };

/** Reads pages over the network. */
export function pageDetailsFetcher(network: Network): FetchPageDetails {
  return async (url) => {
    try {
      const { status, bytes, contentType } = await fetchPublic(new URL(url), LIMITS, network);
      if (status !== 200) return undefined;
      // Only now: the table of entities is large.
      const { pageDetails } = await import("./page-details.ts");
      return pageDetails(bytes, contentType);
    } catch (error) {
      if (error instanceof FetchError) return undefined;
      throw error;
    }
  };
}
