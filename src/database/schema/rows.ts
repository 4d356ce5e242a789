// Written by `npm run rows` from postgres.sql, whose columns are those of sqlite.sql. The search index is left out.

import type { Instant } from "../value.ts";

/** A truth value: on SQLite 0 or 1. */
export type Truth = boolean | number;

/** The columns of each table, as a statement reads them. */
export interface Rows {
  readonly meta: {
    readonly name: string;
    readonly value: string;
  };
  readonly counters: {
    readonly name: string;
    readonly slot: number;
    readonly n: number;
  };
  readonly commits: {
    readonly slot: number;
    readonly n: number;
  };
  readonly idempotency_keys: {
    readonly caller: string;
    readonly path: string;
    readonly key: string;
    readonly body_sha256: string;
    readonly status: number;
    readonly location: string | null;
    readonly body: string;
    readonly created_at: Instant;
  };
  readonly jobs: {
    readonly id: number;
    readonly kind: string;
    readonly key: string;
    readonly payload: string;
    readonly requests: number;
    readonly run_at: Instant;
    readonly attempts: number;
    readonly last_error: string | null;
    readonly lease: string | null;
    readonly leased_until: Instant | null;
    readonly created_at: Instant;
  };
  readonly accounts: {
    readonly id: number;
    readonly username: string;
    readonly username_key: string;
    readonly display_name: string | null;
    readonly password_hash: string;
    readonly created_at: Instant;
    readonly updated_at: Instant;
    readonly disabled_at: Instant | null;
  };
  readonly sessions: {
    readonly key_sha256: string;
    readonly account_id: number;
    readonly user_agent: string | null;
    readonly created_at: Instant;
    readonly last_seen_at: Instant;
  };
  readonly sign_in_failures: {
    readonly subject: string;
    readonly failures: number;
    readonly last_failed_at: Instant;
  };
  readonly tokens: {
    readonly id: number;
    readonly account_id: number;
    readonly name: string;
    readonly secret_sha256: string;
    readonly scopes: string;
    readonly client_id: string | null;
    readonly created_at: Instant;
    readonly expires_at: Instant | null;
    readonly last_used_at: Instant | null;
  };
  readonly authorization_codes: {
    readonly code_key_sha256: string;
    readonly account_id: number;
    readonly client_id: string;
    readonly redirect_uri: string;
    readonly challenge: string;
    readonly scopes: string;
    readonly token_days: number | null;
    readonly created_at: Instant;
    readonly expires_at: Instant;
    readonly used_at: Instant | null;
    readonly given_token_id: number | null;
  };
  readonly keys: {
    readonly id: number;
    readonly kind: "website" | "library-feed" | "comment-feed" | "shared-list" | "preview";
    readonly account_id: number;
    readonly secret_sha256: string;
    readonly name: string;
    readonly target: string;
    readonly with_notes: Truth;
    readonly created_at: Instant;
    readonly expires_at: Instant | null;
    readonly last_used_at: Instant | null;
    readonly token_id: number | null;
    readonly token_name: string | null;
  };
  readonly welcome_links: {
    readonly secret_sha256: string;
    readonly created_at: Instant;
    readonly expires_at: Instant;
  };
  readonly site_settings: {
    readonly name: string;
    readonly value: string;
    readonly updated_at: Instant;
  };
  readonly themes: {
    readonly hash: string;
    readonly css: string;
    readonly created_at: Instant;
  };
  readonly bookmarks: {
    readonly id: number;
    readonly title: string;
    readonly url: string;
    readonly created_at: Instant;
    readonly updated_at: Instant;
    readonly version: number;
    readonly created_by: number | null;
    readonly unread: Truth;
    readonly archived: Truth;
    readonly shared: Truth;
    readonly states_updated_at: Instant | null;
    readonly not_before: Instant | null;
    readonly description: string;
    readonly digest: number | null;
  };
  readonly tags: {
    readonly id: number;
    readonly key: string;
    readonly name: string;
    readonly created_at: Instant;
  };
  readonly site_icons: {
    readonly host: string;
    readonly hash: string;
    readonly read_at: Instant;
    readonly small: Uint8Array;
    readonly large: Uint8Array;
  };
  readonly copies: {
    readonly id: number;
    readonly bookmark_id: number;
    readonly taken_at: Instant;
    readonly origin: "browser" | "fetched" | "imported";
    readonly url: string;
    readonly title: string;
    readonly byline: string | null;
    readonly site: string | null;
    readonly language: string | null;
    readonly direction: "ltr" | "rtl" | null;
    readonly published_at: Instant | null;
    readonly words: number;
    readonly is_article: Truth;
    readonly extractor: number;
    readonly size: number;
    readonly created_by: number | null;
    readonly digest: number;
    readonly text: Uint8Array;
  };
  readonly copy_blobs: {
    readonly sha256: string;
    readonly size: number;
    readonly object: string | null;
    readonly bytes: Uint8Array | null;
  };
  readonly copy_parts: {
    readonly copy_id: number;
    readonly name: string;
    readonly sha256: string;
    readonly type: string;
    readonly width: number | null;
    readonly height: number | null;
    readonly position: number | null;
  };
  readonly reading: {
    readonly bookmark_id: number;
    readonly copy_id: number | null;
    readonly place: number;
    readonly progress: number;
    readonly begun_at: Instant;
    readonly updated_at: Instant;
    readonly finished: Truth;
  };
  readonly copy_failures: {
    readonly bookmark_id: number;
    readonly failed_at: Instant;
    readonly reason: string;
  };
  readonly marks: {
    readonly id: number;
    readonly bookmark_id: number;
    readonly quote: string;
    readonly prefix: string;
    readonly suffix: string;
    readonly position: number | null;
    readonly note: string;
    readonly version: number;
    readonly created_at: Instant;
    readonly updated_at: Instant;
    readonly created_by: number | null;
    readonly digest: number;
  };
  readonly page_pictures: {
    readonly url: string;
    readonly page: string;
    readonly read_at: Instant;
    readonly sha256: string | null;
    readonly width: number | null;
    readonly height: number | null;
    readonly is_public: Truth;
    readonly unused_since: Instant | null;
  };
  readonly posts: {
    readonly id: number;
    readonly title: string;
    readonly published: Truth;
    readonly created_at: Instant;
    readonly updated_at: Instant;
    readonly published_at: Instant | null;
    readonly version: number;
    readonly comments_version: number;
    readonly created_by: number | null;
    readonly kind: "post" | "link" | "page";
    readonly link: string | null;
    readonly slug: string | null;
    readonly summary: string | null;
    readonly language: string | null;
    readonly image: string | null;
    readonly canonical_url: string | null;
    readonly publish_at: Instant | null;
    readonly publication_version: number;
    readonly content: string;
    readonly digest: number | null;
  };
  readonly former_slugs: {
    readonly slug: string;
    readonly post_id: number;
  };
  readonly redirects: {
    readonly path: string;
    readonly post_id: number;
  };
  readonly post_tags: {
    readonly post_id: number;
    readonly position: number;
    readonly key: string;
    readonly name: string;
  };
  readonly post_properties: {
    readonly post_id: number;
    readonly properties: string;
  };
  readonly rendered_posts: {
    readonly post_id: number;
    readonly with_image: Truth;
    readonly renderer: number;
    readonly source_sha256: string;
    readonly html: string;
    readonly excerpt: string;
    readonly has_more: Truth;
    readonly minutes: number;
    readonly image: string | null;
  };
  readonly post_versions: {
    readonly post_id: number;
    readonly number: number;
    readonly title: string;
    readonly content: string;
    readonly published: Truth;
    readonly replaced_at: Instant;
    readonly replaced_by: number | null;
  };
  readonly edits: {
    readonly key: string;
    readonly post_id: number | null;
    readonly base_version: number | null;
    readonly title: string;
    readonly content: string;
    readonly fields: string;
    readonly version: number;
    readonly created_at: Instant;
    readonly updated_at: Instant;
    readonly created_by: number | null;
  };
  readonly comments: {
    readonly id: number;
    readonly post_id: number;
    readonly author: string;
    readonly text: string;
    readonly status: "shown" | "waiting" | "rejected";
    readonly reasons: string | null;
    readonly sender: string | null;
    readonly parent_id: number | null;
    readonly created_at: Instant;
    readonly created_by: number | null;
    readonly digest: number | null;
  };
  readonly media: {
    readonly sha: string;
    readonly type: "jpg" | "png" | "webp";
    readonly width: number;
    readonly height: number;
    readonly size: number;
    readonly created_at: Instant;
    readonly created_by: number | null;
  };
  readonly media_forms: {
    readonly sha: string;
    readonly width: number;
    readonly bytes: Uint8Array | null;
    readonly object: string | null;
    readonly digest: number | null;
  };
  readonly media_objects: {
    readonly object: string;
    readonly used_at: Instant;
    readonly removing_until: Instant | null;
  };
  readonly changes: {
    readonly id: number;
    readonly key: string;
    readonly record: string;
    readonly kind: string;
    readonly details: string;
    readonly created_at: Instant;
    readonly created_by: number | null;
    readonly undone_at: Instant | null;
    readonly token_id: number | null;
    readonly token_name: string | null;
  };
  readonly change_rows: {
    readonly change_id: number;
    readonly record: string;
    readonly record_id: number;
    readonly outcome: "added" | "updated" | "deleted";
    readonly version: number;
    readonly before: string;
    readonly stamp: string | null;
  };
  readonly import_uploads: {
    readonly key: string;
    readonly kind: "bookmarks" | "blog";
    readonly file_name: string;
    readonly state: "uploaded" | "reading" | "refused" | "ready" | "importing" | "failed" | "done";
    readonly reason: string | null;
    readonly rule: string | null;
    readonly with_tags: Truth | null;
    readonly import_id: number | null;
    readonly records: number;
    readonly imported: number;
    readonly step_done: number;
    readonly step_total: number;
    readonly items: number;
    readonly created_at: Instant;
    readonly finished_at: Instant | null;
  };
  readonly import_pieces: {
    readonly key: string;
    readonly part: "file" | "records" | "preview" | "report" | "pictures";
    readonly number: number;
    readonly bytes: Uint8Array;
  };
  readonly imports: {
    readonly id: number;
    readonly file_name: string;
    readonly format: string;
    readonly toolbar_folder: string | null;
    readonly created_at: Instant;
    readonly created_by: number | null;
    readonly undone_at: Instant | null;
  };
  readonly import_rows: {
    readonly import_id: number;
    readonly position: number;
    readonly kind: string;
    readonly file: string;
    readonly line: number;
    readonly title: string;
    readonly outcome: "added" | "updated" | "skipped" | "refused";
    readonly reason: string | null;
    readonly detail: string | null;
    readonly record_id: number | null;
    readonly record_key: string | null;
    readonly record_version: number | null;
    readonly before: string | null;
    readonly raw_url: string | null;
    readonly raw_tags: string | null;
    readonly raw_date: string | null;
    readonly folders: string | null;
  };
}
