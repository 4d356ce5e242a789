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
import { formatLinks } from "../web/site/site-links.ts";
import { isSquare, type SitePictures } from "../web/site/site-pictures.ts";
import {
  DEFAULT_SITE,
  MENU_MAX,
  SETTINGS,
  type SettingName,
  SITE_SETTINGS,
  type SiteSettings,
} from "../web/site/site-settings.ts";
import { readSite, resetSiteSetting, saveSiteSetting } from "../web/site/site-store.ts";
import type { AccountParts } from "./account-parts.ts";
import { accessOf, type Scope } from "./scope.ts";
import type { FixedSettings } from "./site-fields.tsx";
import { ACCOUNT } from "./tokens/token-api.ts";

const tag = {
  name: "Site",
  description: "The name, the look, the menu and the access of the site, as on its settings page.",
};

/** The settings that the API has, with the steps to their members: one, or two within `look` and `access`. */
const IN_API = SETTINGS.flatMap(({ api, ...setting }) => {
  const [first, second] = api?.split("/").slice(1) ?? [];
  return first === undefined ? [] : [{ ...setting, first, second }];
});
type InApi = (typeof IN_API)[number];

/**
 * An object in the shape of the API, with a member for each setting.
 * @param group makes a member of the members within it
 */
function shaped<T>(
  member: (setting: InApi) => T,
  group: (name: string, members: Record<string, T>) => T,
): Record<string, T> {
  const whole: Record<string, T> = {};
  for (const [name, settings] of Map.groupBy(IN_API, ({ first }) => first)) {
    const own = settings.find(({ second }) => second === undefined);
    const members = () => Object.fromEntries(settings.map((one) => [one.second, member(one)]));
    whole[name] = own ? member(own) : group(name, members());
  }
  return whole;
}

/** A schema as the API has it. */
function described(schema: z.ZodType, { nullable, about }: InApi): z.ZodType {
  const whole = nullable ? schema.nullable() : schema;
  return about === undefined ? whole : whole.describe(about);
}

const SiteResponse = z
  .object(
    shaped(
      (setting) => described(setting.type, setting),
      (name, members) => (name === "look" ? z.object(members).meta({ id: "SiteLook" }) : z.object(members)),
    ),
  )
  .meta({ id: "Site" });

/** Any of its members, as a JSON merge patch (RFC 7396). */
const SitePatch = z
  .object(
    shaped<z.ZodType>(
      (setting) => described(setting.rule ?? setting.type, setting).optional(),
      (name, members) =>
        (name === "look" ? z.object(members).meta({ id: "SiteLookPatch" }) : z.object(members)).optional(),
    ),
  )
  .meta({ id: "SitePatch" });

/** The settings that a request gives; null instead of those that it takes back. */
type Given = { readonly [N in SettingName]?: SiteSettings[N] | null };

function givenIn(body: z.output<typeof SitePatch>): Given {
  const members = IN_API.map(({ name, first, second }) => {
    const member = body[first];
    return [name, second === undefined ? member : (member as typeof body | undefined)?.[second]] as const;
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

const example = toResponse({
  ...DEFAULT_SITE,
  name: "Margins",
  description: "Notes on paper, rye bread and old maps.",
  timeZone: "Europe/Vienna",
  lookTheme: "letter",
  accent: "green",
  links: [{ text: "About", url: "/about" }],
  authorLine: "Ada keeps bees and old maps.",
  profiles: ["https://social.example/@ada"],
  verifications: [
    { name: "google-site-verification", content: "rXOxyZounnZasA8Z7oaD3c14JdjS9aKSWvsR1EbUSIQ" },
  ],
  icon: "/media/0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c.png",
  bookmarksAccess: "private",
});

/** The environment variables that fix settings. */
const VARIABLES = { bookmarksAccess: "BOOKMARKS_ACCESS", comments: "COMMENTS" } as const;

function isFixed(name: keyof typeof VARIABLES): ValidationError {
  return {
    pointer: SITE_SETTINGS[name].api,
    code: "unexpected",
    detail: `This is set on the server with ${VARIABLES[name]}, and cannot be changed here.`,
  };
}

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
      okWithContentTag(request, database, toResponse(inEffect(await readSite(database.read), fixed))),
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
      refusals: [invalid([isFixed("bookmarksAccess")])],
    },
    ({ request, body, caller }) =>
      database.write(async (sql) => {
        await holdKey(sql, "settings");
        const given = givenIn(body);
        const before = inEffect(await readSite(sql), fixed);
        checkRights(caller, given, before);
        checkPreconditions(request, contentTag(database.epoch, toResponse(before)));
        const errors = [...errorsOf(given, fixed), ...(await pictureErrors(given, pictures))];
        if (errors.length > 0) throw invalid(errors);
        await change(sql, given, fixed, database.clock.now());
        const site = toResponse(inEffect(await readSite(sql), fixed));
        return ok(site, { etag: contentTag(database.epoch, site) });
      }),
  );

  return { "/api/site/": { GET: read, PATCH: patch } };
}

/** The settings as they are in effect. */
function inEffect(site: SiteSettings, fixed: FixedSettings): SiteSettings {
  return {
    ...site,
    bookmarksAccess: fixed.bookmarksAccess ?? site.bookmarksAccess,
    comments: fixed.comments ?? site.comments,
  };
}

function toResponse(site: SiteSettings): z.output<typeof SiteResponse> {
  return shaped<unknown>(
    ({ name, type, nullable }) => {
      // Files may have brought more members.
      const { data: value = site[name] } = type.safeParse(site[name]);
      return nullable ? value || null : value;
    },
    (_, members) => members,
  );
}

/**
 * A token changes who may use something only if it may do so itself, so that a key gives nothing away which it does not
 * have. A person who is signed in has all scopes.
 * @throws Refusal `forbidden`
 */
function checkRights(caller: Caller, { bookmarksAccess, comments }: Given, before: SiteSettings): void {
  if (bookmarksAccess !== undefined && (bookmarksAccess ?? undefined) !== before.bookmarksAccess)
    authorize(caller, {
      ...accessOf("private", "bookmarks").readAccess,
      ...(bookmarksAccess === "open" && { alsoScopes: ["bookmarks:write" satisfies Scope] }),
    });
  if (comments !== undefined && comments !== before.comments)
    authorize(caller, accessOf("private", "posts").writeAccess);
}

/** What no single member shows to be wrong. */
function errorsOf(given: Given, fixed: FixedSettings): ValidationError[] {
  const errors: ValidationError[] = [];
  if (formatLinks(given.links ?? []).length > MENU_MAX)
    errors.push({
      pointer: SITE_SETTINGS.links.api,
      code: "too_long",
      detail: `At most ${MENU_MAX} characters, with all texts and addresses.`,
    });
  for (const name of ["bookmarksAccess", "comments"] as const)
    if (fixed[name] !== undefined && given[name] !== undefined && given[name] !== fixed[name])
      errors.push(isFixed(name));
  if (fixed.comments === undefined && given.comments === "open")
    errors.push({
      pointer: SITE_SETTINGS.comments.api,
      code: "unknown_value",
      detail: "Comments without approval can only be allowed on the server, with COMMENTS.",
    });
  return errors;
}

/** The errors of pictures that are not there, or cannot be an icon. */
async function pictureErrors(given: Given, pictures: SitePictures): Promise<ValidationError[]> {
  const errors: ValidationError[] = [];
  for (const name of ["icon", "cover"] as const) {
    const path = given[name];
    if (path == null) continue;
    const picture = await pictures.find(path);
    const pointer = SITE_SETTINGS[name].api;
    if (picture === undefined)
      errors.push({ pointer, code: "unknown_value", detail: "Must be the url of an uploaded image." });
    else if (name === "icon" && !isSquare(picture))
      errors.push({ pointer, code: "out_of_range", detail: "Must be a square image." });
  }
  return errors;
}

/** Stores what is given. What is fixed was given as it is. */
async function change(sql: Sql, given: Given, fixed: FixedSettings, now: Date): Promise<void> {
  for (const { name, initial } of SETTINGS) {
    if (given[name] === undefined || fixed[name as keyof FixedSettings] !== undefined) continue;
    const value = given[name] ?? initial;
    if (value === undefined) await resetSiteSetting(sql, name);
    else await saveSiteSetting(sql, name, value, now);
  }
}
