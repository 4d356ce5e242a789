import type { Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import { countCommentsOf } from "./comment-store.ts";

/** @throws Refusal `conflict` if the post has the maximum number of comments */
export async function refuseWhenFull(sql: Sql, postId: number, perPost: number): Promise<void> {
  if ((await countCommentsOf(sql, postId)) >= perPost) throw fullPost(perPost);
}

/** The refusal of another comment on a post that has the maximum number of them. */
export function fullPost(perPost: number): Refusal {
  return new Refusal("conflict", `This post has reached the maximum of ${perPost} comments.`);
}
