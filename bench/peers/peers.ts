import { join } from "node:path";
import { sampleBookmarks } from "../data/sample-bookmarks.ts";
import { samplePosts } from "../data/sample-posts.ts";
import { SMALL } from "../requests.ts";
import { NotMeasurable } from "../row.ts";
import { listening, type Server } from "../server.ts";
import type { Stage } from "../stage.ts";

/** A service as a developer writes it with a framework in an afternoon, to measure beside ours. */
interface Peer {
  readonly script: string;
  /** The Python modules that it needs. */
  readonly modules: readonly string[];
  /** The Debian packages of these modules. */
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

/** The token that the peers with accounts accept. */
export const PEER_TOKEN = "0123456789abcdef0123456789abcdef01234567";

/** Starts FastAPI with a small collection of bookmarks. @throws NotMeasurable if it is not installed */
export function startFastApi(stage: Stage): Promise<Server> {
  return startPeer(stage, FASTAPI, sampleBookmarks(SMALL));
}

/** Starts Django REST framework with a small collection of posts. @throws NotMeasurable if it is not installed */
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

/** The first Python that has a peer's modules: Debian's need not be the first in the path. */
function pythonWith({ modules, packages }: Peer): string {
  for (const python of ["python3", "/usr/bin/python3"]) {
    if (Bun.which(python) === null) continue;
    if (Bun.spawnSync([python, "-c", `import ${modules.join(", ")}`]).success) return python;
  }
  throw new NotMeasurable(`it takes Debian's packages ${packages}`);
}
