import { Command } from "commander";
import { createWelcomeLink } from "../../accounts/welcome/welcome-link.ts";
import { readSetting } from "../../config/read-config.ts";
import { StartError } from "../../errors.ts";
import { commandLine } from "../terminal/command-line.ts";
import { print } from "../terminal/print.ts";
import { type DatabaseFlags, databaseOption, withDatabase } from "../with-database.ts";
import { baseUrl, otherAddress, welcomeText } from "./welcome-text.ts";

type WelcomeFlags = DatabaseFlags & { readonly port?: string; readonly publicUrl?: string };

/** `commonplace welcome`: a link that makes the first account in a browser. */
export function welcomeCommand(): Command {
  return new Command("welcome")
    .description("Print a link for creating the first account in a browser. It is valid once, for one hour.")
    .addOption(databaseOption())
    .option("--port <port>", "the port of the server, for the address of the link (PORT)")
    .option("--public-url <url>", "the address of the server, for that of the link (PUBLIC_URL)")
    .action(async (flags: WelcomeFlags) => {
      if (readSetting("web", process.env) === "off")
        throw new StartError("WEB is off: there is no page on which to create an account.", 1);
      const link = await withDatabase(flags, (database) => createWelcomeLink(database, new Date()));
      if (link === undefined)
        throw new StartError(
          `There is already an account. To create more: ${commandLine("account", "add", "NAME")}`,
          1,
        );
      const publicUrl = readSetting("publicUrl", process.env, flags);
      const host = readSetting("host", process.env);
      const text = welcomeText(link, publicUrl ?? baseUrl(host, readSetting("port", process.env, flags)));
      // The settings of this command need not be those of the running server.
      await print(publicUrl === undefined ? `${text}\n${otherAddress(link)}` : text);
    });
}
