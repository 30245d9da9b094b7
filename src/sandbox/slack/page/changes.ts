import type { ServerResponse } from "node:http";
import type { User } from "../workspace/users.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Tells the page, for as long as it listens, what changed that this user can see. */
export function streamChanges(workspace: Workspace, user: User, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.write(": hello\n\n");
  const stop = workspace.onChange(({ what, channel, user: only }) => {
    if (what === "call" || (only !== undefined && only !== user.id)) return;
    response.write(`event: change\ndata: ${JSON.stringify({ what, ...(channel !== undefined && { channel }) })}\n\n`);
  });
  response.on("close", stop);
}
