import type { Resource, Routes } from "../endpoint.ts";
import type { Exchange } from "../exchange.ts";
import { findOperation } from "../methods.ts";
import { Cors } from "./cors.ts";

const ANY_ORIGIN = new Cors(["*"]);

/** The CORS rules of each operation: those of CORS_ORIGINS, or any origin where the contract says so. */
export class OperationCors {
  readonly #configured: Cors;
  /** Resources with an operation that pages of any origin may call. */
  readonly #open = new Set<Resource>();

  constructor(routes: Routes, configured: Cors) {
    this.#configured = configured;
    for (const resource of Object.values(routes))
      if (Object.values(resource).some(({ contract }) => contract.anyOrigin)) this.#open.add(resource);
  }

  of({ match, request: { method } }: Pick<Exchange, "match" | "request">): Cors {
    if (match === undefined || !this.#open.has(match.route.resource)) return this.#configured;
    const operation = findOperation(match.route.resource, method);
    // OPTIONS and a 405 only name the methods.
    return operation === undefined || operation.contract.anyOrigin ? ANY_ORIGIN : this.#configured;
  }
}
