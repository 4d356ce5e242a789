import { checkPreconditions, entityTag } from "../http/caching/etags.ts";
import type { PostVersions } from "./post.ts";

/** The strong entity tag of a post: it changes with the post's fields, its publication and the comments that it shows. */
export function postEtag(epoch: string, { version, commentsVersion }: PostVersions): string {
  return entityTag(epoch, version, commentsVersion);
}

/** The strong entity tag of a post's comments. */
export function commentsEtag(
  epoch: string,
  { commentsVersion }: PostVersions,
  origin: readonly string[],
): string {
  return entityTag(epoch, commentsVersion, ...origin);
}

/**
 * Checks the preconditions of a write. A new comment does not fail them: `If-Match` compares the post's own version,
 * `If-None-Match` the whole tag (docs/decisions/004).
 *
 * @throws Refusal `precondition_failed`
 */
export function checkPostPreconditions(request: Request, epoch: string, versions: PostVersions): void {
  checkPreconditions(request, postEtag(epoch, versions), withoutComments);
}

function withoutComments(etag: string): string {
  return etag.replace(/\.\d+"$/, '.*"');
}
