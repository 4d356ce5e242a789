import type { Request } from "../load.ts";
import { PEER_TOKEN, startDjango, startFastApi } from "../peers/peers.ts";
import {
  createBookmarks,
  createPosts,
  fetchBookmarks,
  fetchPosts,
  firstPage,
  freshPages,
  SMALL,
} from "../requests.ts";
import type { Contestants, Row } from "../row.ts";
import type { Server } from "../server.ts";
import type { Stage } from "../stage.ts";

const FASTAPI = "FastAPI with SQLAlchemy on SQLite, one Uvicorn process; creations are fsynced by both";
const DJANGO =
  "Django REST framework on SQLite, one Gunicorn process of eight threads; nothing is cached, creations are fsynced by both";

const fetching: Row = {
  name: "peer-fetch-one",
  group: "peers",
  figure: "beside FastAPI: fetch one bookmark",
  unit: "requests/s",
  limit: FASTAPI,
  rounds: 3,
  prepare: (stage) => besideFastApi(stage, fetchBookmarks(SMALL)),
};

const creating: Row = {
  ...fetching,
  name: "peer-create-one",
  figure: "beside FastAPI: create a bookmark",
  prepare: (stage) => besideFastApi(stage, createBookmarks()),
};

const onePost: Row = {
  name: "peer-one-post",
  group: "peers",
  figure: "beside Django REST framework: one post, 3 comments",
  unit: "requests/s",
  limit: DJANGO,
  rounds: 3,
  prepare: (stage) => besideDjango(stage, () => fetchPosts(SMALL)),
};

const keptPage: Row = {
  ...onePost,
  name: "peer-first-page",
  figure: "beside Django REST framework: first page of 20 posts; ours is cached",
  prepare: (stage) => besideDjango(stage, () => firstPage),
};

const freshPage: Row = {
  ...onePost,
  name: "peer-first-page-fresh",
  figure: "beside Django REST framework: first page of 20 posts, both rendered",
  prepare: (stage) => besideDjango(stage, () => freshPages(1)),
};

const creatingPost: Row = {
  ...onePost,
  name: "peer-create-post",
  figure: "beside Django REST framework: create a post with a token",
  prepare: (stage) => besideDjango(stage, createPosts),
};

export const peerRows: readonly Row[] = [fetching, creating, onePost, keptPage, freshPage, creatingPost];

async function besideFastApi(stage: Stage, requests: readonly Request[]): Promise<Contestants> {
  const peer = await startFastApi(stage);
  const ours = await stage.server(await stage.database({ bookmarks: SMALL }));
  return beside(stage, [peer, requests], [ours, requests]);
}

async function besideDjango(
  stage: Stage,
  requests: (headers: Readonly<Record<string, string>>) => readonly Request[],
): Promise<Contestants> {
  const peer = await startDjango(stage);
  const database = await stage.database({ posts: SMALL });
  const headers = await stage.accounts(database);
  const ours = await stage.server(database);
  const theirs = requests({ authorization: `Token ${PEER_TOKEN}` });
  return beside(stage, [peer, theirs], [ours, requests(headers)]);
}

type Target = readonly [Server, readonly Request[]];

/** With 64 connections, a single request to a peer may take seconds, so it is measured for longer. */
async function beside(stage: Stage, peer: Target, ours: Target): Promise<Contestants> {
  return {
    limit: await stage.underLoad(...peer, { waits: true, seconds: 5 }),
    ours: await stage.underLoad(...ours, { waits: true }),
  };
}
