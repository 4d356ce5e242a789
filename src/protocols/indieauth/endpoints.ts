import { z } from "zod";
import type { Account } from "../../accounts/account.ts";
import { findAccount } from "../../accounts/account-store.ts";
import { assistantScopes, type Scope } from "../../accounts/scope.ts";
import { endAfter, hashOfSecret, keyOf, newSecret } from "../../accounts/tokens/token.ts";
import { deleteToken, findTokenByKey, insertToken } from "../../accounts/tokens/token-store.ts";
import type { Awaitable } from "../../awaitable.ts";
import type { Database, Sql } from "../../database/database.ts";
import { FORM_BODY, type FormFields } from "../../http/body/body-decoders.ts";
import {
  type Call,
  type ProtocolOperation,
  protocolOperations,
  type RefusedRequest,
  type RequestContract,
} from "../../http/endpoint.ts";
import { refusalHeaders } from "../../http/problems.ts";
import { ok, type ResponseData } from "../../http/response-data.ts";
import { type Audience, INDIEAUTH_SCOPES, issuerUrl, parseScopes } from "./authorization-request.ts";
import { type Grant, nameInCode, type Redemption, recordToken, redeemCode } from "./code-store.ts";
import { assistantResource, isAssistantResource } from "./protected-resource.ts";

export interface IndieAuthEndpointsDependencies extends Omit<Audience, "origin"> {
  readonly database: Database;
}

const Body = z.looseObject({});
type FormCall = Call<undefined, undefined, typeof Body>;

/** Open to pages of any origin: cookies are ignored, or the response is not secret. */
const operation = protocolOperations(refuse, { anyOrigin: true });

/** The endpoints that programs call (IndieAuth, sections 4 to 7). */
export function indieAuthEndpoints({ database, ...audience }: IndieAuthEndpointsDependencies) {
  const metadata = operation({ skipsAuthentication: true }, ({ client: { origin } }) =>
    ok(metadataOf({ ...audience, origin }), { caching: "public" }),
  );

  /** What assistants read of the address that they use (RFC 9728). */
  const resource = operation({ skipsAuthentication: true }, ({ client: { origin } }) =>
    ok(
      {
        resource: assistantResource(origin),
        authorization_servers: [issuerUrl(origin)],
        scopes_supported: audience.assistants,
        bearer_methods_supported: ["header"],
      },
      { caching: "public" },
    ),
  );

  /** Redeems a code for the profile, without a token. */
  const profile = formOperation({ skipsAuthentication: true }, (call) =>
    redeem(database, call, async (_, grant, account) => ok(whoIs(grant, account, call.client.origin))),
  );

  const token = formOperation({ skipsAuthentication: true }, (call) => {
    const { origin } = call.client;
    const target = textIn(call, "resource");
    if (target !== "" && !isAssistantResource(target, origin))
      return failed("invalid_target", "resource is not the address that this site has for assistants.");
    return redeem(database, call, async (sql, grant, account, { code }) => {
      const given = grant.scopes.split(" ") as Scope[];
      const assistants = assistantScopes(given);
      const isAssistant = assistants.length > 0;
      const scopes = isAssistant ? given : micropubScopes(grant);
      if (scopes.length === 0)
        return failed("invalid_grant", "The code grants no scope: it can only be used for the profile.");
      const secret = newSecret();
      const now = database.clock.now();
      const newToken = {
        name: nameInCode(code) ?? new URL(grant.clientId).host.slice(0, 100),
        clientId: grant.clientId,
        secretHash: hashOfSecret(secret),
        scopes,
        expiresAt: endAfter(grant.tokenDays, now),
      };
      const id = await insertToken(sql, account, newToken, now);
      if (id === undefined) return failed("invalid_grant", "The account is disabled.");
      await recordToken(sql, code, id);
      return ok({
        access_token: keyOf(id, secret),
        token_type: "Bearer",
        scope: isAssistant ? assistants.join(" ") : grant.scopes,
        ...(grant.tokenDays !== null && { expires_in: grant.tokenDays * 86_400 }),
        ...(!isAssistant && whoIs(grant, account, origin)),
      });
    });
  });

  /** Token introspection, for callers with a token of the same account (RFC 7662). */
  const introspect = formOperation({ access: { anonymous: false } }, async (call) => {
    const found = await findTokenByKey(database.read, textIn(call, "token"));
    const isLive =
      found !== undefined &&
      !found.disabled &&
      (found.token.expiresAt === null || found.token.expiresAt > database.clock.now()) &&
      found.token.accountId === call.caller.account?.id;
    if (!isLive) return ok({ active: false });
    const { scopes, clientId, createdAt, expiresAt } = found.token;
    return ok({
      active: true,
      me: issuerUrl(call.client.origin),
      ...(clientId !== null && { client_id: clientId }),
      scope: scopes.map((scope) => scope.replace(/^(?:micropub|mcp):/, "")).join(" "),
      iat: Math.floor(createdAt.getTime() / 1000),
      ...(expiresAt !== null && { exp: Math.floor(expiresAt.getTime() / 1000) }),
    });
  });

  /** 200 for an unknown token, too (RFC 7009, section 2.2). */
  const revoke = formOperation({ skipsAuthentication: true }, async (call) => {
    const found = await findTokenByKey(database.read, textIn(call, "token"));
    if (found !== undefined) await database.write((sql) => deleteToken(sql, found.token.id));
    return ok({});
  });

  return { metadata, resource, profile, token, introspect, revoke };
}

function metadataOf({ origin, programs, assistants, fetchClient }: Audience) {
  const at = (name: string) => `${origin}/indieauth/${name}`;
  return {
    issuer: issuerUrl(origin),
    authorization_endpoint: at("authorize"),
    token_endpoint: at("token"),
    introspection_endpoint: at("introspect"),
    revocation_endpoint: at("revoke"),
    revocation_endpoint_auth_methods_supported: ["none"],
    scopes_supported: [...(programs ? INDIEAUTH_SCOPES : []), ...assistants],
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    ...(assistants.length > 0 && {
      token_endpoint_auth_methods_supported: ["none"],
      client_id_metadata_document_supported: fetchClient !== undefined,
    }),
  };
}

function micropubScopes({ scopes }: Grant): Scope[] {
  return parseScopes(scopes).flatMap((scope) => (scope === "profile" ? [] : [`micropub:${scope}` as const]));
}

/** The identity is the site; the account's name is returned only with the scope `profile`. */
function whoIs({ scopes }: Grant, { displayName }: Account, origin: string) {
  const me = issuerUrl(origin);
  return { me, ...(parseScopes(scopes).includes("profile") && { profile: { name: displayName, url: me } }) };
}

/** Redeems a code in a transaction that is committed even if the code is refused: reuse revokes a token. */
async function redeem(
  database: Database,
  call: FormCall,
  give: (sql: Sql, grant: Grant, account: Account, redemption: Redemption) => Promise<ResponseData>,
): Promise<ResponseData> {
  if (textIn(call, "grant_type") !== "authorization_code")
    return failed("unsupported_grant_type", "grant_type must be authorization_code.");
  const redemption = {
    code: textIn(call, "code"),
    clientId: textIn(call, "client_id"),
    redirectUri: textIn(call, "redirect_uri"),
    verifier: textIn(call, "code_verifier"),
  };
  return database.write(async (sql) => {
    const grant = await redeemCode(sql, redemption, database.clock.now());
    const account = grant && (await findAccount(sql, grant.accountId));
    if (grant === undefined || account === undefined)
      return failed("invalid_grant", "The code is invalid, used, expired, or was issued to another program.");
    return give(sql, grant, account, redemption);
  });
}

/** The text of a field; empty for a file or a repeated field. */
function textIn({ body }: FormCall, name: string): string {
  const value = Object.hasOwn(body, name) ? (body as FormFields)[name] : undefined;
  return typeof value === "string" ? value : "";
}

function formOperation(
  contract: Pick<RequestContract<undefined, undefined, typeof Body>, "access" | "skipsAuthentication">,
  handle: (call: FormCall) => Awaitable<ResponseData>,
): ProtocolOperation {
  return operation({ ...contract, body: Body, takes: [FORM_BODY], bodyLimit: 16_384 }, handle);
}

function failed(error: string, description: string, status = 400): ResponseData {
  return { status, body: JSON.stringify({ error, error_description: description }) };
}

function refuse({ refusal, problem }: RefusedRequest): ResponseData {
  const isInput = problem.status === 422 || problem.status === 404;
  const error =
    problem.status === 401
      ? "invalid_token"
      : problem.status >= 500
        ? "temporarily_unavailable"
        : "invalid_request";
  const response = failed(error, problem.detail, isInput ? 400 : problem.status);
  return refusal === undefined ? response : { ...response, headers: refusalHeaders(refusal) };
}
