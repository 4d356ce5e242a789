import * as make from "./records.ts";
import type { Rows } from "./rows.ts";

/** The protocols of other projects, but Micropub. */
export const PROTOCOLS: Rows = {
  // linkding's API is for accounts, whatever the setting for bookmarks.
  "GET /linkding/health": ["whoever asks", 200],
  "GET /linkding/api/": ["reading links", 200],
  "GET /linkding/api/user/profile/": ["reading links", 200],
  "GET /linkding/api/bundles/": ["reading links", 200],
  "GET /linkding/api/bookmarks/": ["reading links", 200],
  "POST /linkding/api/bookmarks/": [
    "writing links",
    201,
    { json: { url: "https://example.com/linkding", title: "x" } },
  ],
  "POST /linkding/api/bookmarks/ again": [
    "writing links",
    201,
    { record: make.urlOfLink, json: (url) => ({ url }) },
  ],
  "GET /linkding/api/bookmarks/archived/": ["reading links", 200],
  "GET /linkding/api/bookmarks/shared/": ["reading links", 200],
  "GET /linkding/api/bookmarks/check/": ["reading links", 200, { query: "?url=https://example.com/" }],
  "POST /linkding/api/bookmarks/singlefile/": ["writing links", 415, { json: {} }],
  "GET /linkding/api/bookmarks/{id}/": ["reading links", 200, { record: make.link }],
  "PUT /linkding/api/bookmarks/{id}/": [
    "writing links",
    200,
    { record: make.link, json: (id) => ({ url: `https://example.com/new/${id}`, title: "x" }) },
  ],
  "PATCH /linkding/api/bookmarks/{id}/": ["writing links", 200, { record: make.link, json: { title: "x" } }],
  "PATCH /linkding/api/bookmarks/{id}/ of nothing": ["writing links", 200, { record: make.link, json: {} }],
  "PUT /linkding/api/bookmarks/{id}/ of nothing": ["writing links", 200, { record: make.link, json: {} }],
  "DELETE /linkding/api/bookmarks/{id}/": ["writing links", 204, { record: make.link }],
  "POST /linkding/api/bookmarks/{id}/archive/": ["writing links", 204, { record: make.link }],
  "POST /linkding/api/bookmarks/{id}/unarchive/": ["writing links", 204, { record: make.link }],
  "GET /linkding/api/bookmarks/{id}/assets/": ["reading links", 200, { record: make.link }],
  "GET /linkding/api/tags/": ["reading links", 200, { writesDown: true }],
  "POST /linkding/api/tags/": ["writing links", 201, { json: { name: "a" } }],
  "GET /linkding/api/tags/{id}/": ["reading links", 200, { record: make.tagId }],
  "DELETE /linkding/api/tags/{id}/": ["writing links", 204, { record: make.tagId }],
  "GET /linkding": ["whoever asks", 302],
  "GET /linkding/": ["whoever asks", 302],
  "GET /linkding/bookmarks": ["whoever asks", 302],
  "GET /linkding/bookmarks/new": ["whoever asks", 302],

  // IndieAuth: codes and tokens are in the body.
  "GET /.well-known/oauth-protected-resource": ["whoever asks", 200, { anyOrigin: true }],
  "GET /.well-known/oauth-protected-resource/mcp": ["whoever asks", 200, { anyOrigin: true }],
  "GET /.well-known/oauth-authorization-server": ["whoever asks", 200, { anyOrigin: true }],
  "POST /indieauth/authorize": ["whoever asks", 400, { form: {}, anyOrigin: true }],
  "POST /indieauth/token": ["whoever asks", 400, { form: {}, anyOrigin: true }],
  "POST /indieauth/introspect": [
    "signed in",
    200,
    { record: make.token, form: (token) => ({ token }), anyOrigin: true },
  ],
  "POST /indieauth/revoke": [
    "whoever asks",
    200,
    { record: make.token, form: (token) => ({ token }), anyOrigin: true },
  ],
};

const wrongKey = `?key=${"0".repeat(26)}`;
const withKey = {
  record: make.contentKey,
  query: (key: string) => `?key=${key}`,
  anyOrigin: true,
  shows: ["post"],
} as const;
const withoutKey = { anyOrigin: true } as const;
const ID = "0".repeat(24);

/** Ghost's Content API takes a key of its own in the query. */
export const GHOST: Rows = {
  ...Object.fromEntries(
    ["posts", "pages", "tags", "authors"].flatMap((of): [string, Rows[string]][] => [
      [`GET /ghost/api/content/${of}/`, ["whoever asks", 200, withKey]],
      [`GET /ghost/api/content/${of}/ without a key`, ["whoever asks", 403, withoutKey]],
      [`GET /ghost/api/content/${of}/{id}/`, ["whoever asks", 404, { ...withKey, at: ID }]],
      [`GET /ghost/api/content/${of}/{id}/ without a key`, ["whoever asks", 403, { ...withoutKey, at: ID }]],
      [`GET /ghost/api/content/${of}/slug/{slug}/`, ["whoever asks", 404, { ...withKey, at: "none-such" }]],
      [
        `GET /ghost/api/content/${of}/slug/{slug}/ without a key`,
        ["whoever asks", 403, { ...withoutKey, at: "none-such" }],
      ],
    ]),
  ),
  "GET /ghost/api/content/settings/": ["whoever asks", 200, withKey],
  "GET /ghost/api/content/settings/ without a key": ["whoever asks", 403, withoutKey],
  "GET /ghost/api/content/settings/ with a wrong key": [
    "whoever asks",
    401,
    { query: wrongKey, anyOrigin: true },
  ],
  "GET /ghost/api/content/settings/ with a token for a key": [
    "whoever asks",
    401,
    { ...withKey, record: make.token },
  ],
  "GET /ghost/api/content/tiers/": ["whoever asks", 200, withKey],
  "GET /ghost/api/content/tiers/ without a key": ["whoever asks", 403, withoutKey],
  // It has no data: who may read them is asked where it leads.
  "GET /ghost/api/{version}/content/{rest...}/": ["whoever asks", 307, { anyOrigin: true, at: "v4" }],
};

const ofPost = (slug: string) => `http://localhost/posts/${slug}`;
const ofLink = (id: string) => `http://localhost/library/${id}`;

/** Micropub: tokens only, of pages of all origins. */
export const MICROPUB: Rows = {
  "GET /micropub": ["signed in", 200, { query: "?q=config", anyOrigin: true }],
  "GET /micropub of tags": ["some right to posts", 200, { query: "?q=category", anyOrigin: true }],
  "GET /micropub of a post's source": [
    "source of posts",
    200,
    { record: make.slug, query: (slug) => `?q=source&url=${ofPost(slug)}`, anyOrigin: true },
  ],
  "POST /micropub to create a post": [
    "creating posts",
    201,
    { form: { h: "entry", content: "Hello." }, anyOrigin: true },
  ],
  "POST /micropub to create a link": [
    "creating links",
    201,
    { form: { h: "entry", "bookmark-of": "https://example.com/m" }, anyOrigin: true },
  ],
  ...Object.fromEntries(
    [
      { of: "posts", record: make.slug, urlOf: ofPost },
      { of: "links", record: make.link, urlOf: ofLink },
    ].flatMap(({ of, record, urlOf }): [string, Rows[string]][] => [
      [
        `POST /micropub to update ${of}`,
        [
          of === "posts" ? "updating posts" : "updating links",
          [201, 204],
          {
            record,
            json: (it: string) => ({ action: "update", url: urlOf(it), replace: { content: ["New."] } }),
            anyOrigin: true,
          },
        ],
      ],
      [
        `POST /micropub to delete ${of}`,
        [
          of === "posts" ? "deleting posts" : "deleting links",
          204,
          { record, form: (it: string) => ({ action: "delete", url: urlOf(it) }), anyOrigin: true },
        ],
      ],
    ]),
  ),
  "POST /micropub to publish a post again": [
    "deleting posts",
    201,
    {
      record: make.withdrawnPost,
      form: (id) => ({ action: "undelete", url: `http://localhost/api/posts/${id}/` }),
      anyOrigin: true,
    },
  ],
  // The form has no file.
  "POST /micropub/media": ["uploading media", 400, { file: true, anyOrigin: true }],
};

const message = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
const calling = (name: string, input: object) => message("tools/call", { name, arguments: input });

/** The Model Context Protocol: tokens only, and each tool has its scopes. */
export const MCP: Rows = {
  "POST /mcp": ["signed in", 200, { json: message("ping") }],
  "POST /mcp to list the tools": ["signed in", 200, { json: message("tools/list") }],
  "POST /mcp to search links": ["reading links", 200, { json: calling("search_links", {}) }],
  "POST /mcp to read a link": [
    "reading links",
    200,
    { record: make.link, json: (id) => calling("read_link", { id: Number(id) }) },
  ],
  "POST /mcp to list tags": ["reading links", 200, { json: calling("list_tags", {}) }],
  "POST /mcp to suggest tags": [
    "reading links",
    200,
    { json: calling("suggest_tags", { url: "https://example.com/" }) },
  ],
  "POST /mcp to add a link": [
    "reading and writing links",
    200,
    { json: calling("add_link", { url: "https://example.com/agent" }) },
  ],
  "POST /mcp to edit a link": [
    "reading and writing links",
    200,
    { record: make.link, json: (id) => calling("edit_link", { id: Number(id), version: 1, title: "New" }) },
  ],
  "POST /mcp to tag links": [
    "reading and writing links",
    200,
    { record: make.link, json: (id) => calling("tag_links", { ids: [Number(id)], add: ["new"] }) },
  ],
  "POST /mcp to archive links": [
    "reading and writing links",
    200,
    { record: make.link, json: (id) => calling("archive_links", { ids: [Number(id)] }) },
  ],
  "POST /mcp to search posts": ["reading drafts", 200, { json: calling("search_posts", {}) }],
  "POST /mcp to read a draft": [
    "reading drafts",
    200,
    { record: make.draft, json: (id) => calling("read_post", { id: Number(id) }) },
  ],
  "POST /mcp to draft a post": [
    "reading and writing drafts",
    200,
    { json: calling("draft_post", { title: "x", content: "y" }) },
  ],
  "POST /mcp to revise a draft": [
    "reading and writing drafts",
    200,
    {
      record: make.draft,
      json: (id) => calling("revise_draft", { id: Number(id), version: 1, content: "z" }),
    },
  ],
};
