import { join } from "node:path";
import { sampleBookmarks } from "../data/sample-bookmarks.ts";
import { samplePosts } from "../data/sample-posts.ts";
import { SMALL } from "../requests.ts";
import { NotMeasurable } from "../row.ts";
import { listening, type Server } from "../server.ts";
import type { Stage } from "../stage.ts";

/** A service that people write with a framework in an afternoon, to be measured beside ours. */
interface Peer {
  readonly script: string;
  /** The Python modules that it takes. */
  readonly modules: readonly string[];
  /** Debian's packages of them. */
  readonly packages: string;
}

const FASTAPI: Peer = {
  script: "fastapi_bookmarks.py",
  modules: ["fastapi", "sqlalchemy", "uvicorn"],
  packages: "python3-fastapi python3-sqlalchemy python3-uvicorn",
};

const DJANGO: Peer = {
  script: "drf_posts.py",
  modules: ["rest_framework", "gunicorn"],
  packages: "python3-djangorestframework gunicorn",
};

/** The token that the peers with accounts take. */
export const PEER_TOKEN = "0123456789abcdef0123456789abcdef01234567";

/** FastAPI with as many bookmarks as a small collection has. @throws NotMeasurable where it is not installed */
export function startFastApi(stage: Stage): Promise<Server> {
  return startPeer(stage, FASTAPI, sampleBookmarks(SMALL));
}

/** Django REST framework with as many posts as a small collection has. @throws NotMeasurable where it is not installed */
export function startDjango(stage: Stage): Promise<Server> {
  return startPeer(stage, DJANGO, samplePosts(SMALL), PEER_TOKEN);
}

async function startPeer(stage: Stage, peer: Peer, samples: Iterable<object>, ...words: readonly string[]) {
  const python = pythonWith(peer);
  const file = stage.file(`${peer.script}.jsonl`);
  await Bun.write(file, Array.from(samples, (sample) => `${JSON.stringify(sample)}\n`).join(""));
  const script = join(import.meta.dir, peer.script);
  const database = stage.file(`${peer.script}.db`);
  return listening(stage.start([...stage.cores.server, python, script, database, file, ...words]));
}

/** The first Python that has a peer's modules: Debian's may not be the first on the path. */
function pythonWith({ modules, packages }: Peer): string {
  for (const python of ["python3", "/usr/bin/python3"]) {
    if (Bun.which(python) === null) continue;
    if (Bun.spawnSync([python, "-c", `import ${modules.join(", ")}`]).success) return python;
  }
  throw new NotMeasurable(`it takes Debian's packages ${packages}`);
}
