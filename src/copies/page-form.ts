import { Refusal } from "../errors.ts";
import type { BodyDecoder } from "../http/body/body-decoders.ts";
import { MULTIPART_BODY } from "../http/body/body-decoders.ts";

/** Parts of a form, and bytes of what stands before the content of one, and of a field that is no file. */
const PARTS_MAX = 100;
const HEAD_MAX = 8 * 1024;
const FIELD_MAX = 64 * 1024;

const NOTHING = new Uint8Array();
const contents = new WeakMap<File, Uint8Array>();

/** The bytes of a file of such a form: a part of the body, without a copy. */
export function contentOf(file: File): Uint8Array {
  return contents.get(file) ?? NOTHING;
}

/**
 * A form with a page as one of its files (RFC 7578). Unlike the decoder of other forms, it copies no file: a page may be large, and
 * is in memory several times anyway until it is kept. The files are stand-ins, whose bytes {@link contentOf} has. Of a name that
 * is repeated, the last counts.
 */
export const PAGE_FORM: BodyDecoder = {
  mediaType: MULTIPART_BODY.mediaType,
  decode: (bytes, request) => fieldsOf(bytes, request.headers.get("content-type") ?? ""),
};

function fieldsOf(bytes: Uint8Array, contentType: string): Record<string, string | File> {
  const [, quoted, bare] = /;\s*boundary\s*=\s*(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) throw malformed();
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const fields = new Map<string, string | File>();
  const first = delimiter.subarray(2);
  const before = body.subarray(0, first.length).equals(first) ? -2 : body.indexOf(delimiter);
  if (before === -1) throw malformed();
  let at = before + delimiter.length;
  for (let count = 0; ; count++) {
    if (body.subarray(at, at + 2).toString("latin1") === "--") return Object.fromEntries(fields);
    if (count === PARTS_MAX) throw new Refusal("malformed", "The form has too many fields.");
    const line = body.indexOf("\r\n", at);
    const end = line === -1 ? -1 : body.indexOf(delimiter, line);
    if (end === -1 || body.subarray(at, line).toString("latin1").trim() !== "") throw malformed();
    addPart(fields, body.subarray(line, end));
    at = end + delimiter.length;
  }
}

/** @param part from the line break before its first header to the one after its content */
function addPart(fields: Map<string, string | File>, part: Buffer): void {
  const gap = part.subarray(0, HEAD_MAX).indexOf("\r\n\r\n");
  if (gap === -1) throw malformed();
  const head = part.subarray(0, gap).toString("utf8");
  const content = part.subarray(gap + 4);
  const [, disposition] = /\r\ncontent-disposition:([^\r\n]*)/i.exec(head) ?? [];
  const name = disposition === undefined ? undefined : parameter(disposition, "name");
  if (disposition === undefined || name === undefined) throw malformed();
  const fileName = parameter(disposition, "filename");
  if (fileName === undefined) {
    if (content.length > FIELD_MAX) throw new Refusal("malformed", `The field ${name} is too long.`);
    fields.set(name, textOf(content));
    return;
  }
  const [, type = ""] = /\r\ncontent-type:[ \t]*([^\r\n]*)/i.exec(head) ?? [];
  const file = new File(content.length === 0 ? [] : ["-"], fileName, { type });
  contents.set(file, content);
  fields.set(name, file);
}

function parameter(disposition: string, name: string): string | undefined {
  const [, quoted, bare] =
    new RegExp(`;[ \\t]*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, "i").exec(disposition) ?? [];
  return quoted ?? bare;
}

function textOf(content: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw new Refusal("malformed", "The body is not UTF-8.");
  }
}

function malformed(): Refusal {
  return new Refusal("malformed", "The body is not multipart/form-data.");
}
