import { expect, test } from "bun:test";
import { join } from "node:path";
import { YAML } from "bun";
import { settingKeys, variableName } from "../../src/config/config.ts";
import { readConfig } from "../../src/config/read-config.ts";

const ROOT = join(import.meta.dir, "../..");
const NAMES = new Set(settingKeys.map(variableName));

interface Compose {
  readonly services: { readonly commonplace: { readonly environment: Record<string, string> } };
}

test("compose.yaml uses existing settings, with which a server starts", async () => {
  const compose = YAML.parse(await read("compose.yaml")) as Compose;
  const given = Object.entries(compose.services.commonplace.environment).map(([name, value]) => [
    name,
    value
      .replace(/\$\{POSTGRES_PASSWORD:\?\}/, "secret")
      .replace(/\$\{PUBLIC_URL:\?\}/, "https://links.example.com"),
  ]);
  expectSettings(Object.fromEntries([...given, ["HOST", "0.0.0.0"]]));
});

test("Dockerfile uses existing settings", async () => {
  const [, words = ""] = /^ENV (.*)$/m.exec(await read("Dockerfile")) ?? [];
  const given = settingsIn(words.replaceAll(" ", "\n"));
  expectSettings(given);
});

test("docs/operations.md and the unit use existing settings", async () => {
  const [, file = ""] =
    /commonplace\.env >\/dev\/null <<'END'\n([\s\S]*?)END/.exec(await read("docs/operations.md")) ?? [];
  const [, words = ""] = /^Environment=(.*)$/m.exec(await read("docs/service/commonplace.service")) ?? [];
  expectSettings(settingsIn(file));
  expectSettings(settingsIn(words.replaceAll(" ", "\n")));
});

function expectSettings(given: Readonly<Record<string, string>>): void {
  expect(Object.keys(given)).not.toBeEmpty();
  expect(Object.keys(given).filter((name) => !NAMES.has(name))).toEqual([]);
  expect(() => readConfig(given)).not.toThrow();
}

function settingsIn(lines: string): Record<string, string> {
  return Object.fromEntries(
    [...lines.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
}

function read(path: string): Promise<string> {
  return Bun.file(join(ROOT, path)).text();
}
