import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { embeddedPostgres } from "../support/databases/postgres.ts";
import { PostgresServer } from "../support/databases/postgres-server.ts";
import { run, startServer } from "../support/server/server.ts";

describe.skipIf(Bun.which("openssl") === null)(
  "PostgreSQL over TLS, with a certificate authority of one's own",
  () => {
    let folder: string;
    let server: PostgresServer;
    const file = (name: string) => join(folder, name);
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "commonplace-tls-"));
      await makeAuthority("ca");
      await makeAuthority("other");
      await makeCertificate("server", "subjectAltName=IP:127.0.0.1");
      await makeCertificate("client", "extendedKeyUsage=clientAuth");
      server = await PostgresServer.start(embeddedPostgres, {
        ssl: "on",
        ssl_cert_file: file("server.pem"),
        ssl_key_file: file("server.key"),
        ssl_ca_file: file("ca.pem"),
      });
    });
    afterAll(async () => {
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    });

    const url = (parameters: Record<string, string>, host = "127.0.0.1") =>
      `${server.url("postgres").replace("127.0.0.1", host)}?${new URLSearchParams(parameters)}`;
    const full = () => ({ sslmode: "verify-full", sslrootcert: file("ca.pem") });
    const client = () => ({ sslcert: file("client.pem"), sslkey: file("client.key") });

    test.each([
      ["verify-full, the authority unknown", () => url({ sslmode: "verify-full" }), /sslrootcert=/],
      [
        "verify-full, another authority",
        () => url({ ...full(), sslrootcert: file("other.pem") }),
        /sslrootcert=/,
      ],
      ["verify-full, another host", () => url(full(), "localhost"), /sslmode=verify-ca/],
      [
        "a file that is missing",
        () => url({ ...full(), sslrootcert: file("nowhere.pem") }),
        /sslrootcert=\S+nowhere\.pem cannot be read\./,
      ],
    ])("is refused in one line with a hint: %s", async (_, urlOf, hint) => {
      const { code, stderr } = await run(["serve"], { env: { DATABASE_URL: urlOf(), PORT: "0" } });
      expect(stderr).toMatch(/^commonplace: DATABASE_URL: [^\n]+ cannot be used: [^\n]+\.\n$/);
      expect(stderr).toMatch(hint);
      expect(code).toBe(1);
    });

    test("serves with sslmode=verify-full and sslrootcert, and with a certificate where the server demands one", async () => {
      await serve(url(full()));
      await server.requireCertificates();
      const { stderr } = await run(["serve"], { env: { DATABASE_URL: url(full()), PORT: "0" } });
      expect(stderr).toMatch(/^commonplace: DATABASE_URL: [^\n]+ requires a valid client certificate\.\n$/);
      await serve(url({ ...full(), ...client() }));
    });

    async function serve(DATABASE_URL: string): Promise<void> {
      const started = await startServer({ DATABASE_URL });
      expect((await fetch(`${started.url}/readyz`)).status).toBe(200);
      await started.stop();
    }

    async function makeAuthority(name: string): Promise<void> {
      await Bun.$`openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj ${`/CN=${name}`} -keyout ${file(`${name}.key`)} -out ${file(`${name}.pem`)}`.quiet();
    }

    /** A certificate by the authority `ca`, readable by the user that runs PostgreSQL. */
    async function makeCertificate(name: string, extension: string): Promise<void> {
      const [key, request, certificate, extensions] = ["key", "csr", "pem", "ext"].map((end) =>
        file(`${name}.${end}`),
      );
      await Bun.write(extensions ?? "", extension);
      await Bun.$`openssl req -newkey rsa:2048 -nodes -subj ${`/CN=${name}`} -keyout ${key} -out ${request}`.quiet();
      await Bun.$`openssl x509 -req -in ${request} -CA ${file("ca.pem")} -CAkey ${file("ca.key")} -CAcreateserial -days 2 -extfile ${extensions} -out ${certificate}`.quiet();
      chmodSync(folder, 0o755);
      chmodSync(key ?? "", 0o600);
      if (statSync(key ?? "").uid === 0) chownSync(key ?? "", 65_534, 65_534);
    }
  },
);
