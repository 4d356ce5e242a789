import { z } from "zod";
import { monotonicNow } from "../../clock.ts";
import type { Database } from "../../database/database.ts";
import { invalid, Refusal } from "../../errors.ts";
import { okWithContentTag } from "../../http/caching/content-response.ts";
import { checkPreconditions, contentTag } from "../../http/caching/etags.ts";
import type { Client } from "../../http/client/client.ts";
import { endpoint, NOT_MODIFIED_RESPONSE, type Routes } from "../../http/endpoint.ts";
import { noContent, totalCount } from "../../http/response-data.ts";
import { Timestamp, text } from "../../text.ts";
import { ACCOUNTS_TAG, PASSWORD_MAX_BYTES, PASSWORD_MIN } from "../account.ts";
import type { AccountParts } from "../account-parts.ts";
import { hasEnded, hashOfSession, sessionKeyOf } from "../sign-in/session.ts";
import { endSession, listSessions, type OwnSession, sessionIdOf } from "../sign-in/session-store.ts";
import { tooManyFailuresRefusal } from "../sign-in/sign-in-throttle.ts";
import type { SessionDependencies } from "../sign-in/start-session.ts";
import { ACCOUNT, idOf } from "../tokens/token-api.ts";
import { changeOwnPassword } from "./change-own-password.ts";

export const PasswordForm = z
  .object({
    current_password: text(),
    new_password: text().meta({
      minLength: PASSWORD_MIN,
      maxLength: PASSWORD_MAX_BYTES,
      description: "At least 10 characters, at most 1,024 bytes.",
    }),
    revoke_tokens: z
      .boolean()
      .default(false)
      .describe(
        "Whether to end all keys of the account, too: tokens, website keys, secret feeds, preview links.",
      ),
  })
  .meta({ id: "PasswordChange" });

const SessionResponse = z
  .object({
    id: z.string(),
    created_at: Timestamp,
    last_seen_at: Timestamp.describe("Accurate to the minute."),
    user_agent: z.string().nullable().describe("The User-Agent of the browser."),
    current: z.boolean().describe("Whether it is the session of this request."),
  })
  .meta({ id: "OwnSession" });
const example = {
  id: "3f786850e387550f",
  created_at: "2026-11-21T06:40:12.345Z",
  last_seen_at: "2026-11-21T07:02:55.001Z",
  user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
  current: true,
};

/** The caller's password and sessions, over HTTP (docs/accounts.md). */
export function ownAccountApi(dependencies: AccountParts): Routes {
  const { database } = dependencies;

  const changePassword = endpoint(
    {
      id: "changePassword",
      tag: ACCOUNTS_TAG,
      summary: "Change your password",
      description: "Ends the other sessions of the account and, if requested, revokes its other tokens.",
      access: ACCOUNT,
      body: PasswordForm,
      example: { current_password: "correct horse battery", new_password: "staple battery horse correct" },
      responses: { 204: { description: "The password is changed." } },
      refusals: [
        invalid([
          { pointer: "/current_password", code: "wrong_password", detail: "The current password is wrong." },
        ]),
        new Refusal("conflict", "The password was changed meanwhile."),
        tooManyFailuresRefusal(4),
      ],
    },
    async ({ request, client, caller, body }) => {
      await changeOwnPassword(dependencies, { request, client, caller }, body);
      return noContent();
    },
  );

  const list = endpoint(
    {
      id: "listSessions",
      tag: ACCOUNTS_TAG,
      summary: "List your sessions",
      description: "The sessions of the account, last used first.",
      access: ACCOUNT,
      headers: ["If-None-Match"],
      responses: {
        200: {
          description: "The sessions.",
          schema: z.array(SessionResponse),
          example: [example],
          headers: ["ETag", "X-Total-Count"],
        },
        304: NOT_MODIFIED_RESPONSE,
      },
      refusals: [],
    },
    async ({ request, client, caller }) => {
      const current = currentSessionId(request, client);
      const sessions = await liveSessions(dependencies, idOf(caller));
      const response = sessions.map((session) => toResponse(session, current));
      return okWithContentTag(request, database, response, { headers: totalCount(response.length) });
    },
  );

  const end = endpoint(
    {
      id: "endSession",
      tag: ACCOUNTS_TAG,
      summary: "End a session",
      description: "Ends a session, the current one or another.",
      access: ACCOUNT,
      params: z.object({ id: z.string().meta({ description: "The session's id.", example: example.id }) }),
      headers: ["If-Match", "If-None-Match"],
      responses: { 204: { description: "The session has ended." } },
      refusals: [missingSession()],
    },
    async ({ request, caller, params }) => {
      const session = (await liveSessions(dependencies, idOf(caller))).find(({ id }) => id === params.id);
      if (session === undefined) throw missingSession();
      checkPreconditions(request, contentTag(database.epoch, session.id));
      const isEnded = await database.write((sql) => endSession(sql, idOf(caller), session.id));
      if (!isEnded) throw missingSession();
      return noContent();
    },
  );

  return {
    "/api/sessions/": { GET: list },
    "/api/sessions/{id}/": { DELETE: end },
    "/api/account/password/": { PUT: changePassword },
  };
}

function missingSession(): Refusal {
  return new Refusal("not_found", "This session was not found.");
}

/** The active sessions of an account. */
export async function liveSessions(
  { database, sessionLimits }: { readonly database: Database } & Pick<SessionDependencies, "sessionLimits">,
  accountId: number,
): Promise<OwnSession[]> {
  const now = monotonicNow(database.clock);
  const sessions = await listSessions(database.read, accountId);
  return sessions.filter((session) => !hasEnded(session, sessionLimits, now));
}

/** The session that a request belongs to. */
export function currentSessionId(request: Request, client: Client): string | undefined {
  const key = sessionKeyOf(request, client.scheme);
  return key && sessionIdOf(hashOfSession(key));
}

function toResponse({ id, createdAt, lastSeenAt, userAgent }: OwnSession, current: string | undefined) {
  return {
    id,
    created_at: createdAt.toISOString(),
    last_seen_at: lastSeenAt.toISOString(),
    user_agent: userAgent,
    current: id === current,
  };
}
