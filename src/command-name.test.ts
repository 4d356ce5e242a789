import { expect, test } from "bun:test";
import { commandName, quoted, welcomeCommandLine } from "./command-name.ts";

test("the command is what a shell finds, however the server was started", () => {
  expect(commandName({ PATH: "/usr/bin" })).toBe("commonplace");
  expect(commandName({ npm_execpath: "/usr/lib/node_modules/npm/bin/npm-cli.js" })).toBe("npx commonplace");
});

test.each([
  [[], {}, undefined, "commonplace welcome"],
  [[], {}, "8123", "commonplace welcome --port 8123"],
  [[], { PORT: "8200" }, "8123", "commonplace welcome --port 8123"],
  [
    [],
    { DATABASE_URL: "sqlite:/srv/a.db" },
    undefined,
    "commonplace welcome --database-url sqlite:/srv/a.db",
  ],
  [
    [],
    { DATABASE_URL: "sqlite:a.db" },
    undefined,
    `commonplace welcome --database-url ${quoted(`sqlite:${process.cwd()}/a.db`)}`,
  ],
  [
    ["--database-url", "sqlite:/b.db"],
    { DATABASE_URL: "sqlite:/a.db" },
    undefined,
    "commonplace welcome --database-url sqlite:/b.db",
  ],
  [
    [],
    { DATABASE_URL: "postgres://me:secret@db/x" },
    undefined,
    "commonplace welcome --database-url postgres://me:PASSWORD@db/x",
  ],
  [
    [],
    { DATABASE_URL_FILE: "/run/url", DATABASE_URL: "sqlite:/a.db" },
    undefined,
    "DATABASE_URL_FILE=/run/url commonplace welcome",
  ],
  [
    ["--database-url=sqlite:/b.db"],
    { DATABASE_URL_FILE: "/run/url" },
    undefined,
    "commonplace welcome --database-url sqlite:/b.db",
  ],
  [
    [],
    { PUBLIC_URL: "https://a.example", PORT: "1" },
    "1",
    "commonplace welcome --public-url https://a.example",
  ],
])(
  "the command for a welcome link of a server with %j and %j is right elsewhere, too",
  (argv, env, port, line) => {
    const at = { COMMONPLACE_CALLED_AS: "/opt/bin/commonplace", PATH: "/usr/bin:/opt/bin" };
    expect(welcomeCommandLine(port, { argv, env: { ...at, ...env } })).toBe(line);
  },
);
