import { StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";
import type { RecordLocation } from "../../records/record.ts";
import { type FileTree, readTreeFile } from "../files/file-tree.ts";
import { beginningOf } from "../files/single-file.ts";
import { addForeignPost, type ForeignPost } from "../foreign-records.ts";
import { withoutTemplates } from "../markdown/body.ts";
import { FrontMatterError, frontMatterOf } from "../markdown/front-matter.ts";
import { dateOf, lineOf, webUrlOf } from "../reading/foreign-values.ts";
import type { Mark, Words } from "../reading/foreign-visibility.ts";
import { Tally } from "../reading/tally.ts";
import type { Staging } from "../staging.ts";

/** The maximum size of a file, in bytes. */
const FILE_MAX = 64 * 1024 * 1024;
/** The number of bytes inspected to detect the format. */
const BEGINNING = 64 * 1024;

type Members = Readonly<Record<string, unknown>>;

/** A post in JSON whose text is Markdown. */
interface JsonPost extends Pick<ForeignPost, "oldPath" | "name" | "author" | "image"> {
  readonly members: Members;
  readonly title: string;
  readonly text: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  /** What says who sees it, besides its members. */
  readonly marks: readonly Mark[];
  readonly dates: readonly Mark[];
  readonly updated: unknown;
}

/** A program that exports its posts as JSON. */
interface JsonFormat {
  readonly name: "writefreely" | "forem";
  readonly schedules: boolean;
  readonly words: Words;
  isIt(beginning: string): boolean;
  posts(document: unknown): readonly JsonPost[];
}

const writefreely: JsonFormat = {
  name: "writefreely",
  schedules: true,
  words: {},
  isIt: (beginning) =>
    /^\s*\{/.test(beginning) && /"collections"\s*:\s*\[\s*\{\s*"alias"\s*:/.test(beginning),
  posts(document) {
    const { username, collections, posts: anonymous } = membersOf(document);
    const author = textOf(username);
    const post = (members: Members, marks: readonly Mark[], folder: string): JsonPost => {
      const slug = textOf(members.slug) || textOf(members.id);
      return {
        ...{ members, author, marks, title: textOf(members.title), text: textOf(members.body), name: slug },
        ...{ oldPath: `${folder}/${slug}`, tags: textsOf(members.tags), updated: members.updated },
        dates: [{ name: "created", value: members.created }],
      };
    };
    return [
      ...listOf(collections).flatMap((blog) => {
        const { posts, ...rest } = blog;
        const marks = [
          { name: "public", value: rest.public ?? "not said", from: `the blog “${textOf(rest.alias)}”` },
        ];
        return listOf(posts).map((each) => post(each, marks, `/${textOf(rest.alias)}`));
      }),
      // Only those who know their addresses see them.
      ...listOf(anonymous).map((each) =>
        post(each, [{ name: "in no blog", value: undefined, hides: true }], ""),
      ),
    ];
  },
};

const forem: JsonFormat = {
  name: "forem",
  schedules: true,
  words: {},
  isIt: (beginning) => /^\s*\[\s*\{/.test(beginning) && /"body_markdown"\s*:/.test(beginning),
  posts: (document) =>
    listOf(document).map((members) => {
      const { front, marks, text } = withoutFrontMatter(textOf(members.body_markdown));
      const path = textOf(members.path);
      return {
        ...{ members, text, updated: members.edited_at, oldPath: path, name: textOf(members.slug) },
        title: textOf(members.title) || textOf(front.title),
        summary: textOf(members.description),
        tags: [...textsOf(members.tag_list ?? members.cached_tag_list), ...textsOf(members.tags)],
        marks: [...marks, { name: "published", value: members.published ?? "not said" }],
        dates: [{ name: "published_at", value: members.published_at ?? front.date ?? undefined }],
        image: webUrlOf(members.main_image ?? members.cover_image),
        author: textOf(members.cached_user_username ?? membersOf(members.user).username),
      };
    }),
};

/** A text may begin with front matter, whose members count, too. */
function withoutFrontMatter(given: string): {
  readonly front: Members;
  readonly marks: readonly Mark[];
  readonly text: string;
} {
  try {
    const { members: front = {}, content } = frontMatterOf(given);
    return { front, marks: marksOf(front), text: content };
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error;
    return {
      front: {},
      marks: [{ name: "front matter that cannot be read", value: undefined, hides: true }],
      text: given,
    };
  }
}

const FORMATS = [writefreely, forem];

/** Files of posts in JSON, and the program that they are of. */
export interface JsonPosts {
  readonly paths: readonly string[];
  readonly format: JsonFormat;
}

/** The files of posts in JSON in an archive or folder, all of the program of the first one. */
export async function findJsonPosts(tree: FileTree): Promise<JsonPosts | undefined> {
  const found: { readonly path: string; readonly format: JsonFormat }[] = [];
  for (const path of tree.sizes.keys()) {
    if (tree.sizes.size > 1 && !path.endsWith(".json")) continue;
    const beginning = await beginningOf(tree, path, BEGINNING);
    const format = FORMATS.find((each) => each.isIt(beginning));
    if (format !== undefined) found.push({ path, format });
  }
  const [first] = found;
  if (first === undefined) return undefined;
  const { format } = first;
  return {
    format,
    paths: found
      .filter((each) => each.format === format)
      .map(({ path }) => path)
      .toSorted(),
  };
}

/**
 * Reads posts in JSON.
 * @throws StartError when a file is not valid
 */
export async function readJsonPosts(
  tree: FileTree,
  { paths, format }: JsonPosts,
  records: Staging,
  now: Date,
): Promise<void> {
  const tags = new Tally();
  for (const path of paths) {
    let line = 0;
    for (const post of format.posts(await documentOf(tree, path)))
      addPost(records, post, { format, location: { file: path, line: ++line }, now, tags });
  }
  tags.report(records, "shortcode", (name, posts) => `The tag “${name}” stays as it is in ${posts}.`);
}

function addPost(
  records: Staging,
  { members, text, updated, marks, dates, title, summary = "", ...post }: JsonPost,
  {
    format,
    location,
    now,
    tags,
  }: {
    readonly format: JsonFormat;
    readonly location: RecordLocation;
    readonly now: Date;
    readonly tags: Tally;
  },
): void {
  const { content, limiting, unknown } = withoutTemplates(text);
  for (const name of unknown) tags.add(name, location);
  addForeignPost(
    records,
    {
      ...{ ...post, location, summary, html: content, isMarkdown: true, source: [title, text] },
      title: lineOf(title, 500) || lineOf(/^[#>\s*_-]{0,99}(.{0,200})/.exec(content)?.[1] ?? "", 60),
      updated: dateOf(updated),
      seen: {
        marks: [
          ...marksOf(members),
          ...marks,
          ...limiting.map((value) => ({ name: "a part", value, hides: true })),
        ],
        ...{ words: format.words, dates, schedules: format.schedules },
      },
    },
    now,
  );
}

/** Members with the words of a post. */
const OTHERS = /^(?:body|body_markdown|processed_html|title|description)$/;

function marksOf(members: Members): readonly Mark[] {
  return Object.entries(members).flatMap(([name, value]) => (OTHERS.test(name) ? [] : [{ name, value }]));
}

async function documentOf(tree: FileTree, path: string): Promise<unknown> {
  const bytes = await readTreeFile(tree, path, FILE_MAX);
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new StartError(`${printable(path)} is not valid JSON. Nothing was imported.`, 2, error);
  }
}

function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null ? (value as Members) : {};
}

function listOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.map(membersOf) : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A list of texts, or one with commas between them. */
function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(textOf);
  return textOf(value)
    .split(",")
    .map((text) => text.trim());
}
