import { runCommand } from "./run-command.ts";

const exitCode = await runCommand(process.argv.slice(2));
if (exitCode !== undefined) process.exit(exitCode);
