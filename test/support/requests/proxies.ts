import { join } from "node:path";
import { freePort } from "../machine/free-port.ts";
import { until } from "../machine/until.ts";
import { temporaryFolder } from "../server/server.ts";

const EXAMPLES = join(import.meta.dir, "../../../docs/service");

/** A proxy with a configuration from docs/service, before a server on this machine. */
export interface RunningProxy extends AsyncDisposable {
  /** Its address. Its certificate is self-signed. */
  readonly url: string;
}

export interface ProxyKind {
  readonly name: string;
  /** The programs that must be installed. */
  readonly programs: readonly string[];
  /** @param change an optional change of the example's text */
  start(upstream: string, change?: (example: string) => string): Promise<RunningProxy>;
}

const nginx: ProxyKind = {
  name: "nginx",
  programs: ["nginx", "openssl"],
  async start(upstream, change = (example) => example) {
    const folder = temporaryFolder();
    const port = await freePort();
    const example = change(await Bun.file(join(EXAMPLES, "nginx.conf")).text());
    const [key, certificate] = await makeCertificate(folder);
    const site = example
      .replace("127.0.0.1:8000", new URL(upstream).host)
      .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
      .replace(/^ *listen \[::\].*\n/gm, "")
      .replace("listen 80;", `listen 127.0.0.1:${await freePort()};`)
      .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`);
    // Like Debian's nginx.conf: gzip is on unless the site turns it off.
    const user = process.getuid?.() === 0 ? "user root;" : "";
    const main = `${user} pid ${folder.path}/pid; error_log stderr; daemon off; worker_processes 1;
      events { worker_connections 4096; }
      http {
        gzip on; gzip_types application/json; access_log off;
        client_body_temp_path ${folder.path}/body; proxy_temp_path ${folder.path}/proxy;
        fastcgi_temp_path ${folder.path}/f; uwsgi_temp_path ${folder.path}/u; scgi_temp_path ${folder.path}/s;
        ${site}
      }`;
    await Bun.write(folder.file("nginx.conf"), main);
    return running(
      ["nginx", "-p", folder.path, "-e", "stderr", "-c", folder.file("nginx.conf")],
      port,
      folder,
    );
  },
};

const caddy: ProxyKind = {
  name: "Caddy",
  programs: ["caddy"],
  async start(upstream, change = (example) => example) {
    const folder = temporaryFolder();
    const port = await freePort();
    const example = change(await Bun.file(join(EXAMPLES, "Caddyfile")).text());
    const site = example
      .replaceAll("127.0.0.1:8000", new URL(upstream).host)
      .replace(
        "links.example.com {",
        `https://links.example.com:${port}, https://localhost:${port} {\n\ttls internal`,
      );
    // Without the redirect from port 80, and without installing a root certificate on this machine.
    const options = "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n";
    await Bun.write(folder.file("Caddyfile"), options + site);
    return running(
      ["caddy", "run", "--config", folder.file("Caddyfile"), "--adapter", "caddyfile"],
      port,
      folder,
    );
  },
};

const haproxy: ProxyKind = {
  name: "HAProxy",
  programs: ["haproxy", "openssl"],
  async start(upstream, change = (example) => example) {
    const example = change(await Bun.file(join(EXAMPLES, "haproxy.cfg")).text());
    return startHaproxy(example.replace("127.0.0.1:8000", new URL(upstream).host));
  },
};

/** HAProxy before several servers, as in docs/scaling.md. */
export async function startHaproxyBefore(upstreams: readonly string[]): Promise<RunningProxy> {
  const example = await Bun.file(join(EXAMPLES, "haproxy-several.cfg")).text();
  const servers = upstreams.map((upstream, index) => `    server s${index} ${new URL(upstream).host}\n`);
  return startHaproxy(example.replace(/(?:^ *server .*\n)+/m, servers.join("")));
}

/** @param example a file of docs/service, with the addresses of the servers */
async function startHaproxy(example: string): Promise<RunningProxy> {
  const folder = temporaryFolder();
  const port = await freePort();
  const [key, certificate] = await makeCertificate(folder);
  const pem = folder.file("both.pem");
  await Bun.write(pem, (await Bun.file(certificate).text()) + (await Bun.file(key).text()));
  const configuration = example
    .replace("bind :80\n", `bind 127.0.0.1:${await freePort()}\n`)
    .replace("bind :443 ssl crt /etc/haproxy/links.example.com.pem", `bind 127.0.0.1:${port} ssl crt ${pem}`)
    // Only root can change to another user.
    .replace(/^ *(?:user|group) haproxy\n/gm, "");
  await Bun.write(folder.file("haproxy.cfg"), configuration);
  return running(["haproxy", "-db", "-f", folder.file("haproxy.cfg")], port, folder);
}

export const proxyKinds: readonly ProxyKind[] = [nginx, caddy, haproxy];

/** Whether the proxy's programs are installed. */
export function isInstalled({ programs }: ProxyKind): boolean {
  return programs.every((program) => Bun.which(program) !== null);
}

/** @returns the paths of a key and of its certificate, which is valid for two days */
async function makeCertificate({ file }: ReturnType<typeof temporaryFolder>): Promise<[string, string]> {
  const [key, certificate] = [file("key.pem"), file("certificate.pem")];
  await Bun.$`openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=links.example.com -keyout ${key} -out ${certificate}`.quiet();
  return [key, certificate];
}

async function running(
  words: readonly string[],
  port: number,
  folder: ReturnType<typeof temporaryFolder>,
): Promise<RunningProxy> {
  const env = { PATH: process.env.PATH ?? "", HOME: folder.path, XDG_DATA_HOME: folder.path };
  const child = Bun.spawn([...words], { env, stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const said = new Response(child.stderr).text();
  const url = `https://localhost:${port}`;
  await until(
    "the proxy answers",
    async () => {
      if (child.exitCode !== null) throw new Error(`${words[0]} ended: ${await said}`);
      return fetch(`${url}/healthz`, { tls: { rejectUnauthorized: false } }).then(
        () => true,
        () => false,
      );
    },
    { every: 50 },
  );
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.exited;
      folder[Symbol.dispose]();
    },
  };
}
