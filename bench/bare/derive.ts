import { argon2, randomBytes } from "node:crypto";

/**
 * A bare server for sign-ins: it derives one password hash per request with our parameters, two at a time. It
 * prints its address.
 */
const parameters = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 };
const nonce = randomBytes(16);
const turns = [Promise.resolve(), Promise.resolve()];
let last = 0;

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const { password } = (await request.json()) as { password: string };
    const message = Buffer.from(password);
    last = (last + 1) % turns.length;
    const turn = (turns[last] ?? Promise.resolve()).then(
      () =>
        new Promise<void>((resolve, reject) =>
          argon2("argon2id", { message, nonce, ...parameters }, (error) =>
            error ? reject(error) : resolve(),
          ),
        ),
    );
    turns[last] = turn;
    await turn;
    return new Response(null, { status: 204 });
  },
});
console.log(`Listening on ${server.url.origin}`);
