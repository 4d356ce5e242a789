/** @jsxImportSource #jsx */
import { z } from "zod";
import { listChangers } from "../../changes/change-store.ts";
import { invalid } from "../../errors.ts";
import type { Caller } from "../../http/access.ts";
import type { Routes } from "../../http/endpoint.ts";
import { asIssue, text } from "../../text.ts";
import { FormNumber } from "../../web/forms/form-number.ts";
import { asList, FormState } from "../../web/forms/form-state.ts";
import { CheckboxGroup, ErrorSummary, Select, TextField } from "../../web/forms/forms.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageContext } from "../../web/page.tsx";
import { Section, Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import { seeOther, type View } from "../../web/view.ts";
import type { AccountParts } from "../account-parts.ts";
import { ContentKeyPart, createContentKey, NewContentKey } from "../content-keys/content-key-part.tsx";
import { deleteKey, listKeys, listMadeByTokens, revokeToken } from "../keys.ts";
import { ASSISTANT_SCOPES, assistantScopes, forAssistant, SCOPES, type Scope } from "../scope.ts";
import { createOwnToken } from "./create-token.ts";
import { describeUse, KeyLine, NewKey } from "./key-views.tsx";
import { endAfter, Lifetime, type Token } from "./token.ts";
import { ACCOUNT, idOf } from "./token-api.ts";
import { listTokens } from "./token-store.ts";

const KeyForm = z.object({
  name: text({ min: 1, max: 100 }),
  scopes: z.preprocess(
    asList,
    z.array(z.enum(SCOPES)).check((context) => {
      const none = { code: "too_short", detail: "Select at least one." } as const;
      if (context.value.length === 0) context.issues.push(asIssue(none, context.value));
    }),
  ),
  lifetime: Lifetime,
  for: z.literal("assistant").optional(),
});

const ContentKeyForm = z.object({ website: text({ min: 1, max: 100 }) });
const EndForm = z.object({ key: FormNumber });

/** The forms of the page, one of which may have errors, and a new key. */
interface Shown {
  readonly form?: FormState;
  readonly contentForm?: FormState;
  readonly newKey?: Markup;
}

/** `/keys`: tokens for programs, and content keys for websites. */
export function keyPages({ pages, database }: AccountParts): Routes {
  const fresh = () => FormState.of({ scopes: ["bookmarks:read", "bookmarks:write"], lifetime: "never" });

  const show = pages.page({ access: ACCOUNT }, (call) => view(call, call.caller));

  const create = pages.page(
    {
      access: ACCOUNT,
      body: KeyForm,
      again: ({ form, ...context }) => view(context, context.caller, { form }),
    },
    async (call) => {
      const { name, lifetime } = call.body;
      const scopes =
        call.body.for === undefined ? call.body.scopes : scopesForAssistant(call.body.scopes, call.messages);
      const expiresAt = endAfter(lifetime, database.clock.now());
      const created = await createOwnToken(database, call.caller, { name, scopes, expiresAt });
      const newKey = (
        <NewKey
          messages={call.messages}
          token={created.token}
          secret={created.key}
          origin={call.client.origin}
          hasPage={(path) => pages.hasPage(path)}
        />
      );
      return { ...(await view(call, call.caller, { newKey })), caching: "private" as const };
    },
  );

  const createForWebsite = pages.page(
    {
      access: ACCOUNT,
      body: ContentKeyForm,
      again: ({ form, ...context }) => view(context, context.caller, { contentForm: form }),
    },
    async (call) => {
      const name = call.body.website;
      const secret = await createContentKey(database, call.caller, name);
      const newKey = (
        <NewContentKey messages={call.messages} name={name} secret={secret} origin={call.client.origin} />
      );
      return { ...(await view(call, call.caller, { newKey })), caching: "private" as const };
    },
  );

  const endOfWebsite = pages.page({ access: ACCOUNT, body: EndForm }, async ({ client, caller, body }) => {
    const now = database.clock.now();
    await database.write((sql) => deleteKey(sql, "website", body.key, now, idOf(caller)));
    return seeOther(local("/keys"), { scheme: client.scheme, notice: { code: "key-ended" } });
  });

  const end = pages.page({ access: ACCOUNT, body: EndForm }, async ({ client, caller, body }) => {
    await database.write((sql) => revokeToken(sql, body.key, idOf(caller)));
    return seeOther(local("/keys"), { scheme: client.scheme, notice: { code: "key-ended" } });
  });

  async function view(
    context: Pick<PageContext, "messages" | "dates" | "site">,
    caller: Caller,
    { form = fresh(), contentForm = FormState.of({}), newKey }: Shown = {},
  ): Promise<View> {
    const { messages } = context;
    const labels = messages.gettingIn.keys;
    const now = database.clock.now();
    const id = caller.account?.id;
    const tokens = id === undefined ? [] : await listTokens(database.read, id);
    const live = tokens.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
    const made = id === undefined ? [] : await listMadeByTokens(database.read, id, now);
    const madeBy = new Map(made.map((one) => [one.tokenId, one.count]));
    const changers = id === undefined ? [] : await listChangers(database.read, id, now);
    const changed = new Set(changers.map(({ tokenId }) => tokenId));
    const left = [...new Map([...changers, ...made].map((one) => [one.tokenId, one])).values()].filter(
      ({ tokenId }) => !live.some((token) => token.id === tokenId),
    );
    return {
      title: labels.title,
      noIndex: true,
      ...(newKey !== undefined && { scripts: ["copy.js"] }),
      body: (
        <>
          <Title text={labels.title}>{labels.intro}</Title>
          {newKey}
          {live.length > 0 && (
            <Section title={labels.inUse}>
              <ul class="lines">
                {live.toReversed().map((token) => (
                  <TokenLine
                    {...context}
                    token={token}
                    lists={madeBy.get(token.id) ?? 0}
                    changed={changed.has(token.id)}
                  />
                ))}
              </ul>
            </Section>
          )}
          {left.length > 0 && (
            <Section title={labels.ended}>
              <ul class="lines">
                {left.map(({ tokenId, tokenName }) => {
                  const count = madeBy.get(tokenId) ?? 0;
                  return (
                    <KeyLine
                      messages={messages}
                      id={tokenId}
                      name={tokenName}
                      facts={count === 0 ? [] : [labels.stillShares(count)]}
                      endPath={count === 0 ? undefined : "/keys/end"}
                      endText={labels.endLists}
                    >
                      {changed.has(tokenId) && <ChangesLink messages={messages} id={tokenId} />}
                    </KeyLine>
                  );
                })}
              </ul>
            </Section>
          )}
          <form method="post" action={local("/keys")}>
            <Section title={labels.newOne}>
              <ErrorSummary
                form={form}
                messages={messages}
                refused="createKey"
                labels={{ name: labels.name, scopes: labels.scopesLabel }}
              />
              <TextField
                form={form}
                name="name"
                label={labels.name}
                hint={labels.nameHint}
                required
                maxlength={100}
                dir="auto"
              />
              <CheckboxGroup
                form={form}
                name="scopes"
                label={labels.scopesLabel}
                hint={labels.scopesHint}
                choices={SCOPES.map((scope) => ({ value: scope, text: labels.scopes[scope] }))}
              />
              {pages.hasPage("/.well-known/oauth-protected-resource/mcp") && (
                <CheckboxGroup
                  form={form}
                  name="for"
                  label={labels.use}
                  hint={labels.assistantHint}
                  choices={[{ value: "assistant", text: labels.assistant }]}
                />
              )}
              <Select form={form} name="lifetime" label={labels.lifetime} short choices={labels.lifetimes} />
              <button class="button" type="submit">
                {labels.create}
              </button>
            </Section>
          </form>
          {pages.hasPage("/ghost/api/content/posts/") && (
            <ContentKeyPart {...context} form={contentForm} keys={await contentKeysOf(caller)} />
          )}
        </>
      ),
    };
  }

  async function contentKeysOf({ account }: Caller) {
    return account === undefined ? [] : listKeys(database.read, "website", account.id, database.clock.now());
  }

  return {
    "/keys": { GET: show, POST: create },
    "/keys/end": { POST: end },
    "/keys/websites": { POST: createForWebsite },
    "/keys/websites/end": { POST: endOfWebsite },
  };
}

/** @throws Refusal `invalid` for permissions that no assistant can have */
function scopesForAssistant(
  scopes: readonly (typeof SCOPES)[number][],
  { gettingIn: { keys } }: PageContext["messages"],
): Scope[] {
  const found = ASSISTANT_SCOPES.filter((scope) => scopes.includes(scope));
  if (found.length === scopes.length) return found.map(forAssistant);
  throw invalid([{ pointer: "/scopes", code: "unknown_value", detail: keys.notForAssistants }]);
}

/** Leads to what an agent did with a token. */
function ChangesLink({ messages, id }: Pick<PageContext, "messages"> & { readonly id: number }): Markup {
  return (
    <p>
      <a href={local(`/keys/${id}/changes`)}>{messages.gettingIn.keys.changes}</a>
    </p>
  );
}

function TokenLine({
  token,
  lists,
  changed,
  ...context
}: Pick<PageContext, "messages" | "dates" | "site"> & {
  readonly token: Token;
  /** How many lists that it made are shared. */
  readonly lists: number;
  /** Whether an agent changed something with it. */
  readonly changed: boolean;
}): Markup {
  const { messages, dates } = context;
  const labels = messages.gettingIn.keys;
  const { id, name, scopes, expiresAt, clientId } = token;
  const isAssistant = assistantScopes(scopes).length > 0;
  const permissions = SCOPES.every((scope) => scopes.includes(scope))
    ? labels.everything
    : scopes.map((scope) => labels.scopes[scope]).join(", ");
  const until = expiresAt === null ? [] : [labels.until(dates.shortDay(expiresAt))];
  return (
    <KeyLine
      messages={messages}
      id={id}
      name={name}
      facts={[
        permissions,
        ...describeUse(context, token),
        ...until,
        ...(lists === 0 ? [] : [labels.shares(lists)]),
      ]}
      endPath="/keys/end"
      {...(isAssistant && { endText: labels.endAccess })}
    >
      {isAssistant && <p class="quiet">{labels.forAssistant}</p>}
      {clientId !== null && <p class="quiet">{labels.signedIn(clientId)}</p>}
      {changed && <ChangesLink messages={messages} id={id} />}
    </KeyLine>
  );
}
