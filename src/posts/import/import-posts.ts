import type { Instant, Sql } from "../../database/database.ts";
import { fragment, joined, rowList } from "../../database/fragment.ts";
import type { ImportRun, StagedOfKind } from "../../kept/import-run.ts";
import {
  HIDDEN_THERE,
  type RecordResult,
  type StagedRecord,
  thereAlready,
  type Visibility,
} from "../../kept/staged-record.ts";
import { sitePath } from "../../records/publication-members.ts";
import { PublicationRecord, type RecordOf } from "../../records/record.ts";
import { redirectPath } from "../../records/redirect-path.ts";
import { isSlug, RESERVED_SLUGS, SLUG_MAX, slugFrom } from "../../records/slug.ts";
import { NewPostWords } from "../indexed-posts.ts";
import { collectionOf } from "../post.ts";
import { PostCounts } from "../post-counters.ts";
import { type ImportedPost, insertImportedPosts } from "./insert-imported-posts.ts";
import { makeDrafts } from "./make-drafts.ts";

type PostRecord = RecordOf<"post">;

/**
 * Imports posts. A post counts as existing if two of its title, slug and creation date match those of a post from
 * before the import. If its slug is taken, a number is appended.
 */
export async function importPosts(run: ImportRun, posts: StagedOfKind<PostRecord>): Promise<void> {
  const counts = run.shared(PostCounts);
  run.shared(NewPostWords);
  const ids = await run.ids("posts");
  const knownPosts = new KnownPosts(run.sql, ids.before);
  const hidden: number[] = [];
  await posts.each(async (batch) => {
    await ids.prepare(batch.length);
    await knownPosts.prepare(batch);
    const known = batch.flatMap(({ record }) => knownPosts.find(record) ?? []);
    const madePublic = await findMadePublic(run, known);
    const results: RecordResult[] = [];
    const added: ImportedPost[] = [];
    for (const staged of batch) {
      const same = knownPosts.find(staged.record);
      if (same !== undefined) {
        const isHidden = madePublic.has(same.id) && (await isHiddenThere(run, staged, same));
        if (isHidden) hidden.push(same.id);
        results.push(skipped(run, staged, same, isHidden));
        continue;
      }
      const id = ids.take(staged.wantedId);
      const post = await placed(run, staged, id);
      added.push(post);
      counts.add(collectionOf(post.published), post.createdAt, 1);
      if (staged.ref !== null) run.references.bind("post", staged.ref, run.isDry ? null : id, true);
      results.push({
        position: staged.position,
        outcome: "added",
        reason: visibilityOf(post),
        id: run.isDry ? null : id,
        version: post.version + post.publicationVersion,
        path: pathOf(post, run.isDry),
      });
    }
    if (!run.isDry) await insertImportedPosts(run.sql, added);
    return results;
  });
  if (run.makesDrafts && !run.isDry) await makeDrafts(run.sql, new Set(hidden), run.now, counts);
}

/** A post from before the import. */
interface Known {
  readonly id: number;
  readonly title: string;
  readonly slug: string | null;
  readonly createdAt: number;
  readonly published: boolean;
}

interface KnownRow {
  readonly id: number;
  readonly title: string;
  readonly slug: string | null;
  readonly created_at: Instant;
  readonly published: boolean | number;
}

/** The posts from before the import that its records may be: each is read once, however many records have its title. */
class KnownPosts {
  readonly #sql: Sql;
  /** The last id from before the import. */
  readonly #before: number;
  /** The first post of each title and creation date, of the titles that were looked up and exist. */
  readonly #byTitle = new Map<string, ReadonlyMap<number, Known>>();
  /** The posts with the slugs of the current batch. */
  #bySlug: ReadonlyMap<string | null, Known> = new Map();

  constructor(sql: Sql, before: number) {
    this.#sql = sql;
    this.#before = before;
  }

  /** Reads the posts that the records of a batch may be. */
  async prepare(batch: readonly StagedRecord<PostRecord>[]): Promise<void> {
    if (this.#before === 0) return;
    const titles = new Set(
      batch.map(({ record }) => record.title).filter((title) => !this.#byTitle.has(title)),
    );
    if (titles.size > 0) await this.#readTitles([...titles]);
    const slugs = batch.flatMap(({ record }) => slugOf(record) ?? []);
    this.#bySlug = new Map(slugs.length === 0 ? [] : await this.#readSlugs(slugs));
  }

  /** The post of which at least two of title, slug and creation date match those of a record. */
  find(record: PostRecord): Known | undefined {
    const createdAt = Date.parse(record.created_at);
    const dated = this.#byTitle.get(record.title)?.get(createdAt);
    if (dated !== undefined) return dated;
    const slug = slugOf(record);
    const known = slug === undefined ? undefined : this.#bySlug.get(slug);
    return known?.title === record.title || known?.createdAt === createdAt ? known : undefined;
  }

  async #readTitles(titles: readonly string[]): Promise<void> {
    const rows = await this.#sql<KnownRow>`
      with wanted (title) as (values ${rowList(titles.map((title) => [title]))})
      select id, title, slug, created_at, published from posts
      where published in (${true}, ${false}) and title in (select title from wanted) and id <= ${this.#before}
      order by id`;
    for (const [title, posts] of Map.groupBy(rows.map(knownOf), (known) => known.title))
      this.#byTitle.set(title, new Map(posts.toReversed().map((known) => [known.createdAt, known])));
  }

  async #readSlugs(slugs: readonly string[]): Promise<[string | null, Known][]> {
    const isAny = joined(
      slugs.map((slug) => fragment`slug = ${slug}`),
      fragment` or `,
    );
    const rows = await this.#sql<KnownRow>`
      select id, title, slug, created_at, published from posts where (${isAny}) and id <= ${this.#before}`;
    return rows.map((row) => [row.slug, knownOf(row)]);
  }
}

function knownOf({ id, title, slug, created_at, published }: KnownRow): Known {
  return {
    ...{ id: Number(id), title, slug, published: Boolean(published) },
    createdAt: new Date(created_at).getTime(),
  };
}

/** Those of known posts that an earlier import made public, and that still are. */
async function findMadePublic(run: ImportRun, known: readonly Known[]): Promise<ReadonlySet<number>> {
  const ids = [...new Set(known.flatMap(({ id, published }) => (published ? [id] : [])))];
  if (ids.length === 0 || !run.isForeign) return new Set();
  const rows = await run.sql<{ record_id: number }>`
    select record_id from import_rows
    where record_id in ${ids} and kind = 'post' and outcome = 'added' and reason in ('public', 'scheduled')`;
  return new Set(rows.map(({ record_id }) => Number(record_id)));
}

/** Whether a file hides a post or a part of it that is public here. */
async function isHiddenThere(
  { sql }: ImportRun,
  { record, hides }: StagedRecord<PostRecord>,
  { id }: Known,
): Promise<boolean> {
  if (!record.published) return true;
  if (hides === undefined) return false;
  const [row] = await sql<{ content: string }>`select content from posts where id = ${id}`;
  return row !== undefined && row.content !== record.content;
}

function skipped(
  run: ImportRun,
  staged: StagedRecord<PostRecord>,
  { id, slug }: Known,
  isHidden: boolean,
): RecordResult {
  const { position, ref, record, hides } = staged;
  if (ref !== null) run.references.bind("post", ref, id, false);
  const name = `Post ${id}${slug === null ? "" : ` (${slug})`}`;
  if (!isHidden) return thereAlready(position, `${name} already exists.`, { id });
  const what = record.published ? `the file has ${hides}` : "it is hidden in this file";
  const done = run.makesDrafts ? " It becomes a draft." : "";
  const detail = `${name} was made public by an earlier import, but ${what}.${done}`;
  return { position, outcome: "skipped", reason: HIDDEN_THERE, detail, id };
}

/** The slug of a record, made valid. */
function slugOf({ publication, title }: PostRecord): string | undefined {
  const given = publication?.slug;
  if (given == null) return undefined;
  return isSlug(given) ? given : slugFrom(given) || slugFrom(title) || "post";
}

const NO_PUBLICATION = PublicationRecord.parse({});

async function placed(run: ImportRun, staged: StagedRecord<PostRecord>, id: number): Promise<ImportedPost> {
  const { record, position } = staged;
  const createdAt = new Date(record.created_at);
  const publishedAt =
    record.published_at === null ? (record.published ? createdAt : null) : new Date(record.published_at);
  const { publish_at, canonical_url, ...given } = record.publication ?? NO_PUBLICATION;
  const slug = await freeSlug(run, record, position);
  return {
    ...{
      id,
      title: record.title,
      content: record.content,
      published: record.published,
      createdAt,
      publishedAt,
    },
    updatedAt: new Date(record.updated_at),
    createdBy: run.ownerOf(record.created_by),
    version: record.version,
    ...given,
    link: given.kind === "link" ? given.link : null,
    slug,
    publishAt: publish_at === null || record.published ? null : new Date(publish_at),
    canonicalUrl: canonical_url,
    publicationVersion: record.publication === null ? 0 : 1,
    formerSlugs: record.former_slugs.filter((former) => isSlug(former) && former !== slug),
    redirects: await freeRedirects(run, record, position),
    properties: record.properties,
  };
}

/**
 * The slug of a record, or the first free one with a number appended. Former slugs of posts from before the import are
 * not free; between two posts of one file it stays as the file has it.
 */
async function freeSlug(run: ImportRun, record: PostRecord, position: number): Promise<string | null> {
  const wanted = slugOf(record);
  if (wanted === undefined) return null;
  const { before } = await run.ids("posts");
  // The numbers below the last one are taken: by earlier records, or by posts from before the import.
  for (let number = run.references.nextNumber(wanted); ; number++) {
    const suffix = number === 1 ? "" : `-${number}`;
    const slug = `${[...wanted].slice(0, SLUG_MAX - suffix.length).join("")}${suffix}`;
    if (RESERVED_SLUGS.has(slug) || !run.references.reserve("slugs", slug)) continue;
    const taken = await run.sql`
      select id from posts where slug = ${slug}
      union all select post_id from former_slugs where slug = ${slug} and post_id <= ${before}`;
    if (taken.length > 0) continue;
    run.references.rememberNumber(wanted, number);
    const given = record.publication?.slug;
    if (slug !== given)
      run.note(position, "slug_changed", `The address ends in ${slug} instead of ${given}.`);
    return slug;
  }
}

async function freeRedirects(run: ImportRun, record: PostRecord, position: number): Promise<string[]> {
  const free: string[] = [];
  for (const given of record.redirects) {
    const path = redirectPath(given);
    if (path === undefined || free.includes(path)) continue;
    const isFree =
      run.references.reserve("redirects", path) &&
      (await run.sql`select post_id from redirects where path = ${path}`).length === 0;
    if (isFree) free.push(path);
    else run.note(position, "redirect_taken", `The path ${path} already leads to another post.`);
  }
  return free;
}

function visibilityOf({ published, publishAt }: ImportedPost): Visibility {
  if (published) return "public";
  return publishAt === null ? "draft" : "scheduled";
}

function pathOf(post: ImportedPost, isDry: boolean): string | null {
  return !post.published || (post.slug === null && isDry) ? null : sitePath(post);
}
