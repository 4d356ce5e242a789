import { expect } from "bun:test";
import Ajv, { type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Send, SendInit } from "./send.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

export interface MediaType {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema & { readonly examples?: readonly unknown[] };
  readonly example?: unknown;
}

type Content = Readonly<Record<string, MediaType>>;

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  /** By status, or `default`. */
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

/** The description of one response in a document. */
export interface DescribedResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
}

/** An OpenAPI document with all references resolved. */
export interface OpenApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** An operation with its method and path. */
export interface DocumentedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/**
 * Reads the OpenAPI document of a server.
 * @throws Error for a reference without a target
 */
export async function readOpenApi(send: Send): Promise<OpenApiDocument> {
  const root: unknown = await (await send("/openapi.json")).json();
  return follow(root, root) as OpenApiDocument;
}

/** All operations, in the order of the document. */
export function operationsIn({ paths }: OpenApiDocument): DocumentedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
}

/** The examples of a body or a response. */
export function examplesOf({ example, examples = {} }: MediaType): unknown[] {
  return [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)];
}

const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));
ajv.addFormat("search-query", true);
ajv.addFormat("web-url", true);
const validators = new WeakMap<JsonSchema, ValidateFunction>();
/** The same by the text of the schema: most operations have some responses in common, and each is compiled once. */
const validatorsByText = new Map<string, ValidateFunction>();

function validatorOf(schema: JsonSchema): ValidateFunction {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(schema);
  const validate = validatorsByText.get(text) ?? ajv.compile(schema);
  validatorsByText.set(text, validate);
  validators.set(schema, validate);
  return validate;
}

/** Everything in which a value does not fulfill a JSON schema (2020-12, the dialect of OpenAPI 3.1). */
export function faultsIn(schema: JsonSchema, value: unknown): unknown[] {
  const validate = validatorOf(schema);
  return validate(value) ? [] : (validate.errors ?? []);
}

/** Checks a value against a JSON schema. */
export function expectAccepted(schema: JsonSchema, value: unknown, location: string): void {
  expect(faultsIn(schema, value), location).toEqual([]);
}

/** Sends a request with the examples of the document: the required parameters, and the body. */
export function sendExample(
  send: Send,
  { path, method, operation }: DocumentedOperation,
  init: SendInit = {},
): Promise<Response> {
  const values = new Map(operation.parameters?.map(({ name, example }) => [name, example]));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name))),
  );
  const required = operation.parameters?.filter((one) => one.in === "query" && one.required === true) ?? [];
  const query = new URLSearchParams(
    required.map(({ name, example }): [string, string] => [name, String(example)]),
  );
  const [[type, body] = []] = Object.entries(operation.requestBody?.content ?? {});
  const headers = { ...(type && { "content-type": type }), ...init.headers };
  return send(required.length === 0 ? filled : `${filled}?${query}`, {
    method,
    json: body?.example,
    ...init,
    headers,
  });
}

function follow(value: unknown, root: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => follow(item, root));
  if (typeof value !== "object" || value === null) return value;
  if ("$ref" in value) return follow(target(String(value.$ref), root), root);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, follow(member, root)]));
}

function target(reference: string, root: unknown): unknown {
  const found = reference
    .replace(/^#\//, "")
    .split("/")
    .reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], root);
  if (found === undefined) throw new Error(`${reference} leads nowhere`);
  return found;
}
