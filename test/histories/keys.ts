import { type Call, describe, type Fields, type Item } from "./history.ts";

/** The outcome of an Idempotency-Key. */
export interface KeyOutcome {
  readonly sent: string;
  readonly made: string;
}

/**
 * Checks the requests with one Idempotency-Key. They create one record at most, every repeat gets the same
 * response, and a different body is refused once a record exists.
 *
 * @param former the outcome of earlier rounds
 */
export function checkKey(
  key: string,
  calls: readonly Call[],
  former: KeyOutcome | undefined,
): { readonly faults: string[]; readonly outcome: KeyOutcome | undefined } {
  const faults: string[] = [];
  const fault = (what: string, ...shown: Call[]) =>
    faults.push([`key ${key}: ${what}`, ...shown.map(describe)].join("\n    "));
  const successes = calls.filter(({ response }) => response?.status === 201);
  const fresh = successes.filter(({ response }) => !response?.headers.has("idempotency-replayed"));
  if (fresh.length > (former === undefined ? 1 : 0)) fault("done more than once", ...fresh);
  const outcome = former ?? outcomeOf(fresh[0] ?? successes[0]);
  for (const call of successes)
    if (made(call) !== outcome?.made || sent(call.body) !== outcome.sent)
      fault(`another answer than ${outcome?.made}`, call);
  for (const call of calls) {
    const { response } = call;
    if (response === undefined || response.status === 503) continue;
    const isDecided = former !== undefined || successes.some(({ completed }) => completed < call.invoked);
    const isSame = outcome?.sent === sent(call.body);
    if (isDecided && isSame && response.status !== 201)
      fault("a repeat was not answered by what is stored", call);
    if (isDecided && !isSame && response.status !== 422) fault("another body was not refused", call);
    if (
      response.status === 422 &&
      !calls.some((other) => isRival(other, call)) &&
      (outcome === undefined || isSame)
    )
      fault("refused although no other body was sent", call);
    if (response.status === 409 && !calls.some((other) => other !== call && overlap(other, call)))
      fault("refused although nothing is in flight", call);
    if (response.status === 412 && call.ifMatch === undefined)
      fault("a precondition failed that was not sent", call);
  }
  return { faults, outcome };
}

function outcomeOf(call: Call | undefined): KeyOutcome | undefined {
  return call && { sent: sent(call.body), made: made(call) };
}

function sent(body: Fields | undefined): string {
  return JSON.stringify(body);
}

function made({ response }: Call): string {
  return JSON.stringify([response?.headers.get("location"), response?.body as Item]);
}

function isRival(other: Call, call: Call): boolean {
  return sent(other.body) !== sent(call.body) && other.invoked < call.completed;
}

function overlap(one: Call, other: Call): boolean {
  return one.invoked < other.completed && other.invoked < one.completed;
}
