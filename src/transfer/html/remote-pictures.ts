import type { RecordLocation } from "../import/record.ts";
import type { StagedRecords } from "../import/staged-records.ts";

/** Counts the images of posts that stay where they are, at another site. */
export class RemotePictures {
  readonly #found = new Map<string, { count: number; readonly first: RecordLocation }>();

  /** @returns the HTML as it is */
  counted(html: string, location: RecordLocation): string {
    for (const [, address = ""] of html.matchAll(/<img\s[^<>]*?\bsrc\s*=\s*["']?(https?:[^\s"'<>]+)/gi)) {
      const host = URL.parse(address)?.host ?? "";
      const known = this.#found.get(host) ?? { count: 0, first: location };
      known.count++;
      this.#found.set(host, known);
    }
    return html;
  }

  report(records: StagedRecords): void {
    for (const [host, { count, first }] of this.#found)
      records.note({
        ...first,
        code: "picture_linked",
        detail: `${count === 1 ? "1 image stays" : `${count} images stay`} at ${host}: the posts link to ${count === 1 ? "it" : "them"} there.`,
      });
  }
}
