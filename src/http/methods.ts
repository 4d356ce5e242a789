import { Refusal } from "../errors.ts";
import { JSON_BODY } from "./body/body-decoders.ts";
import type { Method, Operation, Resource } from "./endpoint.ts";

/** Methods that change nothing (RFC 9110, section 9.2.1). */
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export function isSafe(method: string): boolean {
  return SAFE_METHODS.has(method);
}

/** All methods of a path, including the automatic ones. */
export function methodsOf(resource: Resource): string[] {
  const methods = Object.keys(resource);
  return [...methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"];
}

/** The operation of a method; undefined when the path has none. */
export function findOperation(resource: Resource, method: string): Operation | undefined {
  if (method === "HEAD") return resource.GET;
  return Object.hasOwn(resource, method) ? resource[method as Method] : undefined;
}

/** @throws Refusal `method_not_allowed` with all methods that the path has */
export function operationFor(resource: Resource, method: string): Operation {
  const operation = findOperation(resource, method);
  if (operation !== undefined) return operation;
  throw new Refusal("method_not_allowed", `This path does not support ${method}.`, {
    headers: { allow: methodsOf(resource).join(", "), ...acceptPatch(resource) },
  });
}

/** `Accept-Patch` of a path that has PATCH (RFC 5789, section 3.1). */
export function acceptPatch({ PATCH }: Resource): Readonly<Record<string, string>> {
  if (PATCH === undefined) return {};
  const { takes = [JSON_BODY] } = PATCH.contract;
  return { "accept-patch": takes.map(({ mediaType }) => mediaType).join(", ") };
}
