import { isReadable } from "../text.ts";
import { blog } from "../web/messages/en/blog.ts";

/** The title of a post as pages and feeds show it: one in which nobody sees anything would leave a link without words. */
export function shownTitle(title: string): string {
  return isReadable(title) ? title : blog.write.untitled;
}
