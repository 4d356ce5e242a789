import { isSlug, slugFrom } from "../../records/slug.ts";
import { lineOf } from "../reading/foreign-values.ts";
import type { PostFile } from "./post-files.ts";

/**
 * The title from the front matter, or the heading at the start of the text, which is removed from it, or the name
 * of the file.
 */
export function titleOf(
  given: string | undefined,
  text: string,
  { name }: PostFile,
): { title: string; content: string } {
  if (given !== undefined && given.trim() !== "") return { title: lineOf(given, 500), content: text };
  const heading = /^\s*#[ \t]+([^\r\n]+)\r?\n?/.exec(text);
  const words = heading?.[1]?.slice(0, 2_000).trim().replace(/\s#+$/, "") ?? "";
  if (heading !== null && words !== "")
    return { title: lineOf(words, 500), content: text.slice(heading[0].length) };
  const isDate = /^\d{4}-\d{1,2}-\d{1,2}$/.test(name);
  const spaced = isDate ? name : name.replaceAll(/[-_]+/g, " ").trim();
  return {
    title: lineOf(spaced.charAt(0).toUpperCase() + spaced.slice(1), 500) || "Untitled",
    content: text,
  };
}

/** The last part of a path, usually the slug; undefined for a pattern. */
export function lastSegment(address: string | undefined): string | undefined {
  if (address === undefined || /[:{]/.test(address)) return undefined;
  return pathOf(address)
    .replace(/(?:\/index)?\.html?$/, "")
    .split("/")
    .filter((part) => part !== "")
    .at(-1);
}

/** The path of a URL on the old site. */
export function pathOf(address: string): string {
  const path = URL.parse(address)?.pathname ?? address;
  return path.startsWith("/") ? path : `/${path}`;
}

/** A slug made from the name, or from the title if the name has no letters or digits. */
export function slugOf(name: string, title: string): string {
  if (isSlug(name)) return name;
  return slugFrom(name) || slugFrom(title) || "post";
}
