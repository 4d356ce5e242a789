import { type Reason, Refusal } from "../../errors.ts";
import { documentedAccess, invalidToken } from "../access.ts";
import type { Method } from "../endpoint.ts";
import { internalErrorResponse, PROBLEM_TYPE, refusalResponse, statusOf } from "../problems.ts";
import type { ResponseData } from "../response-data.ts";
import type { Components, Json } from "./components.ts";
import { type AnyContract, documentedRefusals } from "./documented-refusals.ts";
import { Problem } from "./problem-schema.ts";

/** The refusals of an operation by status, and under `default` those of any operation. */
export function problemResponses(method: Method, contract: AnyContract, components: Components): Json {
  const refusals = [...contract.refusals, ...impliedRefusals(method, contract)];
  const own = refusals.filter((refusal) => refusal instanceof Refusal);
  const reasons = new Set(refusals.map((refusal) => (refusal instanceof Refusal ? refusal.reason : refusal)));
  const responses = [...reasons].map((reason): [number, Json] => {
    const examples = own.filter((refusal) => refusal.reason === reason);
    return [statusOf[reason].status, documentedResponse(reason, examples, { method, contract }, components)];
  });
  return {
    ...Object.fromEntries(responses),
    default: components.response("AnyProblem", () => anyProblem(components)),
  };
}

/** The refusals that follow from the shape of an operation. */
function impliedRefusals(method: Method, contract: AnyContract): Reason[] {
  const { body, headers } = contract;
  const access = documentedAccess(contract.access);
  return [
    // Also where anyone may read: a token that is wrong is refused.
    ...(contract.skipsAuthentication ? [] : (["unauthenticated"] as const)),
    ...(access?.scope !== undefined && !access.anonymous ? (["forbidden"] as const) : []),
    ...(body ? (["malformed", "too_large", "unsupported_media_type"] as const) : []),
    ...(documentedRefusals.invalid.exampleFor?.(contract, method) ? (["invalid"] as const) : []),
    ...(headers?.includes("Idempotency-Key") ? (["conflict"] as const) : []),
    ...(headers?.includes("If-Match") ? (["precondition_failed"] as const) : []),
    ...(method === "GET" ? [] : (["storage_full"] as const)),
  ];
}

/** @param own examples of the contract, instead of the usual one */
function documentedResponse(
  reason: Reason,
  own: readonly Refusal[],
  { method, contract }: { readonly method: Method; readonly contract: AnyContract },
  components: Components,
): Json {
  const { description, example, exampleFor } = documentedRefusals[reason];
  const responseWith = (examples: readonly Refusal[]) => {
    const responses = examples.map(refusalResponse);
    return response(description, headersOf(responses), responses, components);
  };
  if (own.length === 0 && example !== undefined) {
    const name = statusOf[reason].title.replaceAll(" ", "");
    return components.response(name, () => responseWith([example()]));
  }
  // A missing scope, which has its own header, is one of several reasons for a 403.
  const usual = own.length === 0 || reason === "forbidden" ? exampleFor?.(contract, method) : undefined;
  return responseWith(usual ? [usual, ...own] : own);
}

function anyProblem(components: Components): Json {
  const { misdirected, unavailable } = documentedRefusals;
  const examples = [
    refusalResponse(invalidToken()),
    ...[misdirected, unavailable].flatMap(({ example }) => (example ? [refusalResponse(example())] : [])),
    internalErrorResponse("5f3a91c2-1f"),
  ];
  // Every response has it; listing it everywhere would hide the headers that matter.
  const headers = ["X-Request-Id", ...headersOf(examples)];
  return response("Any other problem. Every operation can respond with it.", headers, examples, components);
}

function response(
  description: string,
  headers: readonly string[],
  examples: readonly ResponseData[],
  components: Components,
): Json {
  const content = { schema: components.schema(Problem, "output"), ...exampleMembers(examples) };
  return {
    description,
    ...(headers.length > 0 && { headers: components.headersOf(headers) }),
    content: { [PROBLEM_TYPE]: content },
  };
}

/** The headers of refusals that a client can act upon. */
function headersOf(examples: readonly ResponseData[]): string[] {
  return ["Retry-After", "WWW-Authenticate", "Accept-Patch"].filter((name) =>
    examples.some(({ headers }) => headers?.[name.toLowerCase()] !== undefined),
  );
}

/** A single example stands alone; several have names, with their sentences as summaries. */
function exampleMembers(responses: readonly ResponseData[]): Json {
  const problems = responses.map(({ body }) => JSON.parse(String(body)));
  if (problems.length === 0) return {};
  if (problems.length === 1) return { example: problems[0] };
  const named = problems.map((value, index) => [`problem${index + 1}`, { summary: value.detail, value }]);
  return { examples: Object.fromEntries(named) };
}
