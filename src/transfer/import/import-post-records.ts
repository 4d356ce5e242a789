import type { Instant } from "../../database/database.ts";
import { fragment, joined, rowList } from "../../database/fragment.ts";
import { type ImportedPost, insertImportedPosts } from "../../posts/import/insert-imported-posts.ts";
import { collectionOf } from "../../posts/post.ts";
import type { PostCounts } from "../../posts/post-counters.ts";
import { sitePath } from "../../posts/publication/publication.ts";
import { redirectPath } from "../../posts/publication/redirects.ts";
import { isSlug, RESERVED_SLUGS, SLUG_MAX, slugFrom } from "../../posts/publication/slug.ts";
import type { Visibility } from "./import-report.ts";
import type { ImportRun } from "./import-run.ts";
import type { RecordOf } from "./record.ts";
import { type RecordResult, type StagedRecord, thereAlready } from "./staged-record.ts";

/**
 * Imports posts. A post counts as existing if two of its title, slug and creation date match those of a post from
 * before the import. If its slug is taken, a number is appended.
 */
export async function importPostRecords(run: ImportRun, counts: PostCounts): Promise<void> {
  const ids = await run.ids("posts");
  await run.each("post", async (batch) => {
    await ids.prepare(batch.length);
    const known = ids.before === 0 ? [] : await findKnown(run, batch);
    const results: RecordResult[] = [];
    const added: ImportedPost[] = [];
    for (const staged of batch) {
      const same = known.find((other) => isSame(other, staged.record));
      if (same !== undefined) {
        results.push(skipped(run, staged, same));
        continue;
      }
      const id = ids.take(staged.wantedId);
      const post = await placed(run, staged, id);
      added.push(post);
      counts.add(collectionOf(post.published), post.createdAt, 1);
      if (staged.ref !== null) run.staged.references.bind("post", staged.ref, run.isDry ? null : id, true);
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
}

/** A post from before the import. */
interface Known {
  readonly id: number;
  readonly title: string;
  readonly slug: string | null;
  readonly createdAt: number;
}

interface KnownRow {
  readonly id: number;
  readonly title: string;
  readonly slug: string | null;
  readonly created_at: Instant;
}

async function findKnown({ sql }: ImportRun, batch: readonly StagedRecord<"post">[]): Promise<Known[]> {
  const titles = batch.map(({ record }) => [record.title]);
  const byTitle = await sql<KnownRow>`
    with wanted (title) as (values ${rowList(titles)})
    select id, title, slug, created_at from posts
    where published in (${true}, ${false}) and title in (select title from wanted)`;
  const slugs = batch.flatMap(({ record }) => slugOf(record) ?? []);
  const bySlug =
    slugs.length === 0
      ? []
      : await sql<KnownRow>`
          select id, title, slug, created_at from posts where ${anyOf(slugs)}`;
  return [...byTitle, ...bySlug].map(({ id, title, slug, created_at }) => ({
    ...{ id: Number(id), title, slug },
    createdAt: new Date(created_at).getTime(),
  }));
}

function anyOf(slugs: readonly string[]) {
  return joined(
    slugs.map((slug) => fragment`slug = ${slug}`),
    fragment` or `,
  );
}

function isSame(known: Known, record: RecordOf<"post">): boolean {
  const slug = slugOf(record);
  const agree = [
    known.title === record.title,
    slug !== undefined && known.slug === slug,
    known.createdAt === Date.parse(record.created_at),
  ];
  return agree.filter((is) => is).length >= 2;
}

function skipped(run: ImportRun, { position, ref }: StagedRecord<"post">, { id, slug }: Known): RecordResult {
  if (ref !== null) run.staged.references.bind("post", ref, id, false);
  const detail = `Post ${id}${slug === null ? "" : ` (${slug})`} already exists.`;
  return thereAlready(position, detail, { id });
}

/** The slug of a record, made valid. */
function slugOf({ publication, title }: RecordOf<"post">): string | undefined {
  const given = publication?.slug;
  if (given == null) return undefined;
  return isSlug(given) ? given : slugFrom(given) || slugFrom(title) || "post";
}

async function placed(run: ImportRun, staged: StagedRecord<"post">, id: number): Promise<ImportedPost> {
  const { record, position } = staged;
  const createdAt = new Date(record.created_at);
  const publishedAt =
    record.published_at === null ? (record.published ? createdAt : null) : new Date(record.published_at);
  const given = record.publication;
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
    kind: given?.kind ?? "post",
    link: given?.kind === "link" ? given.link : null,
    slug,
    summary: given?.summary ?? null,
    tags: given?.tags ?? [],
    publishAt: given?.publish_at == null || record.published ? null : new Date(given.publish_at),
    language: given?.language ?? null,
    image: given?.image ?? null,
    canonicalUrl: given?.canonical_url ?? null,
    publicationVersion: given === null ? 0 : 1,
    formerSlugs: record.former_slugs.filter((former) => isSlug(former) && former !== slug),
    redirects: await freeRedirects(run, record, position),
    properties: record.properties,
  };
}

/**
 * The slug of a record, or the first free one with a number appended. Former slugs of posts from before the import are
 * not free; between two posts of one file it stays as the file has it.
 */
async function freeSlug(run: ImportRun, record: RecordOf<"post">, position: number): Promise<string | null> {
  const wanted = slugOf(record);
  if (wanted === undefined) return null;
  const { before } = await run.ids("posts");
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? "" : `-${number}`;
    const slug = `${[...wanted].slice(0, SLUG_MAX - suffix.length).join("")}${suffix}`;
    if (RESERVED_SLUGS.has(slug) || !run.staged.references.reserve("slugs", slug)) continue;
    const taken = await run.sql`
      select id from posts where slug = ${slug}
      union all select post_id from former_slugs where slug = ${slug} and post_id <= ${before}`;
    if (taken.length > 0) continue;
    const given = record.publication?.slug;
    if (slug !== given)
      run.note(position, "slug_changed", `The address ends in ${slug} instead of ${given}.`);
    return slug;
  }
}

async function freeRedirects(run: ImportRun, record: RecordOf<"post">, position: number): Promise<string[]> {
  const free: string[] = [];
  for (const given of record.redirects) {
    const path = redirectPath(given);
    if (path === undefined || free.includes(path)) continue;
    const isFree =
      run.staged.references.reserve("redirects", path) &&
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
