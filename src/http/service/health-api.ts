import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import { endpoint, type Routes, SERVICE_TAG } from "../endpoint.ts";
import { ok } from "../response-data.ts";

const Health = z.object({ status: z.literal("ok") }).meta({ id: "Health" });
const Readiness = z
  .object({
    status: z.literal("ok"),
    read_only: z
      .literal(true)
      .optional()
      .describe("Present while writes get 503, such as with `READ_ONLY=on`."),
  })
  .meta({ id: "Readiness" });
const well = { description: "Ready.", schema: Health, example: { status: "ok" } };

/**
 * Health checks for supervisors and load balancers.
 * @param isLeaving whether the server will stop soon, so that load balancers should send requests elsewhere
 */
export function healthApi(database: Database, isLeaving: () => boolean = () => false): Routes {
  const live = endpoint(
    {
      id: "isAlive",
      tag: SERVICE_TAG,
      summary: "Check that the process is alive",
      description: "Succeeds as long as the process responds, whatever the state of the database.",
      skipsAuthentication: true,
      responses: { 200: well },
      refusals: [],
    },
    () => ok({ status: "ok" }),
  );

  const ready = endpoint(
    {
      id: "isReady",
      tag: SERVICE_TAG,
      summary: "Check that the service is ready",
      description:
        "Succeeds if the database responds and its schema is current. Fails from the signal to stop on, while requests are still served for `STOP_DELAY`.",
      skipsAuthentication: true,
      responses: { 200: { ...well, schema: Readiness } },
      refusals: ["unavailable"],
    },
    async () => {
      if (isLeaving()) throw new Refusal("unavailable", "The server is stopping.");
      await database.ready();
      return ok({
        status: "ok",
        ...(database.obstacle()?.reason === "read_only" && { read_only: true }),
      });
    },
  );

  return {
    "/healthz": { GET: live },
    "/readyz": { GET: ready },
  };
}
