import { Refusal } from "../errors.ts";
import { JSON_BODY } from "./body/body-decoders.ts";
import type { Method, Operation, Resource, Routes } from "./endpoint.ts";

/** The route of a path. */
export interface Match {
  readonly route: Route;
  /** The path's parameters, percent-decoded, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Whether the path has the slash form of the route; the other form is redirected. */
  readonly canonical: boolean;
}

interface Route {
  /** The path as the table has it, such as `/bookmarks/{id}`; `{tag...}` takes several segments. */
  readonly path: string;
  readonly resource: Resource;
}

interface Node {
  readonly literals: Map<string, Node>;
  parameter?: { readonly name: string; readonly node: Node };
  /** Takes the remaining segments, except a last one that has its own route. */
  rest?: { readonly name: string; readonly node: Node };
  route?: Route;
}

/** Finds the route of a path, with or without its trailing slash. */
export class Router {
  readonly #root: Node = { literals: new Map() };
  /** The matches of routes without parameters, by their paths. */
  readonly #plain = new Map<string, Match>();

  constructor(routes: Routes) {
    for (const [path, resource] of Object.entries(routes)) this.#add({ path, resource });
  }

  match(path: string): Match | undefined {
    return this.#plain.get(path) ?? this.#walk(path);
  }

  #walk(path: string): Match | undefined {
    if (!path.startsWith("/")) return undefined;
    const params: Record<string, string> = {};
    const segments = path.split("/");
    const last = path.endsWith("/") ? segments.length - 1 : segments.length;
    let node: Node | undefined = this.#root;
    for (let index = 1; index < last; index++) {
      const segment = segments[index] ?? "";
      const next: Node | undefined = node.literals.get(segment) ?? bind(node, segment, params);
      if (next === undefined && node.rest !== undefined) {
        node = bindRest(node.rest, segments.slice(index, last), params);
        break;
      }
      node = next;
      if (node === undefined) return undefined;
    }
    if (node?.route === undefined) return undefined;
    return { route: node.route, params, canonical: path.endsWith("/") === node.route.path.endsWith("/") };
  }

  /**
   * A path that has no route, for the log: what stands where another path has a parameter called `secret`, or looks like a
   * secret, is left out, with all that follows. Such a path may be a mistyped one, so case and encoding do not matter.
   */
  withoutSecret(path: string): string {
    const segments = path.split("/");
    let node: Node | undefined = this.#root;
    for (const [index, segment] of segments.entries()) {
      if (segment === "") continue;
      const decoded = decodeSegment(segment);
      const literal: Node | undefined = node?.literals.get(decoded.toLowerCase());
      if (literal === undefined && (node?.parameter?.name === "secret" || looksSecret(decoded)))
        return [...segments.slice(0, index), "{secret}"].join("/");
      node = literal ?? node?.parameter?.node;
    }
    return path;
  }

  #add(route: Route): void {
    if (!route.path.includes("{")) this.#plain.set(route.path, { route, params: {}, canonical: true });
    let node = this.#root;
    for (const segment of route.path.split("/").filter((part) => part !== "")) {
      const [, name, dots] = /^\{(\w+)(\.\.\.)?\}$/.exec(segment) ?? [];
      if (name !== undefined && dots !== undefined) {
        node.rest ??= { name, node: { literals: new Map() } };
        node = node.rest.node;
      } else if (name === undefined) {
        const next = node.literals.get(segment) ?? { literals: new Map() };
        node.literals.set(segment, next);
        node = next;
      } else {
        node.parameter ??= { name, node: { literals: new Map() } };
        node = node.parameter.node;
      }
    }
    node.route = route;
  }
}

/** The path of a route with its parameters filled in, percent-encoded. */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)(\.\.\.)?\}/g, (_, name: string, dots?: string) => {
    const value = params[name] ?? "";
    // Empty segments would be lost, so such a value stays one segment.
    const isSplit = dots !== undefined && value.split("/").every((part) => part !== "");
    return isSplit ? value.split("/").map(encodeURIComponent).join("/") : encodeURIComponent(value);
  });
}

/** Whether a text has 22 base64url characters in a row, and a capital inside a word: no slug does, nor a title as an address. */
function looksSecret(text: string): boolean {
  return /[\w-]{22}/.test(text) && /[A-Za-z\d][A-Z]/.test(text);
}

function bind(node: Node, segment: string, params: Record<string, string>): Node | undefined {
  if (node.parameter === undefined || segment === "") return undefined;
  params[node.parameter.name] = decodeSegment(segment);
  return node.parameter.node;
}

function bindRest(
  { name, node }: { readonly name: string; readonly node: Node },
  segments: readonly string[],
  params: Record<string, string>,
): Node | undefined {
  if (segments.includes("")) return undefined;
  const ending = segments.length > 1 ? node.literals.get(segments.at(-1) ?? "") : undefined;
  const own = ending === undefined ? segments : segments.slice(0, -1);
  params[name] = own.map(decodeSegment).join("/");
  return ending ?? node;
}

/** Percent-decodes; malformed text stays unchanged, and matches no record. */
export function decodeSegment(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

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

/** 405 with all methods that the path has. */
export function notAllowed(resource: Resource, method: string): Refusal {
  return new Refusal("method_not_allowed", `This path does not support ${method}.`, {
    headers: { allow: methodsOf(resource).join(", "), ...acceptPatch(resource) },
  });
}

/** `Accept-Patch` of a path that has PATCH (RFC 5789, section 3.1). */
export function acceptPatch({ PATCH }: Resource): Readonly<Record<string, string>> {
  if (PATCH === undefined) return {};
  const { takes = [JSON_BODY] } = PATCH.contract;
  return { "accept-patch": takes.map(({ mediaType }) => mediaType).join(", ") };
}
