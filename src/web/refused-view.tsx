/** @jsxImportSource #jsx */
import type { z } from "zod";
import type { Awaitable } from "../awaitable.ts";
import { Refusal } from "../errors.ts";
import type { FormFields, FormValue } from "../http/body/body-decoders.ts";
import type { RefusedRequest } from "../http/endpoint.ts";
import { type Problem, refusalHeaders } from "../http/problems.ts";
import type { ResponseData } from "../http/response-data.ts";
import { FormState } from "./forms/form-state.ts";
import type { Markup } from "./jsx/preact.js";
import type { Messages } from "./messages/en.ts";
import type { NavigationEntry } from "./navigation.ts";
import type { PageContext } from "./page-context.ts";
import { isPathError } from "./page-responses.ts";
import { anyUrl, local, localTarget, type SafeUrl, SIGN_IN_BESIDE } from "./urls.ts";
import { seeOther, type View } from "./view.ts";

/** A refused form with its typed values. */
export interface RefusedForm extends PageContext {
  readonly form: FormState;
  readonly refusal: Refusal;
  /** The path's parameters before validation. */
  readonly pathParams: Readonly<Record<string, string>>;
}

/** The views of a page for refused requests. */
export interface RefusalViews {
  /** Shows a refused form again, with the errors beside the fields. */
  readonly again?: (refused: RefusedForm) => Awaitable<View>;
  /** Shows the form again when its body was too large to be read. */
  readonly tooLarge?: (context: PageContext) => Awaitable<View>;
  /** Shown when the subject of the page does not exist; a general text by default. */
  readonly missing?: (context: PageContext) => View;
}

/** The view of missing pages in a part of the site; undefined where a general one is shown. */
export type MissingPage = (context: PageContext) => Awaitable<View | undefined>;

/** The parts of a page contract that refusals depend on. */
export interface RefusableContract extends RefusalViews {
  readonly access?: unknown;
  readonly params?: z.ZodObject | undefined;
}

/** The page for a refused request: a redirect to the sign-in, the form with its errors, or an error page. */
export async function refusedView(
  refused: RefusedRequest,
  { access, params, again, tooLarge, missing }: RefusableContract,
  {
    context,
    entries,
    hasSearch,
    missingPage,
  }: {
    readonly context: PageContext;
    /** The entries of the navigation. */
    readonly entries: () => Promise<readonly NavigationEntry[]>;
    readonly hasSearch: boolean;
    readonly missingPage: MissingPage | undefined;
  },
): Promise<View | ResponseData> {
  const { request, path, search, refusal, problem, fields, caller, pathParams } = refused;
  const { messages } = context;
  const headers = refusal && refusalHeaders(refusal);
  if (refusal?.reason === "unauthenticated" && access !== undefined && caller?.account === undefined) {
    if (request.method === "GET" || request.method === "HEAD")
      return seeOther(local("/sign-in", { next: path + search }));
    const body = (
      <TypedBody
        {...messages.signedOut}
        messages={messages}
        action={localTarget(path + search, local("/"))}
        typed={fields}
      />
    );
    return {
      title: messages.signedOut.title,
      status: 401,
      body,
      ...(headers && { headers }),
    };
  }
  // Refused before anybody knew who asks, so that the form itself cannot be shown again.
  if (isObstacle(refusal) && caller === undefined && fields !== undefined) {
    const title = messages.refused.titles[problem.status] ?? problem.title;
    const text = `${problem.detail} ${messages.refused.typedIsKept}`;
    const body = (
      <TypedBody
        {...{ title, text, messages, typed: fields }}
        action={localTarget(path + search, local("/"))}
      />
    );
    return { title, status: problem.status, body, ...(headers && { headers }) };
  }
  const isMissing = problem.status === 404 || isPathError(refusal, params);
  if (isMissing && missing !== undefined) {
    const view = missing(context);
    return { ...view, status: 404, headers: { ...headers, ...view.headers } };
  }
  if (refusal?.reason === "too_large" && tooLarge !== undefined) {
    const view = await tooLarge(context);
    return {
      ...view,
      title: messages.errorTitle(view.title),
      status: problem.status,
      headers: { ...headers, ...view.headers },
    };
  }
  if (refusal !== undefined && fields !== undefined && again !== undefined) {
    const errors = refusal.errors.map((error) => ({
      ...error,
      detail: messages.forms.errors[error.code] ?? error.detail,
    }));
    const form = FormState.refused(fields, problem.detail, errors);
    const view = await unlessRefused(() => again({ ...context, form, refusal, pathParams }));
    if (view !== undefined) {
      const title = messages.errorTitle(view.title);
      return {
        ...view,
        title,
        status: problem.status,
        headers: { ...headers, ...view.headers },
      };
    }
  }
  const generalView = isMissing ? await missingPage?.(context) : undefined;
  if (generalView !== undefined) return { ...generalView, status: 404, ...(headers && { headers }) };
  const isWrongPage = refusal?.errors.some(({ parameter }) => parameter === "page") ?? false;
  const title = isMissing
    ? messages.noSuchPage.title
    : isWrongPage
      ? messages.refused.wrongPage
      : (messages.refused.titles[problem.status] ?? problem.title);
  const body = (
    <ProblemBody
      messages={messages}
      title={title}
      problem={problem}
      isMissing={isMissing}
      firstPage={isWrongPage ? firstPageOf(path, search) : undefined}
      searchFor={isMissing && hasSearch ? wordsOf(path) : undefined}
      again={mayHelpAgain(request.method, problem) ? localTarget(path + search, local("/")) : undefined}
      entries={await entries()}
      offersSignIn={isMissing && context.caller.account === undefined}
    />
  );
  return {
    title,
    status: isMissing ? 404 : problem.status,
    body,
    layout: "reading",
    // A reader's mistyped address is a page of the site, too.
    forReaders: isMissing && context.caller.account === undefined,
    noIndex: true,
    ...(headers && { headers }),
  };
}

/** Whether nothing can be stored by anyone. */
export function isObstacle(refusal: Refusal | undefined): boolean {
  return refusal?.reason === "read_only" || refusal?.reason === "storage_full";
}

/** The form; undefined when it cannot be shown again, since the record that it is about does not exist. */
async function unlessRefused(show: () => Awaitable<View>): Promise<View | undefined> {
  try {
    return await show();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Whether a page may be there when it is asked for again. */
function mayHelpAgain(method: string, { status }: Problem): boolean {
  return method === "GET" && (status >= 500 || status === 429);
}

interface ProblemProps {
  readonly messages: Messages;
  readonly title: string;
  readonly problem: Problem;
  /** Whether the page does not exist. */
  readonly isMissing: boolean;
  /** Words to search for instead; undefined when nothing can be searched. */
  readonly searchFor: string | undefined;
  /** The same page, if it may be there later. */
  readonly again: SafeUrl | undefined;
  /** The first page, if the address has a wrong page number. */
  readonly firstPage: SafeUrl | undefined;
  /** Existing pages to link to. */
  readonly entries: readonly NavigationEntry[];
  /** Readers' pages have no link to the sign-in, so that the owner may look for it at any address. */
  readonly offersSignIn: boolean;
}

/** The body of an error page, with the text of the problem document. */
function ProblemBody({
  messages,
  title,
  problem,
  isMissing,
  searchFor,
  again,
  firstPage,
  entries,
  offersSignIn,
}: ProblemProps): Markup {
  const { status, detail, errors = [] } = problem;
  return (
    <div class="row">
      {firstPage === undefined && <p class="margin">{isMissing ? 404 : status}</p>}
      <div class="stack">
        <h1>{title}</h1>
        {firstPage === undefined ? (
          <p>
            {isMissing ? messages.noSuchPage.text : status === 413 ? messages.refused.tooLarge : detail}
            {searchFor !== undefined && ` ${messages.noSuchPage.searchInstead}`}
          </p>
        ) : (
          <p>
            <a class="button" href={firstPage}>
              {messages.refused.firstPage}
            </a>
          </p>
        )}
        {!isMissing && firstPage === undefined && errors.length > 1 && (
          <ul>
            {errors.map((error) => (
              <li>
                {error.pointer?.slice(1) ?? error.parameter}: {error.detail}
              </li>
            ))}
          </ul>
        )}
        {again !== undefined && (
          <p>
            <a class="button" href={again}>
              {messages.refused.again}
            </a>
          </p>
        )}
        {searchFor !== undefined && (
          <form class="find" action={local("/search")}>
            <p>
              <input type="search" name="q" aria-label={messages.noSuchPage.search} value={searchFor} />
            </p>
            <button class="button" type="submit">
              {messages.noSuchPage.find}
            </button>
          </form>
        )}
        <ul class="lines">
          {entries.map(({ href, text }) => (
            <li>
              <a href={anyUrl(href)}>{text}</a>
            </li>
          ))}
          {entries.length === 0 && (
            <li>
              <a href={local("/")}>{messages.refused.home}</a>
            </li>
          )}
          {offersSignIn && (
            <li>
              <a href={local("/sign-in")}>{messages.navigation.signIn}</a>
            </li>
          )}
        </ul>
      </div>
    </div>
  );
}

interface TypedProps {
  readonly title: string;
  readonly text: string;
  /** The words of a link to sign in, where that is to be done first. */
  readonly first?: string;
  readonly messages: Messages;
  /** Where the form was sent. */
  readonly action: SafeUrl;
  readonly typed: FormFields | undefined;
}

/** A form was refused for a reason that has nothing to do with it: the typed values can be sent again. */
function TypedBody({ title, text, first, messages, action, typed = {} }: TypedProps): Markup {
  const { again, typed: typedLabel } = messages.signedOut;
  const fields = Object.entries(typed).flatMap(([name, values]) => textsOf(name, values));
  const signIn = first !== undefined && (
    <a class="button" href={SIGN_IN_BESIDE} target="_blank" rel="noopener">
      {first}
    </a>
  );
  return (
    <div class="row">
      <div class="stack">
        <h1>{title}</h1>
        {fields.length > 0 && <p>{text}</p>}
        {fields.length === 0 ? (
          <p>{signIn}</p>
        ) : (
          <form method="post" action={action} class="stack">
            {fields.map(({ name, value }) => (
              <input type="hidden" name={name} value={value} />
            ))}
            <p class="bar">
              {signIn}
              <button class="button plain" type="submit">
                {again}
              </button>
            </p>
            <details>
              <summary>{typedLabel}</summary>
              <dl>
                {fields.map(({ name, value }) => (
                  <>
                    <dt>{name}</dt>
                    <dd dir="auto">
                      <pre>{value}</pre>
                    </dd>
                  </>
                ))}
              </dl>
            </details>
          </form>
        )}
      </div>
    </div>
  );
}

/** The values of a field to send again; not files, and not passwords. */
function textsOf(
  name: string,
  values: FormValue | readonly FormValue[],
): { readonly name: string; readonly value: string }[] {
  if (/password/i.test(name)) return [];
  const all = typeof values === "string" || values instanceof File ? [values] : values;
  return all.filter((value) => typeof value === "string").map((value) => ({ name, value }));
}

/** An address without its page number. */
function firstPageOf(path: string, search: string): SafeUrl {
  const query = new URLSearchParams(search);
  query.delete("page");
  return localTarget(query.size === 0 ? path : `${path}?${query}`, local("/"));
}

/** The words of an address's last part, to search for a missing page; a number alone is none. */
function wordsOf(path: string): string {
  let text = path;
  try {
    text = decodeURIComponent(path);
  } catch {
    // Malformed percent-encoding: search for the text as it is.
  }
  const last =
    text
      .split("/")
      .findLast((part) => part !== "")
      ?.replace(/\.html?$/i, "") ?? "";
  const words = last.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.some((word) => /\p{L}/u.test(word)) ? words.join(" ").slice(0, 100) : "";
}
