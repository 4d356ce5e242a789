/** @jsxImportSource #jsx */
import type { FailureReason } from "../../copies/fetching/copy-failure.ts";
import { BackField } from "../../web/forms/back.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import { local, web, withFragment } from "../../web/urls.ts";

/** The id of the field for a saved page, on the page of a link. */
export const SAVED_PAGE = "file";

/** What can be done about a failure: most help against most of them. */
const WAYS = ["send", "again", "wayback"] as const;
const ONLY: Partial<Record<FailureReason, readonly ((typeof WAYS)[number] | "copies")[]>> = {
  "not-public": ["send"],
  "too-many": ["copies", "again"],
  "no-room": ["again"],
};

/** The ways out when the page of a link could not be kept: links, and a button that lets the server fetch it again. */
export function WaysOut({
  link,
  name,
  reason,
  fetches,
  back,
  messages,
}: {
  readonly link: { readonly id: number; readonly url: string };
  /** In a list of links, the name of this one, for screen readers. */
  readonly name?: string;
  readonly reason: FailureReason;
  /** Whether the server fetches pages. */
  readonly fetches: boolean;
  /** The page of the library that is shown then; the one of the link by default. */
  readonly back?: string;
  readonly messages: Messages;
}): Markup {
  const labels = messages.copies.ways;
  const ways = ONLY[reason] ?? WAYS;
  const of = name !== undefined && (
    <span class="unseen" dir="auto">
      {" "}
      {name}
    </span>
  );
  return (
    <div class="bar">
      {ways.includes("send") && (
        <a class="link-button" href={withFragment(local(`/library/${link.id}`), SAVED_PAGE)}>
          {labels.send}
          {of}
        </a>
      )}
      {ways.includes("copies") && (
        <a class="link-button" href={withFragment(local(`/library/${link.id}`), "copies")}>
          {labels.copies}
          {of}
        </a>
      )}
      {fetches && ways.includes("again") && (
        <form method="post" action={local(`/library/${link.id}/copies/fetch`)}>
          <BackField back={back} />
          <button class="link-button" type="submit">
            {labels.again}
            {of}
          </button>
        </form>
      )}
      {ways.includes("wayback") && (
        <a class="link-button" href={waybackUrl(link.url)} rel="noreferrer">
          {labels.wayback}
          {of}
        </a>
      )}
    </div>
  );
}

/** Where the Wayback Machine lists its copies of a page. */
function waybackUrl(url: string) {
  const [page] = url.split("#", 1);
  return web(`https://web.archive.org/web/*/${page}`);
}
