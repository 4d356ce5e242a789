import { describe, expect, test } from "bun:test";
import { type Reason, Refusal } from "../../errors.ts";
import {
  isAftermath,
  isCanceled,
  isConflict,
  isConnectionLoss,
  isDamage,
  isMadeMeanwhile,
  isMixedUp,
  isReadOnly,
  isUnreachable,
  isWithoutRights,
  postgresRefusal,
  SEAL,
} from "./errors.ts";
import { TimeoutError } from "./timeouts.ts";

const questions = {
  ...{ isConflict, isAftermath, isMixedUp, isMadeMeanwhile, isConnectionLoss, isUnreachable },
  ...{ isReadOnly, isWithoutRights, isCanceled, isDamage },
};

/** An error of the server, with its SQLSTATE, and the constraint that it names. */
const ofServer = (state: string, constraint?: string) =>
  Object.assign(new Error(state), { code: "ERR_POSTGRES_SERVER_ERROR", errno: state, constraint });
/** An error of the driver. */
const ofDriver = (code: string) => Object.assign(new Error(code), { code });

/** Each error, the reason of the refusal that clients get (else it is an internal error), and what it counts as. */
const ERRORS: readonly (readonly [
  error: Error,
  reason: Reason | undefined,
  ...is: readonly (keyof typeof questions)[],
])[] = [
  [ofServer("40001"), "unavailable", "isConflict"],
  [ofServer("40P01"), "unavailable", "isConflict"],
  [ofServer("23505", "posts_slug_key"), "unavailable", "isConflict", "isMadeMeanwhile"],
  [ofServer("23505", "accounts_name_key"), undefined, "isMadeMeanwhile"],
  [ofServer("42P07"), undefined, "isMadeMeanwhile"],
  [ofServer("42710"), undefined, "isMadeMeanwhile"],
  [ofServer("42P01"), undefined, "isMadeMeanwhile"],
  [ofServer("25P02"), undefined, "isAftermath"],
  [ofServer("42P05"), undefined, "isMixedUp"],
  [ofServer("26000"), undefined, "isMixedUp"],
  [ofServer("53100"), "storage_full"],
  [ofServer("53200"), "unavailable"],
  [ofServer("53300"), "unavailable", "isConnectionLoss", "isUnreachable"],
  [ofServer("55P03"), "unavailable"],
  [ofServer("57014"), "unavailable", "isCanceled"],
  [ofServer("57P01"), "unavailable", "isConnectionLoss"],
  [ofServer("57P03"), "unavailable", "isConnectionLoss", "isUnreachable"],
  [ofServer("25P03"), "unavailable", "isConnectionLoss"],
  [ofServer("XX001"), undefined, "isDamage"],
  [ofServer("XX002"), undefined, "isDamage"],
  [ofServer("25006"), "read_only", "isReadOnly"],
  [ofServer("23514", SEAL), "unavailable"],
  [ofServer("23514", "another_check"), undefined],
  [ofServer("08006"), "unavailable", "isConnectionLoss", "isUnreachable"],
  [ofServer("28P01"), "unavailable", "isConnectionLoss", "isUnreachable"],
  [ofServer("3D000"), "unavailable", "isConnectionLoss", "isUnreachable"],
  [ofServer("55000"), "unavailable", "isConnectionLoss", "isUnreachable"],
  [ofServer("42501"), undefined, "isWithoutRights"],
  [ofServer("3F000"), undefined, "isWithoutRights"],
  [ofServer("42601"), undefined],
  [ofServer("22P02"), undefined],
  [ofDriver("ERR_POSTGRES_CONNECTION_REFUSED"), "unavailable", "isConnectionLoss", "isUnreachable"],
  [ofDriver("ERR_POSTGRES_CONNECTION_TIMEOUT"), "unavailable", "isConnectionLoss", "isUnreachable"],
  [ofDriver("ERR_POSTGRES_CONNECTION_CLOSED"), "unavailable", "isConnectionLoss"],
  [ofDriver("ERR_POSTGRES_IDLE_TIMEOUT"), "unavailable", "isConnectionLoss", "isUnreachable"],
  [ofDriver("ERR_POSTGRES_TLS_NOT_AVAILABLE"), "unavailable", "isConnectionLoss", "isUnreachable"],
  [ofDriver("ERR_POSTGRES_INVALID_QUERY_BINDING"), undefined],
  [new TimeoutError(), "unavailable", "isConnectionLoss"],
  [new TypeError("ours"), undefined],
];

describe("An error of PostgreSQL or its driver", () => {
  test.each(ERRORS.map(([error, ...expected]) => [error.message || error.name, error, expected] as const))(
    "%s is refused and counted as the table says",
    (_, error, [reason, ...is]) => {
      const given = postgresRefusal(error);
      expect(given instanceof Refusal ? given.reason : undefined).toBe(reason);
      if (reason === undefined) expect(given).toBe(error);
      const counted = Object.entries(questions).filter(([, isSo]) => isSo(error));
      expect(counted.map(([name]) => name).toSorted()).toEqual(is.toSorted());
    },
  );

  test("a refusal stays what it is", () => {
    const refusal = new Refusal("not_found", "There is none.");
    expect(postgresRefusal(refusal)).toBe(refusal);
  });
});
