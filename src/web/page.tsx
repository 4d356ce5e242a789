/** @jsxImportSource #jsx */
import type { z } from "zod";
import type { Awaitable } from "../awaitable.ts";
import type { Database, Sql } from "../database/database.ts";
import { readTogether } from "../database/read-together.ts";
import type { Refusal } from "../errors.ts";
import { ANONYMOUS, type Caller } from "../http/access.ts";
import { FORM_BODY } from "../http/body/body-decoders.ts";
import type { Basis } from "../http/caching/rendering.ts";
import type { ResponseCache } from "../http/caching/response-cache.ts";
import type { Call, Page, RefusedRequest, RequestContract } from "../http/endpoint.ts";
import type { ResponseData, StreamedResponseData } from "../http/response-data.ts";
import { DateFormatter, localeOf } from "./date-formatter.ts";
import { HtmlDocument } from "./html-document.tsx";
import { renderToString } from "./jsx/preact.js";
import { en, type Messages } from "./messages/en.ts";
import { menusOf } from "./navigation.ts";
import { clearNotice, noticeOf } from "./notices.ts";
import type { PageContext } from "./page-context.ts";
import {
  isAnonymousRead,
  isView,
  openerPolicy,
  pageHeaders,
  sharedResponse,
  withPageHeaders,
} from "./page-responses.ts";
import { prefersMarkdown } from "./prefers-markdown.ts";
import { type MissingPage, type RefusableContract, type RefusalViews, refusedView } from "./refused-view.tsx";
import { NoticeBox, Toast } from "./sections.tsx";
import { DEFAULT_SITE, type SiteSettings } from "./site/site-settings.ts";
import type { Site } from "./site/site-store.ts";
import type { View } from "./view.ts";

export type { PageContext } from "./page-context.ts";
export type { RefusedForm } from "./refused-view.tsx";

type Shape = z.ZodObject | undefined;

export type PageCall<
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
> = Call<P, Q, B> & PageContext & { readonly wantsMarkdown: boolean };

export interface PageContract<P extends Shape, Q extends Shape, B extends Shape>
  extends RequestContract<P, Q, B>,
    RefusalViews {
  /** Whether it shows only public data: then all anonymous readers get the same cached bytes, with a strong ETag. */
  readonly shared?: boolean;
  /** Whether clients that prefer Markdown get it: its `handle` then looks at {@link PageCall.wantsMarkdown}. */
  readonly hasMarkdown?: boolean;
  /**
   * Whether its `read` is that of one snapshot, so that all it shows agrees; a shared page's always is. Few snapshots are open
   * at a time, so this is not for a page that waits for others, such as for a search.
   */
  readonly inSnapshot?: boolean | ((call: Call<P, Q, B>) => boolean);
}

export interface PagesDependencies {
  readonly database: Pick<Database, "read" | "readMany" | "snapshot">;
  /** The style sheet of the pages. */
  readonly sheet: "site.css" | "library.css";
  readonly missingPage?: MissingPage;
  readonly site: Site;
  readonly cache: ResponseCache;
  /** Whether a path has a page; only called after the routes are built. */
  readonly hasPage: (path: string) => boolean;
  /** Whether anonymous readers may see the library now. */
  readonly openLibrary: () => Awaitable<boolean>;
  /** The basis of shared pages. */
  readonly publicBasis: () => Awaitable<Basis>;
  /** The paths of lists that have nothing to read yet. */
  readonly emptyLists?: () => Awaitable<ReadonlySet<string>>;
  /** The number of waiting comments. */
  readonly waitingComments?: (read: Sql) => Awaitable<number>;
  /** Why nothing can be stored at the moment; undefined when it can. */
  readonly obstacle?: () => Refusal | undefined;
}

/** While the settings cannot be read: the pages are those for strangers. */
const UNKNOWN_SITE: SiteSettings = { ...DEFAULT_SITE, hadAccount: true };

const NOTHING: ReadonlySet<string> = new Set();

/** Makes pages: puts the frame around their views, and renders errors as HTML. */
export class Pages {
  readonly #dependencies: PagesDependencies;
  readonly #messages: Messages = en;

  constructor(dependencies: PagesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Makes pages of a part of the site, with its style sheet and its view of missing pages. */
  with(part: Pick<PagesDependencies, "sheet" | "missingPage">): Pages {
    return new Pages({ ...this.#dependencies, ...part });
  }

  /**
   * A page, as `endpoint` is for programs. Its body is a form unless the contract says otherwise.
   * @param handle returns what to show, or a response such as `seeOther`
   */
  page<P extends Shape = undefined, Q extends Shape = undefined, B extends Shape = undefined>(
    contract: PageContract<P, Q, B>,
    handle: (call: PageCall<P, Q, B>) => Awaitable<View | ResponseData | StreamedResponseData>,
  ): Page {
    const { again, tooLarge, missing, shared = false, hasMarkdown = false, ...others } = contract;
    const { inSnapshot = shared, ...checked } = others;
    const vary = `${hasMarkdown ? "Accept, " : ""}Accept-Encoding, Cookie`;
    const { database } = this.#dependencies;
    const show = async (call: Call<P, Q, B>, read: Sql, wantsMarkdown: boolean, isKept = false) => {
      // A page that is kept may not be older than its basis, which is read after the stamp of the request.
      const site = await this.#dependencies.site.settings(isKept ? undefined : call.stamp);
      // Added to the request itself, so that there is one object of it here, too.
      const shown = Object.assign(call, this.#frame(site, read), { wantsMarkdown });
      const given = await handle(shown);
      const response = isView(given) ? await this.#render(shown, given) : withPageHeaders(given);
      return hasMarkdown ? { ...response, headers: { ...response.headers, vary } } : response;
    };
    return {
      kind: "page",
      contract: { takes: [FORM_BODY], ...checked },
      handle: (call: Call<P, Q, B>) => {
        const isTogether = typeof inSnapshot === "boolean" ? inSnapshot : inSnapshot(call);
        const wantsMarkdown = hasMarkdown && prefersMarkdown(call.request);
        const showIn = (read: Sql) => show(call, read, wantsMarkdown);
        if (!isTogether) return showIn(database.read);
        if (!shared || !isAnonymousRead(call)) return readTogether(database, showIn);
        // The content of the page is only identified by its bytes, so its tag is a hash of them.
        const { cache, publicBasis } = this.#dependencies;
        return sharedResponse(cache, call, { basis: publicBasis, wantsMarkdown, vary }, (read) =>
          show(call, read, wantsMarkdown, true),
        );
      },
      refuse: (refused) => this.#refuse(refused, contract),
    };
  }

  /** Whether a path has a page. */
  hasPage(path: string): boolean {
    return this.#dependencies.hasPage(path);
  }

  /** Renders a 404, or another error outside any page. */
  readonly notFound = (refused: RefusedRequest): Promise<ResponseData> => this.#refuse(refused, {});

  async #refuse(refused: RefusedRequest, contract: RefusableContract): Promise<ResponseData> {
    const { request, stamp, client, path, search, caller } = refused;
    const site = await this.#settingsFor(refused);
    const frame = this.#frame(site, this.#dependencies.database.read);
    const context = { request, stamp, client, path, search, caller: caller ?? ANONYMOUS, ...frame };
    const given = await refusedView(refused, contract, {
      context,
      entries: async () =>
        menusOf(this.#messages, site, caller, await this.#navigation(undefined, context.read)).header,
      hasSearch: this.#dependencies.hasPage("/search"),
      missingPage: this.#dependencies.missingPage,
    });
    return isView(given) ? this.#render(context, given) : given;
  }

  /** The name of the site; the default one while the database is unavailable. */
  async siteName(): Promise<string> {
    return (await this.#settingsIfAvailable()).name;
  }

  /** Errors about the host or the server do not mention the site: the caller is unknown then. */
  async #settingsFor({ caller }: RefusedRequest): Promise<SiteSettings> {
    return caller === undefined ? UNKNOWN_SITE : await this.#settingsIfAvailable();
  }

  async #settingsIfAvailable(): Promise<SiteSettings> {
    try {
      return await this.#dependencies.site.settings();
    } catch {
      return UNKNOWN_SITE;
    }
  }

  /** What pages have besides their request. */
  #frame(site: SiteSettings, read: Sql): Pick<PageContext, "site" | "read" | "messages" | "dates"> {
    const dates = new DateFormatter(localeOf(site), site.timeZone, site.dateStyle);
    return { site, read, messages: this.#messages, dates };
  }

  async #render(context: PageContext, view: View): Promise<ResponseData> {
    const { request, client, path, site, messages } = context;
    const caller = view.asReader ? ANONYMOUS : context.caller;
    const notice = noticeOf(request, messages.notices);
    const navigation = await this.#navigation(caller, context.read);
    const obstacle = caller.account && this.#obstacle();
    const markup = (
      <HtmlDocument
        view={view}
        sheet={this.#dependencies.sheet}
        messages={messages}
        site={site}
        path={path}
        caller={caller}
        menus={menusOf(messages, site, caller, navigation, view.forReaders)}
        notice={
          <>
            {obstacle && <NoticeBox>{messages.obstacles[obstacle]}</NoticeBox>}
            {notice && <Toast>{view.notice ?? messages.notices[notice.code]}</Toast>}
          </>
        }
      />
    );
    const cookies = [...(view.cookies ?? []), ...(notice ? [clearNotice(client.scheme)] : [])];
    return {
      status: view.status ?? 200,
      body: `<!DOCTYPE html>${renderToString(markup)}`,
      contentType: "text/html; charset=utf-8",
      caching: notice === undefined ? (view.caching ?? "personal") : "private",
      headers: { ...pageHeaders(view), ...openerPolicy(view), ...view.headers },
      ...(view.validUntil !== undefined && { validUntil: view.validUntil }),
      cookies,
    };
  }

  #obstacle(): "read_only" | "storage_full" | undefined {
    const reason = this.#dependencies.obstacle?.()?.reason;
    return reason === "read_only" || reason === "storage_full" ? reason : undefined;
  }

  async #navigation(caller: Caller | undefined, read: Sql) {
    const { hasPage, openLibrary, emptyLists, waitingComments } = this.#dependencies;
    const mayDecide = caller?.scopes.has("comments:moderate") ?? false;
    try {
      const waiting = mayDecide ? await waitingComments?.(read) : undefined;
      return {
        hasPage,
        openLibrary: await openLibrary(),
        emptyLists: (await emptyLists?.()) ?? NOTHING,
        waitingComments: waiting,
      };
    } catch {
      // Without the database, a page can still report the outage.
      return { hasPage, openLibrary: false, emptyLists: NOTHING, waitingComments: undefined };
    }
  }
}
