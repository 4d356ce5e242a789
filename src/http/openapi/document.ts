import type { z } from "zod";
import { VERSION } from "../../version.ts";
import { type Access, documentedAccess } from "../access.ts";
import { JSON_BODY } from "../body/body-decoders.ts";
import { type DocumentedResponse, type Method, type Routes, SERVICE_TAG, type Tag } from "../endpoint.ts";
import { Components, type Json } from "./components.ts";
import type { AnyContract } from "./documented-refusals.ts";
import { headerParameter } from "./headers.ts";
import { problemResponses } from "./problem-responses.ts";

const CONVENTIONS = `
- **JSON** in UTF-8 for requests and responses. Types are never converted: \`"7"\` is not a number. Unknown members are ignored.
- **Errors** are problem documents (RFC 9457). Their \`detail\` is for people; a 422 lists all errors at once in \`errors\`.
- **Caching**: send an \`ETag\` back as \`If-None-Match\` to read only what has changed, or as \`If-Match\` to overwrite only the version that you have read.
- **Tokens** that may write may also read. Tokens from before that rule, with a scope to write alone, get responses with nothing but what they have sent, and an \`If-Match\` of theirs is 403.
- **Retries** are safe with an \`Idempotency-Key\`.
- **Rate limits**, if configured, are announced in \`RateLimit\` and \`RateLimit-Policy\`. Beyond them the response is 429 with \`Retry-After\`.
- **HEAD** works wherever GET does. **OPTIONS** lists the methods of a path.
- **Every response** carries an \`X-Request-Id\`, which identifies the request in the server's log. Send your own to choose it: up to 128 letters, digits, \`.\`, \`_\` and \`-\`.`;

/**
 * The OpenAPI 3.1 document of a URL surface, generated from the contracts that validate requests.
 *
 * @param publicUrl the server's address for clients, when it is known
 * @throws Error for a header without description, or an id of two schemas
 */
export function openApiDocument(routes: Routes, publicUrl: string | undefined): Json {
  const components = new Components();
  const tags = new Map<string, Tag>();
  const paths: Record<string, Json> = {};
  for (const [path, resource] of Object.entries(routes)) {
    for (const [method, operation] of Object.entries(resource)) {
      if (operation.kind !== "api" || operation.contract.hidden) continue;
      const { contract } = operation;
      tags.set(contract.tag.name, contract.tag);
      const refusals = isTakenFrom(routes, path, method as Method) ? (["method_not_allowed"] as const) : [];
      const documented = { ...contract, refusals: [...contract.refusals, ...refusals] };
      const described = describe(method as Method, documented, components);
      paths[path] = { ...paths[path], [method.toLowerCase()]: described };
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Commonplace",
      version: VERSION,
      description: introduction([...tags.keys()]),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: publicUrl ?? "/" }],
    security: [],
    tags: [...tags.values()],
    paths,
    components: { ...components },
  };
}

/**
 * Whether a path with a parameter does not support its method for one value of it, since another path with fixed segments wins:
 * `DELETE /bookmarks/search` is none of `/bookmarks/{id}`.
 */
function isTakenFrom(routes: Routes, path: string, method: Method): boolean {
  const segments = path.split("/");
  return Object.entries(routes).some(([other, resource]) => {
    const others = other.split("/");
    return (
      other !== path &&
      resource[method] === undefined &&
      others.length === segments.length &&
      segments.every((segment, index) => segment === others[index] || /^\{.+\}$/.test(segment))
    );
  });
}

function introduction(tags: readonly string[]): string {
  const services = tags.filter((tag) => tag !== SERVICE_TAG.name).map((tag) => `**${tag}**`);
  return `One small server for the links you keep and the posts you publish. On this server: ${services.join(", ")}.\n${CONVENTIONS}`;
}

function describe(method: Method, contract: AnyContract, components: Components): Json {
  const { id, tag, summary, description, params, query, body, headers = [] } = contract;
  const access = documentedAccess(contract.access);
  const parameters = [
    ...valuesIn("path", params, components),
    ...valuesIn("query", query, components),
    ...headers.map((name) => headerParameter(name, method !== "GET")),
  ];
  return {
    operationId: id,
    tags: [tag.name],
    summary,
    ...(description && { description }),
    ...(access && !access.anonymous && { security: securityOf(contract.access, access, components) }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(body, contract, components) }),
    responses: {
      ...Object.fromEntries(
        Object.entries(contract.responses).map(([status, answer]) => [status, response(answer, components)]),
      ),
      ...problemResponses(method, contract, components),
    },
  };
}

/** An access rule that may change while the server runs is documented with anonymous access, too. */
function securityOf(given: AnyContract["access"], { scope }: Access, components: Components): Json[] {
  const required = components.security(scope);
  return given !== undefined && "current" in given ? [{}, ...required] : required;
}

/**
 * The parameters of a path or a query. Their examples come from `example` in a schema's metadata, since Zod drops
 * `examples` where a schema transforms. The example of a required parameter is next to its schema, so that the
 * page fills it in; that of an optional one stays inside, where it is shown but not sent, unless it says `prefilled`.
 */
function valuesIn(place: "path" | "query", schema: z.ZodObject | undefined, components: Components): Json[] {
  if (schema === undefined) return [];
  const { properties, required = [] } = components.schema(schema, "input") as {
    properties: Record<string, Json>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, example, prefilled, ...shape }]) => {
    const isRequired = required.includes(name);
    const isFilledIn = isRequired || prefilled === true;
    const shown = example !== undefined && !isFilledIn;
    return {
      name,
      in: place,
      // One value, separated by commas; repeated parameters are taken, too.
      ...(shape.type === "array" && { style: "form", explode: false }),
      required: isRequired,
      ...(description !== undefined && { description }),
      schema: shown ? { ...shape, examples: [example] } : shape,
      ...(example !== undefined && isFilledIn && { example }),
    };
  });
}

function requestBody(
  body: z.ZodObject,
  { takes = [JSON_BODY], example, isBodyOptional = false }: AnyContract,
  components: Components,
): Json {
  const content = { schema: components.schema(body, "input"), ...(example !== undefined && { example }) };
  return {
    required: !isBodyOptional,
    content: Object.fromEntries(takes.map(({ mediaType, isFile }) => [mediaType, isFile ? FILE : content])),
  };
}

/** A body that is a raw file. */
const FILE = { schema: { type: "string", format: "binary" }, example: "(bytes)" };

function response(
  { description, schema, contentType = "application/json", example, headers = [] }: DocumentedResponse,
  components: Components,
): Json {
  const body = schema && {
    schema: components.schema(schema, "output"),
    ...(example !== undefined && { example }),
  };
  const [type, files] =
    typeof contentType === "string" ? [contentType, []] : ["application/json", contentType];
  const content = { ...(body && { [type]: body }), ...Object.fromEntries(files.map((file) => [file, FILE])) };
  return {
    description,
    ...(headers.length > 0 && { headers: components.headersOf(headers) }),
    ...(Object.keys(content).length > 0 && { content }),
  };
}
