/** @jsxImportSource #jsx */
import { z } from "zod";
import { ASSISTANT_SCOPES, type Scope, withReading } from "../../accounts/scope.ts";
import { Lifetime } from "../../accounts/tokens/token.ts";
import { ACCOUNT, idOf } from "../../accounts/tokens/token-api.ts";
import { invalid } from "../../errors.ts";
import type { ResponseData } from "../../http/response-data.ts";
import { text } from "../../text.ts";
import { asList, FormState } from "../../web/forms/form-state.ts";
import { CheckboxGroup, ErrorRow, Select, TextField } from "../../web/forms/forms.tsx";
import type { PageCall, PageContext, Pages } from "../../web/page.tsx";
import { pageHeaders } from "../../web/page-responses.ts";
import { Section, Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import {
  type AuthorizationRequest,
  callbackUrl,
  INDIEAUTH_SCOPES,
  type InvalidAuthorization,
  isInvalidAuthorization,
  issuerUrl,
  otherTargetOf,
  parseAuthorizationRequest,
} from "./authorization-request.ts";
import { isLoopbackHost } from "./client-url.ts";
import { createCode } from "./code-store.ts";
import type { IndieAuthEndpointsDependencies } from "./endpoints.ts";
import { assistantResource } from "./protected-resource.ts";

export interface AuthorizePagesDependencies extends IndieAuthEndpointsDependencies {
  readonly pages: Pages;
}

/** The parameters in the form; `scope` has the requested scopes, `scopes` the selected ones. */
const CARRIED = [
  ...["client_id", "redirect_uri", "state", "response_type", "code_challenge"],
  ...["code_challenge_method", "scope", "resource"],
];

/** Days for which a token is valid unless the person chooses otherwise. */
const PRESET_LIFETIME = "365";

const field = z.preprocess(asList, z.array(z.string()));
const ConsentForm = z.object({
  ...Object.fromEntries(CARRIED.map((name) => [name, field])),
  scopes: z.preprocess(asList, z.array(z.enum([...INDIEAUTH_SCOPES, ...ASSISTANT_SCOPES]))),
  name: text({ max: 100 }).optional(),
  lifetime: Lifetime.prefault(PRESET_LIFETIME),
  decision: z.enum(["allow", "deny"]),
});

/** `/indieauth/authorize`: a person decides what a program, or an assistant, may do. */
export function authorizePages({ pages, database, ...audience }: AuthorizePagesDependencies) {
  const parse = (
    get: (name: string) => readonly string[],
    { client }: Pick<PageContext, "client">,
  ): ReturnType<typeof parseAuthorizationRequest> =>
    parseAuthorizationRequest(get, { ...audience, origin: client.origin });

  const show = pages.page({ access: ACCOUNT }, async (call) => {
    const query = new URLSearchParams(call.search);
    const request = await parse((name) => query.getAll(name), call);
    if (isInvalidAuthorization(request)) return refused(request, call);
    const { scopes, assistant } = request;
    const preset = { scopes: [...scopes], lifetime: PRESET_LIFETIME, name: assistant?.name ?? "" };
    return consentView(call, request, FormState.of(preset));
  });

  const decide = pages.page(
    {
      access: ACCOUNT,
      body: ConsentForm,
      again: async ({ form, ...context }) => {
        const request = await parse((name) => form.texts(name), context);
        if (isInvalidAuthorization(request)) return invalidView(request, context.messages);
        return consentView(context, request, form);
      },
    },
    async (call) => {
      const { body, caller, client } = call;
      const carried = body as unknown as Readonly<Record<string, readonly string[]>>;
      const request = await parse((name) => carried[name] ?? [], call);
      if (isInvalidAuthorization(request)) return refused(request, call);
      const { redirectUri, state, clientId, challenge, scopes: asked, assistant } = request;
      const iss = issuerUrl(client.origin);
      if (body.decision === "deny")
        return backTo(callbackUrl(redirectUri, { error: "access_denied", state, iss }));
      const scopes = asked.filter((scope) => body.scopes.includes(scope));
      if (asked.length > 0 && scopes.length === 0)
        throw invalid([{ pointer: "/scopes", code: "too_short", detail: call.messages.indieAuth.tickOne }]);
      const given = assistant ? withReading(scopes.map((scope) => `mcp:${scope}` as Scope)) : scopes;
      const grant = {
        ...{ accountId: idOf(caller), clientId, redirectUri, challenge, scopes: given.join(" ") },
        tokenDays: body.lifetime,
      };
      const name = assistant && (body.name?.trim() || assistant.name);
      const code = await database.write((sql) => createCode(sql, grant, database.clock.now(), name));
      return backTo(callbackUrl(redirectUri, { code, state, iss }));
    },
  );

  return { show, decide };
}

/** The response to an invalid request: to the program, or to the person when there is no valid redirect URI. */
function refused(
  bad: InvalidAuthorization,
  { client, messages }: Pick<PageCall, "client" | "messages">,
): ResponseData | View {
  if (!("error" in bad)) return invalidView(bad, messages);
  const { error, description, redirectUri, state } = bad;
  const parameters = { error, error_description: description, state, iss: issuerUrl(client.origin) };
  return backTo(callbackUrl(redirectUri, parameters));
}

function backTo(location: string): ResponseData {
  return { status: 303, body: null, location };
}

/** The page for an invalid request: what the person can do, and what the makers of the program have to know. */
function invalidView(bad: InvalidAuthorization, { indieAuth }: PageContext["messages"]): View {
  const { causes } = indieAuth.invalid;
  const problem = "problem" in bad ? bad.problem : undefined;
  const { title, text } = problem === "notFetched" ? indieAuth.assistant.notFetched : indieAuth.invalid;
  return {
    title,
    status: 400,
    noIndex: true,
    body: (
      <>
        <Title text={title}>{text}</Title>
        <div class="row part">
          <p class="quiet">{"error" in bad ? bad.description : causes[bad.problem]}</p>
        </div>
      </>
    ),
  };
}

function consentView(
  { messages, caller, client }: Pick<PageContext, "messages" | "caller" | "client">,
  request: AuthorizationRequest,
  form: FormState,
): View {
  const labels = messages.indieAuth;
  const { clientId, redirectUri, state, challenge, scopes, assistant } = request;
  const { host } = request.client;
  const elsewhere = otherTargetOf(request);
  const origin = client.origin;
  const words = assistant === undefined ? labels : labels.assistant;
  const carried: Readonly<Record<string, string | undefined>> = {
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    response_type: "code",
    code_challenge: challenge,
    code_challenge_method: "S256",
    scope: scopes.join(" "),
    resource: assistant && assistantResource(origin),
  };
  return {
    title: words.title(host),
    noIndex: true,
    caching: "private",
    headers: { "content-security-policy": policyFor(redirectUri) },
    body: (
      <>
        <Title text={words.title(host)}>
          {assistant !== undefined ? (
            <>
              <b>{host}</b> {labels.assistant.intro}
            </>
          ) : scopes.length > 0 ? (
            labels.intro
          ) : (
            labels.onlyWho
          )}
        </Title>
        <form method="post" action={local("/indieauth/authorize/decide")}>
          <ErrorRow form={form} messages={messages} refused="allow" />
          <Section title={words.program}>
            <dl class="pairs">
              <div>
                <dt>{labels.address}</dt>
                <dd>
                  <code>{clientId}</code>
                </dd>
              </div>
              <div>
                <dt>{labels.returnsTo}</dt>
                <dd>
                  <code>{redirectUri}</code>
                  {elsewhere !== undefined && (
                    <p class="notice">
                      {isLoopbackHost(new URL(redirectUri))
                        ? labels.thisComputer(elsewhere)
                        : labels.elsewhere(elsewhere, host)}
                    </p>
                  )}
                </dd>
              </div>
              <div>
                <dt>{labels.site}</dt>
                <dd>
                  <code>{issuerUrl(origin)}</code>
                </dd>
              </div>
              <div>
                <dt>{labels.account}</dt>
                <dd>
                  <bdi>{caller.account?.username}</bdi>
                </dd>
              </div>
            </dl>
          </Section>
          <Section title={labels.decide}>
            {scopes.length > 0 && (
              <CheckboxGroup
                form={form}
                name="scopes"
                label={words.permissions}
                hint={assistant && labels.assistant.never}
                isColumn
                choices={scopes.map((scope) => ({ value: scope, text: labels.scopes[scope] }))}
              />
            )}
            {assistant !== undefined && (
              <TextField
                form={form}
                name="name"
                label={labels.assistant.name}
                hint={labels.assistant.nameHint}
                maxlength={100}
                dir="auto"
              />
            )}
            {scopes.some((scope) => scope !== "profile") && (
              <Select
                form={form}
                name="lifetime"
                label={messages.gettingIn.keys.lifetime}
                short
                choices={messages.gettingIn.keys.lifetimes}
              />
            )}
            <p class="quiet">{words.beSure(host)}</p>
            {Object.entries(carried).map(
              ([name, value]) => value !== undefined && <input type="hidden" name={name} value={value} />,
            )}
            <p class="bar">
              <button class="button" type="submit" name="decision" value="allow">
                {words.allow}
              </button>
              <button class="button plain" type="submit" name="decision" value="deny">
                {labels.deny}
              </button>
            </p>
          </Section>
        </form>
      </>
    ),
  };
}

/** The Content Security Policy of pages, plus the program's origin: browsers also check the redirect after a form. */
function policyFor(redirectUri: string): string {
  const { origin, protocol, hostname } = new URL(redirectUri);
  // A policy cannot name an IPv6 address.
  const source = origin === "null" || hostname.startsWith("[") ? protocol : origin;
  const policy = pageHeaders()["content-security-policy"] ?? "";
  // A host may have characters that mean something in a replacement, such as $'.
  return policy.replace("form-action 'self'", (own) => `${own} ${source}`);
}
