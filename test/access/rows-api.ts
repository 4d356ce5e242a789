import * as make from "./records.ts";
import type { Rows } from "./rows.ts";

const link = { title: "Example", url: "https://example.com/", description: "" };
const text = { title: "First light", content: "Hello." };
const comment = { author: "Ada", text: "Welcome!" };
const nothing = {};
const ofAgent = (made: string) => {
  const [token, day] = made.split(" ");
  return { token: Number(token), day };
};

/** Every endpoint of the services. */
export const API: Rows = {
  "GET /bookmarks/": ["bookmarks:read", 200],
  "POST /bookmarks/": ["bookmarks:write", 201, { json: link }],
  "GET /bookmarks/{id}": ["bookmarks:read", 200, { record: make.link }],
  "PUT /bookmarks/{id}": ["bookmarks:write", 200, { record: make.link, json: link }],
  "PATCH /bookmarks/{id}": ["bookmarks:write", 200, { record: make.link, json: { title: "x" } }],
  "PATCH /bookmarks/{id} of nothing": ["bookmarks:write", 200, { record: make.link, json: nothing }],
  "DELETE /bookmarks/{id}": ["bookmarks:write", 204, { record: make.link }],
  "GET /bookmarks/{id}/tags": ["bookmarks:read", 200, { record: make.link }],
  "PUT /bookmarks/{id}/tags": ["bookmarks:write", 200, { record: make.link, json: { tags: ["a"] } }],
  "GET /bookmarks/search": ["bookmarks:read", 200],
  "GET /bookmarks/suggest": ["bookmarks:read", 200, { query: "?q=br" }],
  "GET /bookmarks/check": ["bookmarks:read", 200, { query: "?url=https://example.com/" }],
  "GET /bookmarks/duplicates": ["bookmarks:read", 200],
  "GET /bookmarks/{id}/copies/": ["reading copies", 200, { record: make.link }],
  // What is sent is no page.
  "POST /bookmarks/{id}/copies/": ["writing copies", 415, { record: make.link, json: nothing }],
  "GET /bookmarks/{id}/copies/{copy}/": ["reading copies", 200, { record: make.copy }],
  "DELETE /bookmarks/{id}/copies/{copy}/": ["writing copies", 204, { record: make.copy }],
  "GET /bookmarks/{id}/copies/{copy}/text": ["reading copies", 200, { record: make.copy }],
  "GET /bookmarks/{id}/copies/{copy}/original": ["reading copies", 200, { record: make.copy }],
  "GET /bookmarks/{id}/copies/{copy}/{picture}": ["reading copies", 200, { record: make.copy }],
  "GET /api/marks/": ["reading copies", 200],
  "GET /bookmarks/{id}/marks/": ["reading copies", 200, { record: make.link }],
  "POST /bookmarks/{id}/marks/": ["writing copies", 201, { record: make.link, json: { quote: "a" } }],
  "GET /bookmarks/{id}/marks/{mark}": ["reading copies", 200, { record: make.mark }],
  "PATCH /bookmarks/{id}/marks/{mark}": ["writing copies", 200, { record: make.mark, json: { note: "a" } }],
  "PATCH /bookmarks/{id}/marks/{mark} of nothing": [
    "writing copies",
    200,
    { record: make.mark, json: nothing },
  ],
  "DELETE /bookmarks/{id}/marks/{mark}": ["writing copies", 204, { record: make.mark }],
  // Nothing is fetched without an address.
  "GET /bookmarks/page": ["writing links", 422],
  "POST /bookmarks/bulk": [
    "bookmarks:write",
    200,
    { record: make.link, json: (id) => ({ select: { ids: [Number(id)] }, delete: true }) },
  ],
  "POST /bookmarks/merge": [
    "bookmarks:write",
    200,
    {
      record: make.twins,
      json: (ids) => {
        const [keep, drop] = ids.split(" ").map(Number);
        return { keep, drop: [drop] };
      },
    },
  ],
  "POST /bookmarks/merge as a dry run": [
    "bookmarks:write",
    200,
    {
      record: make.twins,
      query: "?dry_run=true",
      json: (ids) => {
        const [keep, drop] = ids.split(" ").map(Number);
        return { keep, drop: [drop] };
      },
    },
  ],
  "POST /bookmarks/{id}/publish again": [
    "publishing a link",
    200,
    { record: make.publishedLink, json: nothing },
  ],
  "POST /bookmarks/{id}/publish": ["publishing a link", 201, { record: make.publicLink, json: nothing }],
  "GET /api/tags/": ["bookmarks:read", 200],
  "PATCH /api/tags/": [
    "bookmarks:write",
    200,
    { record: make.tag, query: (name) => `?name=${name}`, json: (name) => ({ name: `${name}-new` }) },
  ],
  "DELETE /api/tags/": ["bookmarks:write", 200, { record: make.tag, query: (name) => `?name=${name}` }],
  "GET /api/shares/": ["reading links", 200],
  "POST /api/shares/": ["sharing links", 201, { json: { q: make.WORDS.link, title: "Leaves" } }],
  "GET /api/shares/{id}/": ["reading links", 200, { record: make.shareId }],
  "DELETE /api/shares/{id}/": ["writing links", 204, { record: make.shareId }],
  "GET /api/undo/": ["undoing", 200],
  "POST /api/undo/{key}/": ["bookmarks:write", 200, { record: make.change }],
  "POST /api/undo/{key}/ of what has changed since": ["bookmarks:write", 200, { record: make.changeSince }],
  "POST /api/undo/{key}/ of a comment that was approved since": [
    "moderating",
    200,
    { record: make.rejectionSince },
  ],
  "POST /api/undo/{key}/ of a mark": ["writing copies", 200, { record: make.changeOfMark }],
  "POST /api/undo/{key}/ of a draft": ["writing drafts", 200, { record: make.changeOfDraft }],
  "POST /api/undo/{key}/ of a comment": ["moderating", 200, { record: make.changeOfComment }],
  "POST /api/undo/day/": ["writing links", 200, { record: make.agentsLink, json: ofAgent }],
  "POST /api/undo/day/ of a draft": ["writing drafts", 200, { record: make.agentsDraft, json: ofAgent }],
  "POST /api/undo/day/ of nothing": [
    "undoing of agents",
    404,
    { record: make.tokenId, json: (id) => ofAgent(`${id} 2026-01-01`) },
  ],

  "GET /api/posts/": ["posts:read", 200],
  "POST /api/posts/": ["posts:write", 201, { json: text }],
  "GET /api/posts/{id}/": ["posts:read", 200, { record: make.post }],
  "GET /api/posts/{id}/ of a draft": ["posts:read", 404, { record: make.draft }],
  "PUT /api/posts/{id}/": ["posts:write", 200, { record: make.post, json: text }],
  "PATCH /api/posts/{id}/": ["posts:write", 200, { record: make.post, json: { title: "x" } }],
  "PATCH /api/posts/{id}/ of nothing": ["posts:write", 200, { record: make.post, json: nothing }],
  "PATCH /api/posts/{id}/ of a draft": [
    "posts:write",
    404,
    { record: make.draft, json: { published: true } },
  ],
  "DELETE /api/posts/{id}/": ["posts:write", 204, { record: make.post }],
  "DELETE /api/posts/{id}/ of a draft": ["posts:write", 404, { record: make.draft }],
  "GET /api/posts/{id}/publication/": ["posts:read", 200, { record: make.post }],
  "GET /api/posts/{id}/publication/ of a draft": ["posts:read", 404, { record: make.draft }],
  "PUT /api/posts/{id}/publication/": ["posts:write", 200, { record: make.post, json: nothing }],
  "PATCH /api/posts/{id}/publication/": ["posts:write", 200, { record: make.post, json: nothing }],
  "GET /api/posts/{id}/versions/": ["reading drafts", 200, { record: make.post }],
  "GET /api/posts/{id}/versions/{number}/": ["reading drafts", 200, { record: make.changedPost }],

  "GET /api/drafts/": ["reading drafts", 200],
  "GET /api/drafts/suggest/": ["reading drafts", 200, { query: "?q=di" }],
  "POST /api/drafts/": ["writing drafts", 201, { json: text }],
  "GET /api/drafts/{id}/": ["reading drafts", 200, { record: make.draft }],
  "PUT /api/drafts/{id}/": ["writing drafts", 200, { record: make.draft, json: text }],
  "PATCH /api/drafts/{id}/": ["writing drafts", 200, { record: make.draft, json: { published: true } }],
  "PATCH /api/drafts/{id}/ of nothing": ["writing drafts", 200, { record: make.draft, json: nothing }],
  "DELETE /api/drafts/{id}/": ["writing drafts", 204, { record: make.draft }],
  "GET /api/drafts/{id}/publication/": ["reading drafts", 200, { record: make.draft }],
  "PUT /api/drafts/{id}/publication/": ["writing drafts", 200, { record: make.draft, json: nothing }],
  "PATCH /api/drafts/{id}/publication/": ["writing drafts", 200, { record: make.draft, json: nothing }],
  "GET /api/drafts/{id}/versions/": ["reading drafts", 200, { record: make.draft }],
  "GET /api/drafts/{id}/versions/{number}/": ["reading drafts", 200, { record: make.changedDraft }],

  "GET /api/edits/": ["reading drafts", 200],
  "GET /api/edits/{key}/": ["reading drafts", 200, { record: make.edit }],
  "PUT /api/edits/{key}/": ["writing drafts", 200, { record: make.edit, json: { title: "x" } }],
  "DELETE /api/edits/{key}/": ["writing drafts", 204, { record: make.edit }],
  "POST /api/edits/{key}/previews/": ["sharing drafts", 201, { record: make.edit }],
  "DELETE /api/edits/{key}/previews/": ["writing drafts", 204, { record: make.edit }],

  "GET /api/media/": ["writing drafts", 200],
  // What is sent is no image.
  "POST /api/media/": ["writing drafts", 415, { json: nothing }],
  "GET /api/media/{sha}/": ["writing drafts", 200, { record: make.image }],
  "DELETE /api/media/{sha}/": ["writing drafts", 204, { record: make.image }],
  "GET /media/{name}": ["posts:read", 200, { record: make.imageFile }],

  "GET /api/posts/{id}/comments/": ["posts:read", 200, { record: make.post }],
  "GET /api/posts/{id}/comments/ of a draft": ["posts:read", 404, { record: make.draft }],
  "POST /api/posts/{id}/comments/": ["commenting", [201, 202], { record: make.post, json: comment }],
  "POST /api/posts/{id}/comments/ of a draft": ["commenting", 404, { record: make.draft, json: comment }],
  "GET /api/comments/": ["moderating", 200],
  "POST /api/comments/reject/": ["moderating", 200, { record: make.waitingComment, json: { contains: "e" } }],
  "GET /api/comments/{id}/": ["moderating", 200, { record: make.waitingComment }],
  "PUT /api/comments/{id}/": ["moderating", 200, { record: make.waitingComment, json: { status: "shown" } }],
  "DELETE /api/comments/{id}/": ["moderating", 204, { record: make.waitingComment }],

  // Signing in does not look at what the caller is already; nobody's password is in the body.
  "POST /api/token/": ["whoever asks", 422, { json: nothing }],
  "DELETE /api/token/": ["signed in", 204, { ends: true, except: { session: 401 } }],
  "POST /api/session/": ["whoever asks", 422, { json: nothing, foreignPages: 403 }],
  "GET /api/session/": ["signed in", 200],
  "DELETE /api/session/": ["anyone", 204, { ends: true, foreignPages: 403 }],
  "GET /api/tokens/": ["account", 200],
  "POST /api/tokens/": ["account", 201, { json: { name: "backup", scopes: ["account"] } }],
  "GET /api/tokens/{id}/": ["account", 200, { record: make.tokenId }],
  "DELETE /api/tokens/{id}/": ["account", 204, { record: make.tokenId }],
  "GET /api/sessions/": ["account", 200],
  "DELETE /api/sessions/{id}/": ["account", 204, { record: make.sessionId }],
  "PUT /api/account/password/": ["account", 422, { json: nothing }],
  "GET /api/site/": ["account", 200],
  "PATCH /api/site/": ["account", 200, { json: { description: "Notes on paper." } }],

  "GET /api/": ["anyone", 200],
  "GET /docs": ["anyone", 200],
  "GET /docs/{name}": ["anyone", 200, { record: async () => "style.css" }],
  "GET /openapi.json": ["anyone", 200],
  "GET /healthz": ["whoever asks", 200],
  "GET /readyz": ["whoever asks", 200],
};
