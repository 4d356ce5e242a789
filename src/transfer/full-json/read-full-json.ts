import { StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";
import {
  type JsonItem,
  type JsonObject,
  type JsonPosition,
  JsonWalk,
  KEPT_MAX,
  type Treatment,
} from "../../readers/bookmarks/json/json-walk.ts";
import { type FileTree, type RandomBytes, utf8Pieces } from "../../readers/files/file-tree.ts";
import { RawItems } from "../../readers/reading/raw-items.ts";
import type { UncheckedRecord } from "../../readers/staging.ts";
import type { RecordKind } from "../../records/record.ts";
import { slugFrom } from "../../records/slug.ts";
import type { StagedRecords } from "../import/staged-records.ts";

/** The number of bytes searched at once. */
const PIECE = 256 * 1024;
/** The number of bytes before a chunk that are searched with it. */
const OVERLAP = 64;

/**
 * Whether a file is our own JSON with posts or marks. Without these, it is handled as a file of bookmarks.
 * @param beginning its first characters
 */
export function isFullJson(beginning: string, bytes: RandomBytes): boolean {
  return /^\ufeff?\s*\{\s*"program"\s*:\s*"commonplace"/.test(beginning) && hasMore(bytes);
}

/** Inside a string, quotation marks are escaped, so every match is a member. */
function hasMore(bytes: RandomBytes): boolean {
  const buffer = Buffer.alloc(PIECE);
  for (let position = 0; ; position += PIECE - OVERLAP) {
    const length = bytes.readAt(buffer, position);
    if (length === 0) return false;
    if (/"(?:posts|marks)"\s*:\s*\[\s*\{/.test(buffer.toString("latin1", 0, length))) return true;
  }
}

/**
 * Reads the bookmarks, posts, comments and marks of our own JSON, in constant memory. Records keep their ids.
 * @throws StartError when it is not JSON
 */
export async function readFullJson(tree: FileTree, path: string, records: StagedRecords): Promise<void> {
  using comments = new RawItems();
  const reader = new Reader(path, records, comments);
  // A post may be longer than a field of a bookmark: all of it is read, or the file is refused.
  const walk = new JsonWalk(reader, KEPT_MAX);
  const write = (text: string) => {
    // Line by line, so that each record has a line number.
    for (const part of text.split(/(?<=\n)/)) {
      walk.write(part);
      if (walk.syntaxError !== null) return;
      if (part.endsWith("\n")) reader.line++;
    }
  };
  for await (const piece of utf8Pieces(tree, path)) {
    write(piece);
    if (walk.syntaxError !== null) break;
  }
  const syntaxError = walk.end();
  if (syntaxError !== null)
    throw new StartError(`${printable(path)}, line ${reader.line}: ${syntaxError}. Nothing was imported.`, 2);
  // Ordered by id, since an id below an earlier one cannot be kept.
  for await (const comment of comments.ranked<UncheckedRecord<"comment">>("comment"))
    records.add("comment", comment);
}

/** The lists of the document, with the kinds of their records. */
const LISTS: Readonly<Record<string, ListedKind>> = { bookmarks: "bookmark", posts: "post", marks: "mark" };
type ListedKind = RecordKind | "mark";

class Reader {
  readonly #path: string;
  readonly #records: StagedRecords;
  readonly #comments: RawItems;
  #kind: ListedKind = "bookmark";
  /** The current line, from 1. */
  line = 1;

  constructor(path: string, records: StagedRecords, comments: RawItems) {
    this.#path = path;
    this.#records = records;
    this.#comments = comments;
  }

  treat({ within, outer, isArray, name }: JsonPosition): Treatment {
    if (within === null) return "walk";
    if (within === "item") return isArray && name === "comments" && this.#kind === "post" ? "walk" : "keep";
    if (outer?.isArray) return "item";
    const kind = isArray && name !== null && Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;
    if (kind === undefined) return "skip";
    this.#kind = kind;
    return "walk";
  }

  onItem({ number, parent, members }: JsonItem): void {
    // A comment is complete before its post is.
    if (parent !== null) {
      const comment = this.#given<"comment">(members, {
        ref: String(members.id),
        parent: String(parent.number),
      });
      this.#comments.add("comment", comment, { rank: comment.id ?? 0 });
    } else if (this.#kind === "mark") {
      const { bookmark, ...mark } = members;
      const of = typeof bookmark === "number" ? String(bookmark) : null;
      this.#records.addLine("mark", this.#given(mark, { parent: of }));
    } else if (this.#kind === "bookmark") {
      // Marks name it by its id.
      const given = this.#given<"bookmark">(members, {});
      this.#records.add("bookmark", { ...given, ...(given.id !== undefined && { ref: String(given.id) }) });
    } else {
      this.#records.add(this.#kind, this.#given(published(members), { ref: String(number) }));
    }
  }

  #given<K extends RecordKind>(
    { id, ...record }: JsonObject,
    of: { readonly ref?: string; readonly parent?: string | null },
  ): UncheckedRecord<K> {
    return {
      record: record as unknown as UncheckedRecord<K>["record"],
      location: { file: this.#path, line: this.line },
      id: Number.isSafeInteger(id) && Number(id) > 0 ? Number(id) : undefined,
      ...of,
    };
  }
}

/** A post in an old document without publications. */
function published(post: JsonObject): JsonObject {
  if (post.publication !== undefined) return post;
  const slug = slugFrom(typeof post.title === "string" ? post.title : "") || "post";
  return { ...post, publication: post.published === true ? { slug } : null };
}
