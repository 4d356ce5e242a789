import { protocolOperations, type RefusedRequest } from "../../http/endpoint.ts";
import { refusalHeaders } from "../../http/problems.ts";
import type { ResponseData } from "../../http/response-data.ts";

/** Codes of errors of JSON-RPC 2.0; others of this server are -32000. */
const CODES: Readonly<Record<string, number>> = { malformed: -32700, invalid: -32600 };
const INTERNAL_ERROR = -32603;
const OF_SERVER = -32000;

/**
 * Makes operations of the Model Context Protocol; errors of HTTP are those of JSON-RPC.
 * @param metadataUrl where an origin says who gives tokens (RFC 9728); undefined where only people make them
 */
export function mcpOperations(metadataUrl: ((origin: string) => string) | undefined) {
  return protocolOperations(({ refusal, problem, client }: RefusedRequest): ResponseData => {
    const code = refusal === undefined ? INTERNAL_ERROR : (CODES[refusal.reason] ?? OF_SERVER);
    const { "www-authenticate": challenge, ...headers } = refusal ? refusalHeaders(refusal) : {};
    return {
      status: problem.status === 422 ? 400 : problem.status,
      body: JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message: problem.detail } }),
      headers: {
        ...headers,
        ...(challenge !== undefined && {
          "www-authenticate": toBearer(challenge, metadataUrl?.(client.origin)),
        }),
      },
    };
  });
}

/** The challenge for a bearer token alone, with the metadata (RFC 9728, section 5.1). */
function toBearer(challenge: string, metadataUrl: string | undefined): string {
  const bearer = challenge.replace(/, Token realm="[^"]*"/, "");
  return metadataUrl === undefined ? bearer : `${bearer}, resource_metadata="${metadataUrl}"`;
}
