import { z } from "zod";
import type { Database } from "../database/database.ts";
import { ok } from "./answer.ts";
import { endpoint, SERVICE_TAG } from "./endpoint.ts";

const Health = z.object({ status: z.literal("ok") }).meta({ id: "Health" });
const well = { description: "It is well.", schema: Health, example: { status: "ok" } };

/** Health checks for supervisors and load balancers. */
export function healthApi(database: Database) {
  const live = endpoint(
    {
      id: "isAlive",
      tag: SERVICE_TAG,
      summary: "Is the process alive",
      description: "Answers as long as the process does, whatever the database is doing.",
      skipsAuthentication: true,
      answers: { 200: well },
      refusals: [],
    },
    () => ok({ status: "ok" }),
  );

  const ready = endpoint(
    {
      id: "isReady",
      tag: SERVICE_TAG,
      summary: "Is the service ready",
      description: "Answers well when the database answers and its schema is current.",
      skipsAuthentication: true,
      answers: { 200: well },
      refusals: ["unavailable"],
    },
    async () => {
      await database.ready();
      return ok({ status: "ok" });
    },
  );

  return { live, ready };
}
