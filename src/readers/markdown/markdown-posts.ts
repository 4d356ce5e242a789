import { posix } from "node:path";
import { beginOfDay, localDate, type SiteZone } from "../../decoding/foreign-dates.ts";
import type { PostKind } from "../../records/publication-members.ts";
import { sitePath } from "../../records/publication-members.ts";
import type { RecordLocation } from "../../records/record.ts";
import { RESERVED_SLUGS, SLUG_MAX } from "../../records/slug.ts";
import type { FileTree } from "../files/file-tree.ts";
import { isEmptyContent } from "../html/empty-content.ts";
import { ArchivePictures } from "../pictures/archive-pictures.ts";
import { LINKS_STAY, MissingPictures, NO_COVER } from "../pictures/missing-pictures.ts";
import { languageOf, lineOf, storable, tagsFrom, webUrlOf } from "../reading/foreign-values.ts";
import {
  type ForeignVisibility,
  isUndated,
  type Mark,
  PUBLICATION_DATES,
  visibilityOf,
} from "../reading/foreign-visibility.ts";
import { Tally } from "../reading/tally.ts";
import type { Staging } from "../staging.ts";
import { imagePathCandidates, imagePathOf, readText, rewritePictures, withoutTemplates } from "./body.ts";
import { withoutComments } from "./comments.ts";
import type { FrontMatter } from "./front-matter.ts";
import { publicationDate, splitDates, whyNotForReaders, wordsOf } from "./hidden-posts.ts";
import { type HugoSettings, hugoPath } from "./hugo-permalinks.ts";
import { effectiveMarks, type MarksOf, ownMarks } from "./inherited/inherited-marks.ts";
import { asProperties, dayOf, Members, textOf, withPlainDate } from "./members.ts";
import { formerPaths, redirectsTo } from "./permalinks.ts";
import type { PostFile } from "./post-files.ts";
import { PostLinks } from "./post-links.ts";
import { lastSegment, pathOf, slugOf, titleOf } from "./titles-and-slugs.ts";

/** Members about the layout of another program. */
const OF_GENERATORS = [
  "templateEngineOverride",
  "eleventyComputed",
  "eleventyNavigation",
  "render_with_liquid",
];

/** Properties of the whole folder or archive. */
export interface MarkdownSite {
  readonly tree: FileTree;
  /** The common folder of all files, with its slash, or empty. */
  readonly top: string;
  readonly isJekyll: boolean;
  readonly isHugo: boolean;
  /** Whether it is a vault of Obsidian. */
  readonly isVault: boolean;
  /** The permalink of Jekyll's posts. */
  readonly permalink: string;
  readonly hugo: HugoSettings;
  /** Its time zone, if its settings say it. */
  readonly zone: SiteZone | undefined;
  /** Tags of posts that the site encrypts. */
  readonly encrypted: ReadonlySet<string>;
  readonly marksOf: MarksOf;
}

/** Converts Markdown files to posts. */
export class MarkdownPosts {
  readonly #site: MarkdownSite;
  readonly #records: Staging;
  readonly #now: Date;
  readonly #pictures: ArchivePictures;
  readonly #missing = new MissingPictures();
  readonly #missingCovers = new MissingPictures();
  readonly #unknownMembers = new Tally();
  readonly #shortcodes = new Tally();
  readonly #components = new Tally();
  readonly #undated = new Tally();
  readonly #notForReaders = new Tally();
  readonly #inherited = new Tally();
  readonly #comments = new Tally();
  readonly #links = new PostLinks();
  readonly #lostLinks = new Tally();
  /** The last number behind each slug of these files; 1 without one. */
  readonly #slugs = new Map<string, number>();
  /** All paths by the names of their files. */
  #byName: ReadonlyMap<string, string> | undefined;

  constructor(site: MarkdownSite, records: Staging, now: Date) {
    this.#site = site;
    this.#records = records;
    this.#now = now;
    this.#pictures = new ArchivePictures(site.tree, records, now);
  }

  /** Adds the notes that apply to several posts. */
  report(): void {
    this.#links.join(this.#records, this.#shortcodes, this.#lostLinks);
    this.#lostLinks.reportTogether(
      this.#records,
      "link_lost",
      (targets) => `Links to files that are no posts here stay as they are: ${targets}.`,
    );
    this.#missing.report(this.#records, LINKS_STAY);
    this.#missingCovers.report(this.#records, NO_COVER);
    this.#unknownMembers.report(
      this.#records,
      "member_kept",
      (name, posts) => `“${name}” is not supported; it is stored with ${posts}, and exported again.`,
    );
    this.#shortcodes.report(
      this.#records,
      "shortcode",
      (name, posts) => `The shortcode or tag “${name}” stays visible as it is in ${posts}.`,
    );
    this.#components.report(
      this.#records,
      "shortcode",
      (name, posts) => `The component “${name}” of MDX is not shown; it stays in the text of ${posts}.`,
    );
    this.#undated.report(
      this.#records,
      "date_missing",
      (_, posts) => `Without a date: ${posts}. The import time is used instead.`,
    );
    this.#notForReaders.report(
      this.#records,
      "not_public",
      (why, posts) => `Not published, but drafts: ${posts}, since ${why}.`,
    );
    this.#comments.report(
      this.#records,
      "not_public",
      (kind, posts) => `Left out, since no visitor saw it: comments (“${kind}”) of ${posts}.`,
    );
    this.#inherited.report(
      this.#records,
      "not_public",
      (why, posts) => `Not published, but drafts: ${posts} that ${inNumber(why, posts)}.`,
    );
  }

  /** Converts a file to a post. @param isOfList whether its members are of a list of Buttondown's emails */
  async add(
    file: PostFile,
    { members: stated, content, isProgram = false }: FrontMatter,
    location: RecordLocation,
    isOfList = false,
  ): Promise<void> {
    const given = stated && withPlainDate(stated);
    const members = new Members(given ?? {});
    members.take(...OF_GENERATORS);
    if (isProgram)
      this.#records.note({
        ...location,
        code: "front_matter",
        detail: "Its front matter is a program in JavaScript, which is not read.",
      });
    const isMdx = /\.mdx$/i.test(file.path);
    const { text: written, kinds: comments } = withoutComments(content, isMdx);
    for (const kind of comments) this.#comments.add(kind, location);
    const { title, content: untitled } = titleOf(members.takeText("title", "name", "subject"), written, file);
    const body = withoutTemplates(untitled, (name) => this.#pathOfEmbed(name), isMdx);
    for (const name of body.unknown) this.#shortcodes.add(name, location);
    for (const name of body.components) this.#components.add(name, location);
    const isFilled = file.isPage && body.unknown.includes("for");
    const notForReaders = isFilled
      ? "templates fill part of them"
      : this.#whyNotForReaders(given, members, body.hasNoteLinks);

    const { others, dates } = splitDates(this.#marksOf(file, given));
    const isEmail = isOfList || members.peek("subject") !== undefined;
    const dated = members.take(...PUBLICATION_DATES);
    const { zone } = this.#site;
    const updated = members.takeDate(
      ["lastmod", "updated", "updatedDate", "modDatetime", "last_modified_at", "modified", "dateModified"],
      zone,
    );
    const ofFile = file.date && beginOfDay(file.date, zone);
    const ofName = ofFile === undefined ? [] : [{ name: "file name", value: ofFile }];
    const allDates = isUndated(dates) ? ofName : dates;
    const date = publicationDate(dates, others, zone) ?? ofFile ?? this.#now;
    if (date === this.#now && isUndated(allDates)) this.#undated.add("", location);
    const ofParts = body.limiting.slice(0, 1).map((value) => ({ name: "a part", value, hides: true }));
    const seen = visibilityOf({
      ...{
        marks: [...others, ...ofParts],
        words: wordsOf(isEmail),
        dates: allDates,
        schedules: true,
        now: this.#now,
        zone,
      },
    });
    // What only says when it was public has no mark that hides it.
    for (const name of ["draft", "status", "published", "publish", "email_type"]) members.take(name);

    const layout = members.takeText("layout");
    const type = members.takeText("type");
    const link = webUrlOf(members.take("link", "external_url", "link_url"));
    // Such as Hugo's `content/about.md`.
    const isLonePage = this.#site.isHugo && file.section === "" && date === this.#now;
    const isPage = type === "page" || ((file.isPage || isLonePage) && layout !== "post" && type !== "post");
    const kind: PostKind = isPage ? "page" : link === null ? "post" : "link";

    const address = members.takeText("permalink", "url");
    const asked = members.takeText("slug");
    const slug = this.#freeSlug(slugOf(asked ?? lastSegment(address) ?? file.name, title), location);
    const categories = members.takeList("categories", "category");
    const tags = this.#tagsOf(members, categories);
    const aliases = members.takeList("aliases", "alias", "redirect_from");

    const picture = members.take(
      "image",
      "cover",
      "heroImage",
      "featured_image",
      "featuredImage",
      "thumbnail",
      "ogImage",
      "images",
      "header",
    );
    const summary = members.takeText("description", "summary", "excerpt", "subtitle");
    const { isJekyll, permalink } = this.#site;
    const local = localDate(date, zone);
    const day = dayOf(dated) ?? local.toISOString().slice(0, 10);
    const { hugo, isHugo } = this.#site;
    const patterned = hugoPath(hugo.permalinks, { file, title, slug: asked, day });
    const old = formerPaths(file, {
      date: local,
      categories,
      address,
      asked,
      isJekyll,
      permalink,
      patterned,
    });
    const isTranslation = isHugo && file.language !== undefined && file.language !== hugo.language;
    const prefix = isTranslation ? `/${file.language}` : "";
    const image = await this.#imageOf(picture, file, location);
    const shown = await rewritePictures(body.content, (found) => this.#pictureAt(found, file, location));
    const isEmpty = image === null && kind !== "link" && isEmptyContent(shown);
    const visibility = this.#visibilityOf(seen, { title, file, notForReaders, isEmpty }, location);
    const published = visibility.is === "public";
    const redirects = published
      ? redirectsTo({ kind, slug }, [...aliases, ...old.map((path) => prefix + path)])
      : [];
    const publication = {
      ...{ kind, slug, tags, image, link: kind === "link" ? link : null },
      summary: summary === undefined || summary.trim() === "" ? null : lineOf(summary, 1_000),
      publish_at: visibility.is === "scheduled" ? visibility.at.toISOString() : null,
      language: languageOf(members.take("lang", "language", "locale") ?? file.language),
      canonical_url: webUrlOf(members.take("canonical_url", "canonical", "canonicalLink")),
    };
    const { rest } = members;
    for (const name of Object.keys(rest)) this.#unknownMembers.add(name, location);
    // Only a scheduled post may have a future date.
    const created = date > this.#now ? this.#now : date;
    const isAdded = this.#records.add("post", {
      location,
      source: [readText(written, isMdx)],
      ...(comments.length > 0 && { hides: `comments that are not shown there: ${comments.join(", ")}` }),
      record: {
        ...{ title, content: storable(shown).replace(/^\s*\n/, ""), published, publication, redirects },
        properties: asProperties(rest),
        created_at: created.toISOString(),
        updated_at: (updated ?? created).toISOString(),
        published_at: published ? date.toISOString() : null,
      },
    });
    if (!isAdded) return;
    this.#links.add({
      ...{ position: this.#records.total, path: location.file.slice(this.#site.top.length), title, location },
      here: sitePath({ id: 0, kind, slug }),
      old: [...old.map((path) => prefix + path), ...aliases].map(pathOf),
      references: body.references,
    });
  }

  /** A slug that no other of these files has, so that links lead to the right one. */
  #freeSlug(wanted: string, location: RecordLocation): string {
    let number = this.#slugs.get(wanted) ?? (RESERVED_SLUGS.has(wanted) ? 1 : 0);
    let slug = wanted;
    do {
      number++;
      slug =
        number === 1 ? wanted : `${[...wanted].slice(0, SLUG_MAX - `-${number}`.length).join("")}-${number}`;
    } while (number > 1 && this.#slugs.has(slug));
    this.#slugs.set(wanted, number);
    if (slug === wanted) return slug;
    this.#slugs.set(slug, 1);
    const detail = `The address ends in ${slug} instead of ${wanted}.`;
    this.#records.note({ ...location, code: "slug_changed", detail });
    return slug;
  }

  /** The marks of a file: those of its front matter, and those that it inherits. */
  #marksOf({ path }: PostFile, given: Readonly<Record<string, unknown>> = {}): readonly Mark[] {
    const { encrypted, marksOf } = this.#site;
    const tags = encrypted.size === 0 ? [] : new Members(given).takeList("tags", "tag");
    const tag = tags.find((each) => encrypted.has(each));
    const ofTag =
      tag === undefined ? [] : [{ name: "encrypt", value: tag, from: "_config.yml", hides: true }];
    return effectiveMarks(ownMarks(given), [...marksOf(path), ...ofTag]);
  }

  /** Who sees a post, with a note why others than before do not. */
  #visibilityOf(
    seen: ForeignVisibility,
    {
      title,
      file: { isDraft },
      notForReaders,
      isEmpty,
    }: {
      readonly title: string;
      readonly file: PostFile;
      readonly notForReaders: string | undefined;
      readonly isEmpty: boolean;
    },
    location: RecordLocation,
  ): ForeignVisibility {
    const draft = { is: "draft", why: "" } as const;
    if (seen.is === "draft" || seen.is === "left out") {
      if (seen.is === "draft" && seen.isInherited) this.#inherited.add(seen.why, location);
      else if (seen.why !== "") this.#note(title, seen.why, location);
      return draft;
    }
    if (isDraft) return draft;
    if (notForReaders !== undefined) {
      this.#notForReaders.add(notForReaders, location);
      return draft;
    }
    if (!isEmpty) return seen;
    this.#note(title, "has no text", location);
    return draft;
  }

  #note(title: string, why: string, location: RecordLocation): void {
    const detail = `“${title}” ${why}: it becomes a draft.`;
    this.#records.note({ ...location, code: "not_public", detail });
  }

  #whyNotForReaders(given: unknown, members: Members, hasNoteLinks: boolean): string | undefined {
    const { isHugo, isJekyll, isVault } = this.#site;
    const isOfSite = isHugo || isJekyll;
    const isNote = isVault || hasNoteLinks;
    return whyNotForReaders(given === undefined ? undefined : members, { isOfSite, isNote });
  }

  /** The path of a picture that is embedded by its name alone, as Obsidian does. */
  #pathOfEmbed(name: string): string | undefined {
    const path = this.#pictures.find([this.#site.top + name]) ?? this.#fileNamedAs(name);
    return path?.slice(this.#site.top.length);
  }

  /** A file in any folder with the name at the end of a path. */
  #fileNamedAs(path: string): string | undefined {
    this.#byName ??= new Map(
      [...this.#site.tree.sizes.keys()].map((each) => [posix.basename(each).toLowerCase(), each]),
    );
    return this.#byName.get(posix.basename(path).toLowerCase());
  }

  #tagsOf(members: Members, categories: readonly string[]): string[] {
    // Zola's and Grav's.
    const terms = members.take("taxonomies", "taxonomy");
    const inner = new Members(typeof terms === "object" && terms !== null ? { ...terms } : {});
    const names = [
      ...members.takeList("tags", "tag", "keywords"),
      ...categories,
      ...inner.takeList("tags", "tag", "categories", "category"),
    ];
    // Eleventy's names of collections.
    return tagsFrom(names.filter((name) => !/^(?:posts?|all)$/i.test(name)));
  }

  async #imageOf(value: unknown, file: PostFile, location: RecordLocation): Promise<string | null> {
    const [first] = Array.isArray(value) ? value : [value];
    const nested = typeof first === "object" && first !== null ? (first as Record<string, unknown>) : {};
    const address =
      textOf(first) ??
      textOf(nested.image ?? nested.src ?? nested.url ?? nested.overlay_image ?? nested.teaser);
    if (address === undefined) return null;
    const elsewhere = webUrlOf(address);
    const missing = elsewhere === null ? this.#missingCovers : this.#missing;
    return (await this.#pictureAt(address, file, location, missing)) ?? elsewhere;
  }

  async #pictureAt(
    address: string,
    file: PostFile,
    location: RecordLocation,
    missing = this.#missing,
  ): Promise<string | undefined> {
    const path = imagePathOf(address);
    if (path === undefined) return undefined;
    const found = this.#findPicture(path, file);
    if (found !== undefined) return this.#pictures.add(found);
    missing.add(address, location);
    return undefined;
  }

  #findPicture(path: string, file: PostFile): string | undefined {
    // An archive without pictures has none of their names: then dozens of folders need not be looked at for each.
    if (this.#fileNamedAs(path) === undefined) return undefined;
    const candidates = imagePathCandidates(path, file.path);
    return this.#pictures.find(candidates.map((candidate) => this.#site.top + candidate));
  }
}

/** A clause about one post, for several. */
function inNumber(why: string, posts: string): string {
  if (posts.startsWith("1 ")) return why;
  return why.replace(/^was /, "were ").replace(/^has /, "have ");
}
