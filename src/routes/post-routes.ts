import type { Routes } from "../http/endpoint.ts";
import type { mediaApi } from "../media/media-api.ts";
import type { commentApi } from "../posts/comments/comment-api.ts";
import type { moderationApi } from "../posts/comments/moderation-api.ts";
import type { editApi } from "../posts/editing/edit-api.ts";
import type { versionApi } from "../posts/editing/version-api.ts";
import type { postApi } from "../posts/post-api.ts";
import type { publicationApi } from "../posts/publication/publication-api.ts";
import type { tagSuggestionApi } from "../posts/tag-suggestions.ts";

/** The endpoints of posts; those of a server without posts are absent. */
export interface PostApis {
  readonly posts?: ReturnType<typeof postApi> | undefined;
  readonly drafts?: ReturnType<typeof postApi> | undefined;
  readonly postPublications?: ReturnType<typeof publicationApi> | undefined;
  readonly draftPublications?: ReturnType<typeof publicationApi> | undefined;
  readonly postVersions?: ReturnType<typeof versionApi> | undefined;
  readonly draftVersions?: ReturnType<typeof versionApi> | undefined;
  readonly postTags?: ReturnType<typeof tagSuggestionApi> | undefined;
  readonly edits?: ReturnType<typeof editApi> | undefined;
  readonly media?: ReturnType<typeof mediaApi> | undefined;
  readonly comments?: ReturnType<typeof commentApi> | undefined;
  readonly moderation?: ReturnType<typeof moderationApi> | undefined;
}

/** Posts, drafts, images and comments. */
export function postRoutes({
  posts,
  drafts,
  postPublications,
  draftPublications,
  postVersions,
  draftVersions,
  postTags,
  edits,
  media,
  comments,
  moderation,
}: PostApis): Routes {
  return {
    ...(posts && {
      "/api/posts/": { GET: posts.list, POST: posts.create },
      "/api/posts/{id}/": { GET: posts.read, PUT: posts.replace, PATCH: posts.patch, DELETE: posts.remove },
    }),
    ...(drafts && {
      "/api/drafts/": { GET: drafts.list, POST: drafts.create },
      "/api/drafts/{id}/": {
        GET: drafts.read,
        PUT: drafts.replace,
        PATCH: drafts.patch,
        DELETE: drafts.remove,
      },
    }),
    ...(postPublications && {
      "/api/posts/{id}/publication/": {
        GET: postPublications.read,
        PUT: postPublications.replace,
        PATCH: postPublications.patch,
      },
    }),
    ...(draftPublications && {
      "/api/drafts/{id}/publication/": {
        GET: draftPublications.read,
        PUT: draftPublications.replace,
        PATCH: draftPublications.patch,
      },
    }),
    ...(postVersions && {
      "/api/posts/{id}/versions/": { GET: postVersions.list },
      "/api/posts/{id}/versions/{number}/": { GET: postVersions.read },
    }),
    ...(draftVersions && {
      "/api/drafts/{id}/versions/": { GET: draftVersions.list },
      "/api/drafts/{id}/versions/{number}/": { GET: draftVersions.read },
    }),
    ...(postTags && { "/api/drafts/suggest/": { GET: postTags.suggest } }),
    ...(edits && {
      "/api/edits/": { GET: edits.list },
      "/api/edits/{key}/": { GET: edits.read, PUT: edits.save, DELETE: edits.remove },
      "/api/edits/{key}/previews/": { POST: edits.share, DELETE: edits.unshare },
    }),
    ...(media && {
      "/api/media/": { GET: media.list, POST: media.create },
      "/api/media/{sha}/": { GET: media.read, DELETE: media.remove },
      "/media/{name}": { GET: media.show },
    }),
    ...(comments && {
      "/api/posts/{id}/comments/": {
        GET: comments.list,
        ...(comments.create && { POST: comments.create }),
      },
    }),
    ...(moderation && {
      "/api/comments/": { GET: moderation.list },
      "/api/comments/reject/": { POST: moderation.reject },
      "/api/comments/{id}/": { GET: moderation.read, PUT: moderation.decide, DELETE: moderation.remove },
    }),
  };
}
