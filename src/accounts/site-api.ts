import { z } from "zod";
import type { Sql } from "../database/database.ts";
import { holdKey } from "../database/hold-key.ts";
import { invalid, type ValidationError } from "../errors.ts";
import { authorize, type Caller } from "../http/access.ts";
import { JSON_BODY, MERGE_PATCH_BODY } from "../http/body/body-decoders.ts";
import { okWithContentTag } from "../http/caching/content-response.ts";
import { checkPreconditions, contentTag } from "../http/caching/etags.ts";
import { endpoint, NOT_MODIFIED_RESPONSE, type Routes } from "../http/endpoint.ts";
import { ok } from "../http/response-data.ts";
import { text, WEB_URL_FORMAT } from "../text.ts";
import { ACCENTS, FRONT_PAGES, LOOK_THEMES, TEXT_FACES } from "../web/look/look.ts";
import { formatLinks, PROFILES_MAX } from "../web/site/site-links.ts";
import { isSquare, PICTURE_PATH, type SitePictures } from "../web/site/site-pictures.ts";
import type { SiteSettings } from "../web/site/site-settings.ts";
import { COLOR_SCHEMES, COMMENT_CHOICES } from "../web/site/site-settings.ts";
import { readSite, resetSiteSetting, saveSite } from "../web/site/site-store.ts";
import {
  VERIFICATION_CONTENT,
  VERIFICATION_NAME,
  VERIFICATIONS_MAX,
} from "../web/site/site-verifications.ts";
import { anyUrl, web } from "../web/urls.ts";
import type { AccountParts } from "./account-parts.ts";
import { accessOf, type Scope } from "./scope.ts";
import {
  blankError,
  checked,
  type FixedSettings,
  languageError,
  MENU_MAX,
  timeZoneError,
} from "./site-fields.tsx";
import { ACCOUNT } from "./tokens/token-api.ts";

const tag = {
  name: "Site",
  description: "The name, the look, the menu and the access of the site, as on its settings page.",
};

const BOOKMARKS = ["open", "read", "private"] as const;

const descriptions = {
  description: "For readers of the front page, feeds and search engines.",
  language: "The language of what is published, as a tag of BCP 47.",
  timeZone: "The time zone of days and times on pages, as IANA names it.",
  scheme: "Light or dark paper, or that of the reader's device.",
  frontPage: "What the front page shows of each post.",
  menu: "Links in the head of public pages, after those to their parts.",
  authorLine:
    "A line about the author, below each post while only one account has published any. Plain text.",
  profiles: "The owner's pages elsewhere, which the front page names with `rel=me`.",
  verifications:
    "What services such as search engines ask for to see whose site it is: a `<meta>` of the front page with this name and content.",
  icon: "The logo and icon of the site, a square: the `url` of an uploaded image.",
  cover: "The picture in link previews of posts that have none: the `url` of an uploaded image.",
  bookmarks:
    "Who may use the bookmarks: anyone, or anyone may read them, or only accounts. Null before a choice: they are private once " +
    "there was an account.",
  comments: "Who may comment.",
} as const;

/** Without white space, so that the settings page can show it in a line with its text. */
const MENU_URL = /^([Hh][Tt][Tt][Pp][Ss]?:\/\/\S+|\/([^/\\\s]\S*)?)$/;
const PROFILE = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/\S+$/;
/** Variants and extensions are accepted, too. */
const LANGUAGE = "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$";

const MenuEntry = z
  .object({
    text: checked(text({ min: 1, max: MENU_MAX }), (text) =>
      /^\S(.*\S)?$/.test(text) ? undefined : "No line breaks, and no space around it.",
    ).meta({ pattern: "^\\S(.*\\S)?$", minLength: 1, maxLength: MENU_MAX }),
    url: checked(text({ max: MENU_MAX }), (url) =>
      MENU_URL.test(url) && anyUrl(url) !== undefined
        ? undefined
        : "Must be an http or https URL, or a path of this server that begins with one slash.",
    ).meta({ format: WEB_URL_FORMAT, pattern: MENU_URL.source, maxLength: MENU_MAX }),
  })
  .meta({ id: "SiteMenuEntry" });

const Profile = checked(text({ max: 2_000 }), (profile) =>
  PROFILE.test(profile) && web(profile) !== undefined ? undefined : "Must be an http or https URL.",
).meta({ format: WEB_URL_FORMAT, pattern: PROFILE.source, maxLength: 2_000 });

const Verification = z
  .object({
    name: z.string().regex(VERIFICATION_NAME),
    content: z.string().regex(VERIFICATION_CONTENT),
  })
  .meta({ id: "SiteVerification" });

const PicturePath = z.string().regex(PICTURE_PATH).nullable();

const SiteLook = z
  .object({
    theme: z.enum(LOOK_THEMES),
    accent: z.enum(ACCENTS).describe("The color of links."),
    text: z.enum(TEXT_FACES).describe("The typeface of posts."),
    front_page: z.enum(FRONT_PAGES).describe(descriptions.frontPage),
    scheme: z.enum(COLOR_SCHEMES).describe(descriptions.scheme),
  })
  .meta({ id: "SiteLook" });

const SiteResponse = z
  .object({
    name: z.string(),
    description: z.string().describe(descriptions.description),
    language: z.string().describe(descriptions.language),
    time_zone: z.string().describe(descriptions.timeZone),
    look: SiteLook,
    menu: z.array(z.object({ text: z.string(), url: z.string() })).describe(descriptions.menu),
    author_line: z.string().describe(descriptions.authorLine),
    profiles: z.array(z.string()).describe(descriptions.profiles),
    verifications: z
      .array(z.object({ name: z.string(), content: z.string() }))
      .describe(descriptions.verifications),
    icon: z.string().nullable().describe(descriptions.icon),
    cover: z.string().nullable().describe(descriptions.cover),
    access: z.object({
      bookmarks: z.enum(BOOKMARKS).nullable().describe(descriptions.bookmarks),
      comments: z.enum([...COMMENT_CHOICES, "open"]).describe(descriptions.comments),
    }),
  })
  .meta({ id: "Site" });
type SiteResponse = z.output<typeof SiteResponse>;

/** Any of its members, as a JSON merge patch (RFC 7396). */
const SitePatch = z
  .object({
    name: checked(text({ min: 1, max: 80 }), blankError)
      .meta({ pattern: "\\S", minLength: 1, maxLength: 80 })
      .optional(),
    description: text({ max: 500 }).describe(descriptions.description).optional(),
    language: checked(text({ min: 2, max: 35 }), languageError)
      .meta({ description: descriptions.language, pattern: LANGUAGE, maxLength: 35 })
      .optional(),
    time_zone: checked(text(), timeZoneError)
      .meta({ description: descriptions.timeZone, examples: ["Europe/Vienna"] })
      .optional(),
    look: SiteLook.partial().meta({ id: "SiteLookPatch" }).optional(),
    menu: z.array(MenuEntry).describe(descriptions.menu).optional(),
    author_line: text({ max: 300 }).describe(descriptions.authorLine).optional(),
    profiles: z.array(Profile).max(PROFILES_MAX).describe(descriptions.profiles).optional(),
    verifications: z
      .array(Verification)
      .max(VERIFICATIONS_MAX)
      .describe(descriptions.verifications)
      .optional(),
    icon: PicturePath.describe(descriptions.icon).optional(),
    cover: PicturePath.describe(descriptions.cover).optional(),
    access: z
      .object({
        bookmarks: z.enum(BOOKMARKS).nullable().describe(descriptions.bookmarks).optional(),
        comments: z
          .enum([...COMMENT_CHOICES, "open"])
          .describe(descriptions.comments)
          .optional(),
      })
      .optional(),
  })
  .meta({ id: "SitePatch" });
type SitePatch = z.output<typeof SitePatch>;

const example: SiteResponse = {
  name: "Margins",
  description: "Notes on paper, rye bread and old maps.",
  language: "en",
  time_zone: "Europe/Vienna",
  look: { theme: "letter", accent: "green", text: "serif", front_page: "summaries", scheme: "auto" },
  menu: [{ text: "About", url: "/about" }],
  author_line: "Ada keeps bees and old maps.",
  profiles: ["https://social.example/@ada"],
  verifications: [
    { name: "google-site-verification", content: "rXOxyZounnZasA8Z7oaD3c14JdjS9aKSWvsR1EbUSIQ" },
  ],
  icon: "/media/0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c.png",
  cover: null,
  access: { bookmarks: "private", comments: "accounts" },
};

const isFixed = (pointer: string, variable: string): ValidationError => ({
  pointer,
  code: "unexpected",
  detail: `This is set on the server with ${variable}, and cannot be changed here.`,
});

/** The settings of the site, over HTTP (docs/accounts.md). */
export function siteApi({ database, fixed, pictures }: AccountParts): Routes {
  const one = {
    description: "The settings.",
    schema: SiteResponse,
    example,
    headers: ["ETag"],
  };

  const read = endpoint(
    {
      id: "readSite",
      tag,
      summary: "Read the settings of the site",
      description: "As they are in effect: what the server's settings fix is shown as it is there.",
      access: ACCOUNT,
      headers: ["If-None-Match"],
      responses: { 200: one, 304: NOT_MODIFIED_RESPONSE },
      refusals: [],
    },
    async ({ request }) =>
      okWithContentTag(request, database, toResponse(await readSite(database.read), fixed)),
  );

  const patch = endpoint(
    {
      id: "changeSite",
      tag,
      summary: "Change the settings of the site",
      description:
        "Changes the given members, also of `look` and `access`, and leaves the others unchanged (RFC 7396); `menu` is replaced " +
        "as a whole. Readers see the change at once. A token that changes `access` also needs the scopes of what it opens: `bookmarks:read`, " +
        "for `open` also `bookmarks:write`, and for comments `posts:write`. What the server's settings fix can only be given as it is.",
      access: ACCOUNT,
      body: SitePatch,
      takes: [MERGE_PATCH_BODY, JSON_BODY],
      example: { look: { theme: "letter", accent: "green" } },
      headers: ["If-Match", "If-None-Match"],
      responses: { 200: one },
      refusals: [invalid([isFixed("/access/bookmarks", "BOOKMARKS_ACCESS")])],
    },
    ({ request, body, caller }) =>
      database.write(async (sql) => {
        await holdKey(sql, "settings");
        const before = await readSite(sql);
        checkRights(caller, body.access, toResponse(before, fixed).access);
        checkPreconditions(request, contentTag(database.epoch, toResponse(before, fixed)));
        const errors = [...errorsOf(body, fixed), ...(await pictureErrors(body, pictures))];
        if (errors.length > 0) throw invalid(errors);
        await change(sql, body, fixed, database.clock.now());
        const site = toResponse(await readSite(sql), fixed);
        return ok(site, { etag: contentTag(database.epoch, site) });
      }),
  );

  return { "/api/site/": { GET: read, PATCH: patch } };
}

function toResponse(site: SiteSettings, fixed: FixedSettings): SiteResponse {
  const {
    name,
    description,
    language,
    timeZone,
    links,
    authorLine,
    profiles,
    verifications,
    icon,
    cover,
    lookTheme,
    accent,
    textFace,
    frontPage,
    theme,
  } = site;
  return {
    name,
    description,
    language,
    time_zone: timeZone,
    look: { theme: lookTheme, accent, text: textFace, front_page: frontPage, scheme: theme },
    menu: links.map(({ text, url }) => ({ text, url })),
    author_line: authorLine,
    profiles: [...profiles],
    verifications: verifications.map(({ name, content }) => ({ name, content })),
    icon: icon || null,
    cover: cover || null,
    access: {
      bookmarks: fixed.bookmarksAccess ?? site.bookmarksAccess ?? null,
      comments: fixed.comments ?? site.comments ?? "accounts",
    },
  };
}

/**
 * A token changes who may use something only if it may do so itself, so that a key gives nothing away which it does not
 * have. A person who is signed in has all scopes.
 * @throws Refusal `forbidden`
 */
function checkRights(
  caller: Caller,
  { bookmarks, comments }: NonNullable<SitePatch["access"]> = {},
  before: SiteResponse["access"],
): void {
  if (bookmarks !== undefined && bookmarks !== before.bookmarks)
    authorize(caller, {
      ...accessOf("private", "bookmarks").readAccess,
      ...(bookmarks === "open" && { alsoScopes: ["bookmarks:write" satisfies Scope] }),
    });
  if (comments !== undefined && comments !== before.comments)
    authorize(caller, accessOf("private", "posts").writeAccess);
}

/** What no single member shows to be wrong. */
function errorsOf({ menu = [], access = {} }: SitePatch, fixed: FixedSettings): ValidationError[] {
  const errors: ValidationError[] = [];
  if (formatLinks(menu).length > MENU_MAX)
    errors.push({
      pointer: "/menu",
      code: "too_long",
      detail: `At most ${MENU_MAX} characters, with all texts and addresses.`,
    });
  const { bookmarks, comments } = access;
  if (fixed.bookmarksAccess !== undefined && bookmarks !== undefined && bookmarks !== fixed.bookmarksAccess)
    errors.push(isFixed("/access/bookmarks", "BOOKMARKS_ACCESS"));
  if (fixed.comments !== undefined && comments !== undefined && comments !== fixed.comments)
    errors.push(isFixed("/access/comments", "COMMENTS"));
  if (fixed.comments === undefined && comments === "open")
    errors.push({
      pointer: "/access/comments",
      code: "unknown_value",
      detail: "Comments without approval can only be allowed on the server, with COMMENTS.",
    });
  return errors;
}

/** The errors of pictures that are not there, or cannot be an icon. */
async function pictureErrors(
  given: Pick<SitePatch, "icon" | "cover">,
  pictures: SitePictures,
): Promise<ValidationError[]> {
  const errors: ValidationError[] = [];
  for (const name of ["icon", "cover"] as const) {
    const path = given[name];
    if (path == null) continue;
    const picture = await pictures.find(path);
    const pointer = `/${name}`;
    if (picture === undefined)
      errors.push({ pointer, code: "unknown_value", detail: "Must be the url of an uploaded image." });
    else if (name === "icon" && !isSquare(picture))
      errors.push({ pointer, code: "out_of_range", detail: "Must be a square image." });
  }
  return errors;
}

async function change(sql: Sql, given: SitePatch, fixed: FixedSettings, now: Date): Promise<void> {
  const { look = {}, access = {} } = given;
  const bookmarks = fixed.bookmarksAccess === undefined ? access.bookmarks : undefined;
  const comments = fixed.comments === undefined && access.comments !== "open" ? access.comments : undefined;
  const changed: { [name in keyof SiteSettings]?: SiteSettings[name] | undefined } = {
    name: given.name,
    description: given.description,
    language: given.language,
    timeZone: given.time_zone,
    links: given.menu,
    authorLine: given.author_line,
    profiles: given.profiles,
    verifications: given.verifications,
    icon: given.icon === null ? "" : given.icon,
    cover: given.cover === null ? "" : given.cover,
    lookTheme: look.theme,
    accent: look.accent,
    textFace: look.text,
    frontPage: look.front_page,
    theme: look.scheme,
    bookmarksAccess: bookmarks ?? undefined,
    comments,
  };
  await saveSite(sql, changed, now);
  if (bookmarks === null) await resetSiteSetting(sql, "bookmarksAccess");
}
