import { createHash } from "node:crypto";
import { Refusal } from "../../errors.ts";
import { ETAG_CODING_SUFFIX } from "../encoding/content-coding.ts";

/**
 * The strong entity tag of a version of a resource (RFC 9110, section 8.8.3). It carries the database's epoch, so
 * that tags from before a restore match nothing.
 *
 * @param parts other inputs of the bytes: letters, digits, `-` and `_`
 */
export function entityTag(epoch: string, version: number, ...parts: readonly (string | number)[]): string {
  return `"${[epoch, version, ...parts].join(".")}"`;
}

/** The strong entity tag of a small resource without a version: a hash of its content. */
export function contentTag(epoch: string, content: unknown): string {
  const hash = createHash("sha256").update(JSON.stringify(content)).digest("base64url");
  return `"${epoch}.${hash.slice(0, 22)}"`;
}

/** Whether the client's copy is current: `If-None-Match` by weak comparison (RFC 9110, section 13.1.2). */
export function isNotModified(request: Request, etag: string): boolean {
  const header = request.headers.get("if-none-match");
  return header !== null && (header === etag || matches(header, etag));
}

/** Whether `If-None-Match` has exactly this tag. */
export function hasExactTag(request: Request, etag: string): boolean {
  const header = request.headers.get("if-none-match") ?? "";
  return header === etag || (parseTags(header) ?? []).some((tag) => `"${tag}"` === etag);
}

/**
 * Checks the preconditions of a write. Without these headers every write passes. Both compare weakly: all our tags are
 * strong, so a weak one is ours after a proxy has compressed the response, and the version in it is exact.
 *
 * @param etag of the current representation; undefined when there is none, which `*` does not match either
 * @param written the part of a tag that the write replaces, where the tag covers more than that
 * @throws Refusal `precondition_failed`
 */
export function checkPreconditions(
  request: Request,
  etag: string | undefined,
  written: (etag: string) => string = (etag) => etag,
): void {
  const ifMatch = request.headers.get("if-match");
  if (ifMatch !== null && !matches(ifMatch, etag, written))
    throw new Refusal(
      "precondition_failed",
      ifMatch.trim() === "*" || parseTags(ifMatch)?.length
        ? "The record has changed: If-Match does not match the current ETag."
        : "If-Match is not an entity tag: send the ETag with its quotation marks.",
    );
  const ifNoneMatch = request.headers.get("if-none-match");
  if (ifNoneMatch !== null && matches(ifNoneMatch, etag))
    throw new Refusal("precondition_failed", "If-None-Match matches the current ETag.");
}

/** Whether a request is carried out only for a certain stored version; `*` asks whether there is one at all. */
export function dependsOnVersion({ headers }: Request): boolean {
  return ["if-match", "if-none-match"].some((name) => (headers.get(name) ?? "*").trim() !== "*");
}

/** A malformed header matches nothing. */
function matches(
  header: string,
  etag: string | undefined,
  compared: (etag: string) => string = (etag) => etag,
): boolean {
  if (etag === undefined) return false;
  if (header.trim() === "*") return true;
  const current = compared(etag);
  return (parseTags(header) ?? []).some((tag) =>
    [tag, tag.replace(ETAG_CODING_SUFFIX, "")].some((form) => compared(`"${form}"`) === current),
  );
}

/** The opaque parts of the entity tags of a header (RFC 9110, section 8.8.3); undefined when it is malformed. */
function parseTags(header: string): string[] | undefined {
  // Each alternative matches white space in one position only: two adjacent ones would take quadratic time.
  const next = /[ \t]*(?:(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;
  const tags: string[] = [];
  while (next.lastIndex < header.length) {
    const found = next.exec(header);
    if (found === null) return undefined;
    if (found[1] !== undefined) tags.push(found[1]);
  }
  return tags;
}
