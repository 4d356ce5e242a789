const prefix = crypto.randomUUID().slice(0, 8);
let count = 0;

/** The id of a request: the client's own when it is valid, else a new unique one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  if (given !== null && /^[A-Za-z0-9._-]{1,128}$/.test(given)) return given;
  count++;
  return `${prefix}-${count.toString(36)}`;
}
