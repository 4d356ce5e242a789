import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { temporaryFolder } from "../../test/support/server/server.ts";
import { type Config, flagName, type SettingKey, settingKeys, settings, variableName } from "./config.ts";
import { readConfig, readDatabaseUrl, readSetting } from "./read-config.ts";

/** Values of settings, as they are written and as they are read. */
const right: { [K in SettingKey]?: readonly (readonly [text: string, value: Config[K]])[] } = {
  host: [
    ["127.0.0.1", "127.0.0.1"],
    ["localhost", "localhost"],
    ["::1", "::1"],
    ["[::1]", "[::1]"],
    ["unix:/run/commonplace/http.sock", "unix:/run/commonplace/http.sock"],
  ],
  port: [
    ["0", 0],
    ["8000", 8_000],
    ["65535", 65_535],
  ],
  rateLimit: [
    ["600/1m", { requests: 600, window: 60_000 }],
    ["1/12h", { requests: 1, window: 43_200_000 }],
    ["", undefined],
  ],
  databaseUrl: [
    ["sqlite:data/a.db", "sqlite:data/a.db"],
    ["sqlite:/var/lib/a b.db", "sqlite:/var/lib/a b.db"],
    ["postgres://a:b,c@a:5432,b,[::1]:5434/name", "postgres://a:b,c@a:5432,b,[::1]:5434/name"],
    [
      "postgres://a,b/name?schema=x&target_session_attrs=any",
      "postgres://a,b/name?schema=x&target_session_attrs=any",
    ],
  ],
  services: [
    ["bookmarks", ["bookmarks"]],
    [" bookmarks ,", ["bookmarks"]],
  ],
  protocols: [
    ["ghost, linkding", ["ghost", "linkding"]],
    ["none", []],
    ["", ["linkding", "ghost", "micropub", "mcp"]],
  ],
  publicUrl: [
    ["https://links.example.com", "https://links.example.com"],
    ["https://Links.Example.com:443/", "https://links.example.com"],
    ["http://localhost:8000", "http://localhost:8000"],
  ],
  allowedHosts: [
    ["a.example, *.B.Example,10.0.0.1", ["a.example", "*.b.example", "10.0.0.1"]],
    ["*", ["*"]],
    ["[2001:DB8:0::1]", ["[2001:db8::1]"]],
  ],
  trustedProxies: [["10.0.0.0/8, ::1,192.168.0.1", ["10.0.0.0/8", "::1", "192.168.0.1"]]],
  corsOrigins: [
    ["https://app.example, http://localhost:3000", ["https://app.example", "http://localhost:3000"]],
    [
      "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai, moz-extension://5E7BF2A0-3f2c-4a3c-9d06-7d0a4c1c4f5e",
      [
        "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai",
        "moz-extension://5e7bf2a0-3f2c-4a3c-9d06-7d0a4c1c4f5e",
      ],
    ],
    ["*", ["*"]],
  ],
  bookmarksAccess: [
    ["open", "open"],
    ["auto", "auto"],
  ],
  bodyLimit: [
    ["1048576", 1_048_576],
    ["512KiB", 524_288],
    ["2MiB", 2_097_152],
    ["1000B", 1_000],
  ],
  copiesMax: [
    ["5GiB", 5 * 1024 ** 3],
    ["512MiB", 512 * 1024 ** 2],
    ["0", 0],
  ],
  metricsPort: [
    ["0", undefined],
    ["9464", { host: "127.0.0.1", port: 9_464 }],
    ["0.0.0.0:9464", { host: "0.0.0.0", port: 9_464 }],
    ["metrics.internal:9464", { host: "metrics.internal", port: 9_464 }],
    ["[::1]:9464", { host: "[::1]", port: 9_464 }],
  ],
  media: [
    ["database", undefined],
    ["", undefined],
    ["s3://my-blog", { bucket: "my-blog", prefix: "" }],
    ["s3://my.blog/", { bucket: "my.blog", prefix: "" }],
    ["s3://blog/sites/A_b-1.2/", { bucket: "blog", prefix: "sites/A_b-1.2/" }],
  ],
  mediaEndpoint: [
    ["", undefined],
    ["https://S3.example.com", "https://s3.example.com"],
  ],
  mediaSecret: [["a/b+c=&d", "a/b+c=&d"]],
  logLevel: [["silent", "silent"]],
};

const wrong: { [K in SettingKey]?: readonly string[] } = {
  host: [
    "not a host",
    "127.0.0.1:8000",
    "[::1]:8000",
    "::g",
    "300.1.1.1",
    "1.2.3",
    "http://localhost",
    "a,b",
    "unix:",
    "unix:http.sock",
    "unix:/run/",
    `unix:/run/${"x".repeat(103)}`,
  ],
  port: ["-1", "65536", "8000.5", "8e3", "0x50", "80.0", " ", "http"],
  databaseUrl: [
    "sqlite:",
    "sqlite::memory:",
    "data/a.db",
    "mysql://x",
    "file:a.db",
    "postgres://a/b?sslmode=verify_full",
    ...["postgres://a:50%@b/c", "postgres://a%zz@b/c", "postgres://a/b%"],
  ],
  services: [",", "bookmark", "bookmarks,unknown", "bookmarks;posts"],
  protocols: [",", "none,ghost", "Ghost", "linkding ghost", "off", "activitypub"],
  publicUrl: ["example.com", "https://", "https://example.com/path", "https://user@example.com", "ftp://a"],
  allowedHosts: ["https://a.example", "a.example:80", "a b", "*.*.example", "a.*", "a/b"],
  trustedProxies: ["proxy", "10.0.0.0/33", "::/129", "10.0.0/8", "10.0.0.1/", "10.0.0.1/a"],
  corsOrigins: [
    ...["app.example", "https://app.example/path", "null", "*.example", "https://*.example"],
    "chrome-extension://a/b",
  ],
  bookmarksAccess: ["everyone", "OPEN", "open,read"],
  rateLimit: ["600", "0/1m", "600/minute", "-1/1m", "600/0s"],
  bodyLimit: ["0", "1 megabyte", "0MiB", "-1", "1MB", "1 MiB", "1.5MiB", "MiB", "9999999999"],
  copiesMax: ["5 GB", "5GB", "5gib", "1TiB", "-1", "all"],
  metricsPort: ["-1", "65536", "localhost", ":9464", "localhost:", "0.0.0.0:65536", "::1:9464", "a b:9464"],
  media: [
    ...["on", "s3:", "s3://", "s3://B", "s3://a", "s3:///a", "s3://a..b", "https://s3.example.com/blog"],
    ...["s3://blog//a", "s3://blog/..", "s3://blog/a/../b", "s3://blog/./a", "s3://blog/.a", "s3://blog/a//"],
    ...["s3://blog/a b", "s3://blog/a?b", "s3://blog/a#b", "s3://blog/a%2f", "s3://blog/é", "s3://blog/a\\b"],
    ...["s3://key:secret@blog/a", `s3://blog/${"x".repeat(501)}`],
  ],
  mediaEndpoint: ["s3.example.com", "https://s3.example.com/blog", "https://key:secret@s3.example.com"],
  mediaKey: ["two words", "é"],
  mediaSecret: ["two words", "x".repeat(201)],
  logLevel: ["loud", "INFO"],
};

describe("A setting", () => {
  test("has a variable and a flag of its own, a meaning, and a default that it takes itself", () => {
    expect(variableName("bookmarksAccess")).toBe("BOOKMARKS_ACCESS");
    expect(flagName("bookmarksAccess")).toBe("--bookmarks-access");
    expect(new Set(settingKeys.map(variableName)).size).toBe(settingKeys.length);
    for (const key of settingKeys) {
      expect(settings[key].meaning).toEndWith(".");
      expect(settings[key].values).not.toBeEmpty();
      expect(() => settings[key].parse(settings[key].default)).not.toThrow();
    }
  });

  for (const [key, cases] of Object.entries(right)) {
    for (const [text, value] of cases) {
      test(`${variableName(key as SettingKey)}=${text} is taken`, () => {
        expect<unknown>(readSetting(key as SettingKey, { [variableName(key as SettingKey)]: text })).toEqual(
          value,
        );
      });
    }
  }

  for (const [key, texts] of Object.entries(wrong)) {
    for (const text of texts) {
      test(`${variableName(key as SettingKey)}=${text} is reported, with exit code 2`, () => {
        const variable = variableName(key as SettingKey);
        const reading = () => readConfig({ [variable]: text });
        expect(reading).toThrow(expect.objectContaining({ exitCode: 2 }));
        expect(reading).toThrow(new RegExp(`^${variable}: [^\\n]+\\.$`));
      });
    }
  }
});

describe("readConfig", () => {
  test("has the defaults of the contract", () => {
    expect(readConfig({})).toMatchObject({
      host: "127.0.0.1",
      port: 8_000,
      databaseUrl: "sqlite:data/commonplace.db",
      publicUrl: undefined,
      allowedHosts: [],
      trustedProxies: [],
      corsOrigins: [],
      bookmarksAccess: "auto",
      bodyLimit: 1_048_576,
      logLevel: "info",
    });
  });

  test("lets flags beat the environment, and empty values count as none", () => {
    const environment = { PORT: "1", BODY_LIMIT: "2", LOG_LEVEL: "" };
    const config = readConfig(environment, { port: "3", bodyLimit: "" });
    expect(config).toMatchObject({ port: 3, bodyLimit: 2, logLevel: "info" });
  });

  test("remembers which settings were given, also when they have their default's value", () => {
    const { given } = readConfig({ PORT: "8000", LOG_LEVEL: "" }, { host: "localhost" });
    expect(given).toEqual(new Set<SettingKey>(["host", "port"]));
  });

  test("reads a secret from a file, without the line's end", () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("url"), "sqlite:from-a-file.db\n");
    const DATABASE_URL_FILE = folder.file("url");
    expect(readConfig({ DATABASE_URL_FILE }).databaseUrl).toBe("sqlite:from-a-file.db");
  });

  test("a file beats the variable, which a unit or an image may set to a default; a flag beats both", () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("url"), "sqlite:from-a-file.db\n");
    const both = { DATABASE_URL: "sqlite:direct.db", DATABASE_URL_FILE: folder.file("url") };
    expect(readConfig(both).databaseUrl).toBe("sqlite:from-a-file.db");
    expect(readConfig(both, { databaseUrl: "sqlite:flag.db" }).databaseUrl).toBe("sqlite:flag.db");
    expect(readDatabaseUrl("--from", undefined, "DATABASE_URL", both)).toBe("sqlite:from-a-file.db");
    expect(readDatabaseUrl("--from", "sqlite:flag.db", "DATABASE_URL", both)).toBe("sqlite:flag.db");
  });

  test("needs everything for an object store, and never shows its secret", () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("secret"), "abc\n");
    const all = {
      MEDIA: "s3://blog/images",
      MEDIA_ENDPOINT: "https://s3.example.com",
      MEDIA_KEY: "key",
      MEDIA_SECRET_FILE: folder.file("secret"),
    };
    expect(readConfig(all)).toMatchObject({ mediaKey: "key", mediaSecret: "abc" });
    expect(() => readConfig({ MEDIA: all.MEDIA, MEDIA_KEY: "key" })).toThrow(
      "MEDIA_ENDPOINT: is missing, and MEDIA needs it for the object store.\n" +
        "MEDIA_SECRET: is missing, and MEDIA needs it for the object store.",
    );
    expect(readConfig({ MEDIA_KEY: "key" }).media).toBeUndefined();
    for (const [name, text] of [
      ["MEDIA_SECRET", "s3cr3t s3cr3t"],
      ["MEDIA_ENDPOINT", "https://key:s3cr3t@s3.example.com"],
      ["MEDIA", "s3://key:s3cr3t@blog/a"],
      ["MEDIA", "s3://blog/s3cr3t/.."],
    ] as const)
      expect(() => readConfig({ ...all, MEDIA_SECRET_FILE: "", [name]: text })).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining("s3cr3t") }),
      );
  });

  test("reports all invalid settings at once", () => {
    const environment = { PORT: "x", DATABASE_URL_FILE: "/nowhere", WORKERS: "0", WEB: "off" };
    expect(() => readConfig(environment, { host: "a b" })).toThrow(
      [
        'HOST: "a b" is neither an address nor a host name.',
        'PORT: "x" is not an integer from 0 to 65535.',
        "DATABASE_URL_FILE: /nowhere cannot be read.",
        'WORKERS: "0" is not an integer from 1 to 256.',
      ].join("\n"),
    );
  });

  test.each([
    { PORT: "9464", METRICS_PORT: "9464" },
    { PORT: "9466", METRICS_PORT: "9464", WORKERS: "3" },
    { METRICS_PORT: "65534", WORKERS: "3" },
  ])("refuses metrics without a free port for each process: %j", (environment) => {
    expect(() => readConfig(environment)).toThrow(/^METRICS_PORT: [^\n]+\.$/);
    expect(() => readConfig({ PORT: "9467", METRICS_PORT: "9464", WORKERS: "3" })).not.toThrow();
  });

  test.each([
    ["postgres://a/db", "postgres://b/db", true],
    ["postgres://a/db?schema=one", "postgres://b/db", true],
    ["postgres://a/db?schema=one", "postgres://b/db?schema=one", true],
    ["postgres://a/db?schema=one", "postgres://b/db?schema=two", false],
    ["postgres://a/db", "postgres://b/db?schema=two", false],
    ["postgres://a/db", "sqlite:b.db", false],
    ["sqlite:a.db", "postgres://b/db", false],
  ])("reads what %s has from a standby at %s: %p", (DATABASE_URL, DATABASE_READ_URL, isTaken) => {
    const reading = () => readConfig({ DATABASE_URL, DATABASE_READ_URL });
    if (isTaken) expect(reading).not.toThrow();
    else expect(reading).toThrow(/^DATABASE_READ_URL: [^\n]+\.$/);
  });

  test("refuses several workers on a Unix socket", () => {
    const reading = () => readConfig({ HOST: "unix:/run/commonplace/http.sock", WORKERS: "2" });
    expect(reading).toThrow(/^WORKERS: [^\n]+ Unix socket[^\n]+\.$/);
  });

  test("reads nothing but secrets from files", () => {
    expect(readConfig({ PORT_FILE: "/nowhere" }).port).toBe(8_000);
  });

  test("reports which file cannot be read", () => {
    expect(() => readConfig({ DATABASE_URL_FILE: "/nowhere" })).toThrow(
      "DATABASE_URL_FILE: /nowhere cannot be read.",
    );
  });

  test("takes no empty file for a secret that was not given: the default database would be another one", () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("url"), "\n");
    const environment = { DATABASE_URL_FILE: folder.file("url") };
    expect(() => readConfig(environment)).toThrow(`DATABASE_URL_FILE: ${folder.file("url")} is empty.`);
  });

  test("shows no secret in error messages", () => {
    const reading = () => readConfig({ DATABASE_URL: "mysql://user:secret@localhost/db" });
    expect(reading).toThrow("DATABASE_URL");
    expect(reading).not.toThrow("secret");
  });
});
