import { FetchError, fetchPublic, type Network } from "../../outbound/fetch-public.ts";
import type { KeepSiteIcon } from "../site-icons/keep-site-icon.ts";
import type { PageDetails } from "./page-details.ts";

/** Title and description of the page at a URL; undefined when it cannot be read. Never throws. */
export type FetchPageDetails = (url: string) => Promise<PageDetails | undefined>;

const LIMITS = { timeout: 5_000, maxBytes: 512 * 1024, accept: "text/html,application/xhtml+xml" };

/** Reads pages over the network. @param keepIcon is not waited for: without an icon, a list shows a letter */
export function pageDetailsFetcher(network: Network, keepIcon?: KeepSiteIcon): FetchPageDetails {
  return async (asked) => {
    try {
      const { status, bytes, contentType, url } = await fetchPublic(new URL(asked), LIMITS, network);
      if (status !== 200) return undefined;
      // Only now: the table of entities is large.
      const { pageDetails } = await import("./page-details.ts");
      const found = pageDetails(bytes, contentType);
      if (found === undefined) return undefined;
      const { icons, ...details } = found;
      keepIcon?.({ asked, url, icons }).catch(() => {
        // The next page of the site tries again.
      });
      return details;
    } catch (error) {
      if (error instanceof FetchError) return undefined;
      throw error;
    }
  };
}
