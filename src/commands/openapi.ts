import { Command } from "commander";
import { createRoutes } from "../app/app.ts";
import { readConfig } from "../config/read-config.ts";
import type { Database } from "../database/database.ts";
import { openApiDocument } from "../http/openapi/document.ts";
import { print } from "./terminal/print.ts";

/** Only contracts are read here, so no database is needed. */
const database = {} as Database;

/** `commonplace openapi`: prints the OpenAPI document without starting anything. */
export function openapiCommand(): Command {
  return new Command("openapi").description("Print the OpenAPI document.").action(async () => {
    const config = readConfig(process.env);
    const routes = createRoutes({ config, database });
    await print(JSON.stringify(openApiDocument(routes, config.publicUrl), null, 2));
  });
}
