import { Command } from "commander";
import { describe } from "../completion/described.ts";
import { manualPage } from "../completion/manual-page.ts";
import { print } from "./terminal/print.ts";

/** `commonplace man`: generated from the commands and settings; `man/commonplace.1` is a copy. */
export function manCommand(): Command {
  const command = new Command("man").description("Print the manual page, to be read with `man -l -`.");
  return command.action(async () => {
    if (command.parent !== null) await print(manualPage(describe(command.parent)));
  });
}
