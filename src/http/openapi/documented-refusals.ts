import type { z } from "zod";
import { invalid, type Reason, Refusal, type ValidationError } from "../../errors.ts";
import { ANONYMOUS, authorize, documentedAccess, unauthenticated } from "../access.ts";
import { parseJson } from "../body/body.ts";
import { decoderFor, JSON_BODY } from "../body/body-decoders.ts";
import { checkPreconditions } from "../caching/etags.ts";
import type { Contract, Method } from "../endpoint.ts";
import { Hosts } from "../guards/hosts.ts";
import { keyInFlight } from "../idempotency.ts";
import { validate } from "../validation.ts";

type Shape = z.ZodObject | undefined;
export type AnyContract = Contract<Shape, Shape, Shape>;

interface DocumentedRefusal {
  /** When it occurs. */
  readonly description: string;
  /** An example for any operation, made by the refusing code itself where possible. */
  readonly example?: () => Refusal;
  /** An example that depends on the operation. */
  readonly exampleFor?: (contract: AnyContract, method: Method) => Refusal | undefined;
}

/** Every refusal. Those without an example vary, so contracts have their own. */
export const documentedRefusals: Readonly<Record<Reason, DocumentedRefusal>> = {
  malformed: {
    description: "The body is not valid UTF-8 JSON, or a header is malformed.",
    example: () => caught(() => parseJson(Buffer.from("{"))),
  },
  unauthenticated: {
    description: "Missing or invalid credentials.",
    example: () => unauthenticated(),
  },
  forbidden: {
    description: "The caller is not allowed to do this.",
    exampleFor: (contract) => {
      const access = documentedAccess(contract.access);
      if (access?.scope === undefined || access.anonymous) return undefined;
      return caught(() => authorize({ ...ANONYMOUS, account: READER }, access));
    },
  },
  not_found: { description: "No such record." },
  method_not_allowed: {
    description: "Another path has this value as a fixed segment, and does not support the method.",
    example: () => new Refusal("method_not_allowed", "This path does not support DELETE."),
  },
  conflict: { description: "Conflicts with the current state.", example: () => keyInFlight() },
  precondition_failed: {
    description: "A precondition of the request failed. Nothing was changed.",
    example: () => caught(() => checkPreconditions(requestWith("if-match", '"1"'), '"2"')),
  },
  too_large: {
    description: "The body exceeds the size limit.",
    example: () => new Refusal("too_large", "The body exceeds the limit of 1048576 bytes."),
  },
  unsupported_media_type: {
    description: "The media type of the body is not supported.",
    exampleFor: ({ takes = [JSON_BODY] }, method) => {
      return caught(() => decoderFor(requestWith("content-type", "text/plain", method), takes));
    },
  },
  misdirected: {
    description: "This server does not serve that host.",
    example: () => caught(() => new Hosts({ loopback: true, allowed: [] }).check("example.com")),
  },
  invalid: {
    description: "Invalid members or parameters. All errors are listed at once.",
    exampleFor: (contract) => {
      const errors = validationErrorsOf(contract);
      return errors.length === 0 ? undefined : invalid(errors);
    },
  },
  too_many_requests: { description: "Too many requests." },
  unavailable: {
    description: "The server is overloaded, or the database is unavailable.",
    example: () => new Refusal("unavailable", "The database is busy with another writer.", { retryAfter: 1 }),
  },
  storage_full: {
    description: "The disk is full. Reading still works.",
    example: () => new Refusal("storage_full", "The disk is full.", { retryAfter: 30 }),
  },
  read_only: { description: "The server is read-only." },
};

const READER = { id: 1, username: "reader", displayName: "reader" };

/**
 * The validation errors of an empty body, or, where that is valid, of one with wrong types; without a body, those of
 * parameters that are all text, or, where these are valid, of missing ones. None where any text is valid.
 */
function validationErrorsOf({ params, query, body }: AnyContract): ValidationError[] {
  const errors: ValidationError[] = [];
  if (body) {
    validate(body, {}, "body", errors);
    if (errors.length === 0) validate(body, everyMember(body, 0), "body", errors);
    return errors;
  }
  if (params) validate(params, everyMember(params, "x"), "parameters", errors);
  if (query) validate(query, everyMember(query, "x"), "parameters", errors);
  if (query && errors.length === 0) validate(query, {}, "parameters", errors);
  return errors;
}

function everyMember(schema: z.ZodObject, value: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.keys(schema.shape).map((name) => [name, value]));
}

function requestWith(header: string, value: string, method = "GET"): Request {
  return new Request("http://localhost/", { method, headers: { [header]: value } });
}

/** The refusal that some code throws. */
function caught(provoke: () => unknown): Refusal {
  try {
    provoke();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("this was meant to be refused");
}
