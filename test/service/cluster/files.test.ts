import { expect, test } from "bun:test";
import { parse } from "yaml";
import { readConfig } from "../../../src/config/read-config.ts";
import { temporaryFolder } from "../../support/server/server.ts";
import { example } from "./machine.ts";

/** `npm run cluster` runs all of it, where its programs are installed. */

const NETWORK = "10.0.0.";

test.each(["commonplace.env", "commonplace-reading.env"])(
  "%s has settings that the program takes",
  (file) => {
    const lines = example(file, NETWORK).matchAll(/^(\w+)=(.*)$/gm);
    const config = readConfig(
      Object.fromEntries([...lines].map(([, name = "", value = ""]) => [name, value])),
    );
    expect(config.databaseUrl).toStartWith("postgres://commonplace:drill@1");
    expect(config.readOnly).toBe(file === "commonplace.env" ? "off" : "on");
  },
);

test("patroni.yml can be read, confirms no write on one machine alone, and has times that fit together", () => {
  const text = example("patroni.yml", NETWORK).replaceAll(/@\w+@/g, "x");
  const { dcs } = (parse(text) as { bootstrap: { dcs: Record<string, number | boolean> } }).bootstrap;
  expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true });
  expect(Number(dcs.loop_wait) + 2 * Number(dcs.retry_timeout)).toBeLessThanOrEqual(Number(dcs.ttl));
});

test.skipIf(Bun.which("haproxy") === null)("HAProxy accepts haproxy-postgres.cfg", async () => {
  using folder = temporaryFolder();
  await Bun.write(folder.file("haproxy.cfg"), example("haproxy-postgres.cfg", NETWORK));
  const checked = Bun.spawn(["haproxy", "-c", "-f", folder.file("haproxy.cfg")], { stderr: "pipe" });
  expect([await checked.exited, await new Response(checked.stderr).text()]).toEqual([0, ""]);
});
