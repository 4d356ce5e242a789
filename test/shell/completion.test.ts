import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { flagName, settingKeys } from "../../src/config/config.ts";
import { COMMAND, run, temporaryFolder } from "../support/server/server.ts";

/** A command line up to the cursor, and what completes its last word. */
const CASES: [line: string, offered: string[]][] = [
  ["commonplace impo", ["import"]],
  ["commonplace account dis", ["disable"]],
  ["commonplace help tok", ["token"]],
  ["commonplace import --ex", ["--existing"]],
  ["commonplace import --existing s", ["skip"]],
  ["commonplace import --existing skip bo", ["bookmarks.html"]],
  ["commonplace import bo", ["bookmarks.html"]],
  ["commonplace import --dry-run bo", ["bookmarks.html"]],
  ["commonplace serve --posts-access ", ["open", "private", "read"]],
  ["commonplace serve --port 80 --log-level sil", ["silent"]],
  ["commonplace account list bo", []],
  ["commonplace completion ", ["bash", "fish", "zsh"]],
];

describe("commonplace completion", () => {
  const folder = temporaryFolder();
  const PATH = `${folder.path}:${process.env.PATH ?? ""}`;
  beforeAll(async () => {
    symlinkSync(COMMAND, folder.file("commonplace"));
    await Bun.write(folder.file("bookmarks.html"), "");
    for (const shell of ["bash", "zsh", "fish"]) {
      const { code, stdout } = await run(["completion", shell]);
      expect(code).toBe(0);
      await Bun.write(folder.file(shell), stdout);
    }
  });
  afterAll(() => folder[Symbol.dispose]());

  describe("bash", () => {
    test.each(CASES)("completes %s", (line, offered) => {
      expect(completedByBash(line.split(" "))).toEqual(offered);
    });

    test("completes a value after the equals sign, which the shell treats as a separate word", () => {
      expect(completedByBash(["commonplace", "serve", "--posts-access", "=", "r"])).toEqual(["read"]);
      expect(completedByBash(["commonplace", "serve", "--posts-access", "="])).toHaveLength(3);
      expect(completedByBash(["commonplace", "serve", "--posts-access", "=", "read", "--por"])).toEqual([
        "--port",
      ]);
    });

    test("knows every setting", () => {
      const flags = completedByBash(["commonplace", "serve", "--"]);
      for (const key of settingKeys) expect(flags).toContain(flagName(key));
    });

    test("can be sourced twice, and works at a key press", async () => {
      let screen = "";
      const { promise, resolve } = Promise.withResolvers<void>();
      const shell = Bun.spawn(["bash", "--norc", "--noprofile", "-i"], {
        cwd: folder.path,
        env: { PATH, PS1: "$ ", TERM: "dumb" },
        terminal: {
          cols: 120,
          rows: 40,
          data: (_, bytes) => {
            screen += new TextDecoder().decode(bytes);
            if (screen.includes("commonplace import --existing ")) resolve();
          },
        },
      });
      shell.terminal?.write("source ./bash; source ./bash\n");
      shell.terminal?.write("commonplace impo\t--exi\t");
      await promise;
      shell.kill("SIGKILL");
      await shell.exited;
      shell.terminal?.close();
      expect(screen).not.toContain("readonly");
    });

    function completedByBash(words: readonly string[]): string[] {
      const script = 'source ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _commonplace 2>/dev/null';
      const printing = `${script}; ((\${#COMPREPLY[@]})) && printf '%s\\n' "\${COMPREPLY[@]}"`;
      return outputOf(["bash", "--norc", "-c", printing, "bash", ...words]);
    }
  });

  describe("fish", () => {
    test.skipIf(Bun.which("fish") === null).each(CASES)("completes %s", (line, offered) => {
      const lines = outputOf(["fish", "--no-config", "-c", 'source ./fish; complete -C "$argv"', line]);
      expect(lines.map((each) => each.split("\t")[0] ?? "")).toEqual(offered);
    });
  });

  describe("zsh", () => {
    test.skipIf(Bun.which("zsh") === null)("reads it", () => {
      const words = [
        "zsh",
        "-f",
        "-c",
        "autoload -U compinit; compinit -u -D; source ./zsh; print $_comps[commonplace]",
      ];
      expect(outputOf(words)).toEqual(["_commonplace"]);
    });
  });

  test("refuses a shell that it does not know", async () => {
    const { code, stderr } = await run(["completion", "tcsh"]);
    expect(stderr).toContain("Allowed choices are bash, zsh, fish.");
    expect(code).toBe(2);
  });

  function outputOf(words: readonly string[]): string[] {
    const { stdout, stderr } = Bun.spawnSync([...words], {
      cwd: folder.path,
      env: { PATH, HOME: folder.path, TERM: "dumb" },
    });
    expect(stderr.toString()).toBe("");
    return stdout.toString().split("\n").filter(Boolean).toSorted();
  }
});
