import { DatabaseSync } from "node:sqlite";
import type { Happening } from "./slack/server.ts";

/** Changes of the app's store with a database tool, which can open it only while the app is stopped. */
export function tampering(store: string, app: { stop(): Promise<void>; start(): Promise<void> }): Happening[] {
  return [
    {
      id: "rewrite-audit",
      group: "The store",
      label: "Somebody rewrites an entry of the audit log",
      async press() {
        await app.stop();
        const rewritten = rewriteEntry(store);
        await app.start();
        return rewritten
          ? "Rackbell was stopped, the newest entry of the audit was changed in its file by hand, and Rackbell runs again. Now `/rackbell audit verify`."
          : "The audit has no entry yet. Change something first, such as `/vps move web-1 project=Staging`.";
      },
    },
  ];
}

/** Gives the newest entry to somebody who did not do it. */
function rewriteEntry(path: string): boolean {
  const file = new DatabaseSync(path);
  try {
    const { changes } = file
      .prepare(
        `UPDATE text SET text = json_set(text, '$.data.slackUser', 'U0NOBODY')
         WHERE key = (SELECT 'value:~entry:' || member FROM appended WHERE name = '~log audit' ORDER BY score DESC LIMIT 1)`,
      )
      .run();
    return Number(changes) > 0;
  } finally {
    file.close();
  }
}
