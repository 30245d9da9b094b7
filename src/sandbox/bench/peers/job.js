// peers/: small programs that a careful team would write in place of Rackbell, which do the same job as it. The bench compares them. They
// are JavaScript: the declarations of their packages do not compile with `exactOptionalPropertyTypes`.

/** The bench gives them their settings by the environment. */
export const settings = {
  token: process.env.BOT_TOKEN,
  signingSecret: process.env.SIGNING_SECRET,
  slackApiUrl: process.env.SLACK_API_URL,
  redisUrl: process.env.REDIS_URL,
};
const platform = process.env.PLATFORM_URL;
const headers = { authorization: `Bearer ${process.env.PLATFORM_KEY}` };

const pageSize = 200;
const pagesAtOnce = 8;
let ids;

/** Prints the address as the line that the bench waits for. */
export function becomeReady(server) {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })}\n`);
  process.once("SIGTERM", () => process.exit(0));
}

/** Starts the machine that the text of a command ends with, and gives the answer to it. Rejects when the platform refuses. */
export async function startMachine(text) {
  const name = text.split(" ").at(-1);
  // The first command reads the ids, so that no program's start includes them.
  ids ??= readIds();
  const id = (await ids).get(name);
  const write = () => fetch(`${platform}/vps/${id}/start`, { method: "POST", headers });
  // The platform may close an open connection just as it is used. A start may be sent twice.
  const answer = await write().catch(write);
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`The platform answered ${answer.status}`);
  return `${name} was started.`;
}

/** The ids of all machines by their names, a few pages at once: the platform may be far away. */
async function readIds() {
  const found = new Map();
  for (let first = 1; ; first += pagesAtOnce) {
    const pages = await Promise.all(Array.from({ length: pagesAtOnce }, (_, at) => readPage(first + at)));
    for (const { id, name } of pages.flat()) found.set(name, id);
    if (pages.some((page) => page.length < pageSize)) return found;
  }
}

async function readPage(page) {
  const answer = await fetch(`${platform}/vps?limit=${pageSize}&page=${page}`, { headers });
  return (await answer.json()).data;
}
