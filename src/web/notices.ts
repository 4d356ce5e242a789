import type { Client } from "../http/client/client.ts";
import { cookieValue } from "./cookies.ts";
import type { NoticeCode } from "./messages/en.ts";

/** A notice on the next page. The cookie has a code and perhaps an id, never a text. */
export interface Notice {
  readonly code: NoticeCode;
  /** The subject, such as the id of an undoable change. */
  readonly about?: string | undefined;
}

const COOKIE = "commonplace_notice";
/** How long a notice waits for the next page, in seconds. */
const MAX_AGE = 60;

/** `Set-Cookie` for a notice on the next page. @param about letters, digits, `-` and `_`, at most 64 */
export function noticeCookie({ code, about }: Notice, scheme: Client["scheme"]): string {
  return `${COOKIE}=${code}${about === undefined ? "" : `.${about}`}; Max-Age=${MAX_AGE}; ${attributes(scheme)}`;
}

/** `Set-Cookie` that deletes a shown notice. */
export function clearNotice(scheme: Client["scheme"]): string {
  return `${COOKIE}=; Max-Age=0; ${attributes(scheme)}`;
}

/** The notice in a request; undefined if there is none, or its code is unknown. */
export function noticeOf(request: Request, known: Readonly<Record<string, unknown>>): Notice | undefined {
  const [, code = "", about] =
    /^([a-z-]{1,40})(?:\.([\w-]{1,64}))?$/.exec(cookieValue(request, COOKIE) ?? "") ?? [];
  return Object.hasOwn(known, code) ? { code: code as NoticeCode, about } : undefined;
}

function attributes(scheme: Client["scheme"]): string {
  return `Path=/; HttpOnly; SameSite=Lax${scheme === "https" ? "; Secure" : ""}`;
}
