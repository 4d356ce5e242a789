import { decodeIfValid } from "../../text.ts";

/**
 * The name of a file that is no page: the one with which it would be saved, else the last part of its address. Empty if that
 * names no file: an answer of an API has none.
 */
export function fileNameOf(url: URL, headers: Headers, mediaType: string): string {
  const given = nameInDisposition(headers.get("content-disposition") ?? "");
  if (given !== "") return given;
  const last = decodeIfValid(url.pathname.slice(url.pathname.lastIndexOf("/") + 1));
  return mediaType === "application/pdf" || /.\.\w{1,8}$/.test(last) ? last : "";
}

/** The name in a header `Content-Disposition` (RFC 6266), without the folders before it. */
function nameInDisposition(disposition: string): string {
  const [, extended] = /;\s*filename\*\s*=\s*UTF-8'[^']*'([^\s;]+)/i.exec(disposition) ?? [];
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(disposition) ?? [];
  const name =
    extended === undefined ? (quoted?.replace(/\\(.)/g, "$1") ?? bare ?? "") : decodeIfValid(extended);
  return name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
}
