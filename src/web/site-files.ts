import { z } from "zod";
import { Refusal } from "../errors.ts";
import type { Answer } from "../http/answer.ts";
import type { Page } from "../http/endpoint.ts";
import { findAsset } from "./assets.ts";
import type { Pages } from "./page.tsx";

/** Files that pages and browsers ask for. */
export function siteFiles(pages: Pages) {
  const asset: Page = pages.page(
    { skipsAuthentication: true, params: z.object({ hash: z.string(), name: z.string() }) },
    async ({ request, params }): Promise<Answer> => {
      const found = findAsset(params.name, params.hash);
      if (found === undefined) throw new Refusal("not_found", "Nothing exists at this path.");
      const answer = await found.content.answer(request);
      return found.isExact ? { ...answer, caching: "immutable" } : answer;
    },
  );

  return { asset };
}
