import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { YAML } from "bun";
import { freePort } from "../support/machine/free-port.ts";
import { engines } from "../support/server/engines.ts";
import { scrape } from "../support/server/metrics.ts";
import { run, startServer, temporaryFolder } from "../support/server/server.ts";

const FOLDER = join(import.meta.dir, "../../docs/monitoring");
const RULES = join(FOLDER, "alerts.yml");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels?: { readonly severity?: string };
  readonly annotations?: { readonly summary?: string };
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

describe("docs/monitoring", () => {
  /** Every sample and histogram of servers on both engines, and every label. */
  const names = new Set<string>();
  const labels = new Set(["job", "instance"]);
  const texts: string[] = [];
  let rules: readonly Rule[];
  let dashboard: Dashboard;

  beforeAll(async () => {
    const postgres = engines.find(({ name }) => name.startsWith("PostgreSQL"));
    await Promise.all([
      engines[0] && scrapeOne(engines[0], []),
      postgres && scrapeOne(postgres, ["--workers", "2"], { hasStandbys: true }),
    ]);
    rules = (YAML.parse(await Bun.file(RULES).text()) as { groups: { rules: Rule[] }[] }).groups.flatMap(
      (group) => group.rules,
    );
    dashboard = await Bun.file(join(FOLDER, "grafana-dashboard.json")).json();
  });

  test("uses only existing metrics and labels in its rules", () => {
    expect(rules.length).toBeGreaterThan(10);
    for (const { alert, expr, labels, annotations } of rules) {
      expectKnown(alert, expr.replace(/\bup\{/g, "process_start_time_seconds{"));
      expect(["page", "ticket"]).toContain(labels?.severity ?? "");
      expect(annotations?.summary ?? "").not.toBe("");
    }
  });

  test("uses only existing metrics and labels in its panels", () => {
    const panels = dashboard.panels.filter(({ targets }) => targets !== undefined);
    expect(panels.length).toBeGreaterThan(15);
    for (const { title, targets = [] } of panels) for (const { expr } of targets) expectKnown(title, expr);
  });

  test("is described in docs/operations.md, with existing metrics", async () => {
    const page = await Bun.file(join(FOLDER, "../operations.md")).text();
    const [, section = ""] = page.split("\n## Metrics\n");
    const named = [...(section.split("\n## ")[0] ?? "").matchAll(/`((?:commonplace|process)_\w+)`/g)];
    const families = new Set([...names].map((name) => name.replace(/_(?:bucket|sum|count)$/, "")));
    expect(named.length).toBeGreaterThan(15);
    expect(named.map(([, name]) => name as string).filter((name) => !families.has(name))).toEqual([]);
  });

  test("shows every existing metric", () => {
    const asked = JSON.stringify(dashboard);
    const metrics = [...names].map((name) => name.replace(/_(?:bucket|sum|count)$/, ""));
    expect(metrics.filter((name) => !asked.includes(name))).toEqual([]);
  });

  const promtool = Bun.which("promtool");
  test.skipIf(promtool === null)(
    "has rules that Prometheus reads, for metrics that it finds well named",
    () => {
      const checked = Bun.spawnSync(["promtool", "check", "rules", RULES]);
      expect(checked.stdout.toString() + checked.stderr.toString()).toContain(`${rules.length} rules found`);
      for (const text of texts) {
        const linted = Bun.spawnSync(["promtool", "check", "metrics"], { stdin: Buffer.from(text) });
        expect(linted.stderr.toString()).toBe("");
      }
    },
  );

  function expectKnown(where: string, expr: string): void {
    const asked = [...expr.matchAll(/\b(?:commonplace|process)_[a-z_]+/g)].map(([name]) => name);
    expect(asked.length).toBeGreaterThan(0);
    expect({ where, unknown: asked.filter((name) => !names.has(name)) }).toEqual({ where, unknown: [] });
    const grouped = [...expr.matchAll(/by \(([^)]+)\)/g)].flatMap(([, list = ""]) => list.split(/, */));
    const selected = [...expr.matchAll(/[{,](\w+)=~?"/g)].map(([, label]) => label as string);
    const unknown = [...grouped, ...selected].filter((label) => !labels.has(label));
    expect({ where, unknown }).toEqual({ where, unknown: [] });
  }

  async function scrapeOne(
    engine: (typeof engines)[number],
    flags: readonly string[],
    { hasStandbys = false } = {},
  ): Promise<void> {
    await using place = await engine.createDatabase();
    const port = await freePort(2);
    const settings = { DATABASE_URL: place.url, METRICS_PORT: String(port) };
    // The database itself is no standby, so the primary reads.
    const server = await startServer(hasStandbys ? { ...settings, DATABASE_READ_URL: place.url } : settings, {
      flags,
    });
    await (await fetch(`${server.url}/bookmarks/`)).bytes();
    using folder = temporaryFolder();
    if (engine.name === "SQLite")
      await run(["backup", folder.file("backup.db")], { env: { DATABASE_URL: place.url } });
    const { samples, text } = await scrape(port);
    await server.stop();
    texts.push(text);
    for (const sample of samples.keys()) {
      names.add(sample.replace(/\{.*/, ""));
      for (const [, label] of sample.matchAll(/[{,](\w+)=/g)) labels.add(label as string);
    }
  }
});
