import { Argument, Command } from "commander";
import { bashCompletion } from "../completion/bash.ts";
import { type Described, describe } from "../completion/described.ts";
import { fishCompletion } from "../completion/fish.ts";
import { zshCompletion } from "../completion/zsh.ts";
import { print } from "./terminal/print.ts";

const SHELLS: Readonly<Record<string, (program: Described) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** `commonplace completion`: generated from the command definitions. */
export function completionCommand(): Command {
  const command = new Command("completion")
    .description("Print a shell completion script.")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SHELLS)));
  return command.action(async (shell: string) => {
    if (command.parent !== null) await print(SHELLS[shell]?.(describe(command.parent)) ?? "");
  });
}
