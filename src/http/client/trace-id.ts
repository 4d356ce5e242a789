/**
 * The trace that a request is part of, from `traceparent` (W3C Trace Context, section 3.2); undefined when there is none,
 * or it is invalid. Later versions of the header begin like the first one.
 */
export function traceIdOf(request: Request): string | undefined {
  const given = request.headers.get("traceparent");
  if (given === null) return undefined;
  const [, version, traceId, parentId, rest] =
    /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(-.*)?$/.exec(given) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  return /^0+$/.test(traceId ?? "") || /^0+$/.test(parentId ?? "") ? undefined : traceId;
}
