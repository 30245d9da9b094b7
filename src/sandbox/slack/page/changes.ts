import type { ServerResponse } from "node:http";
import type { User } from "../workspace/users.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Sends the page each change that this user can see, for as long as the page listens. */
export function streamChanges(workspace: Workspace, user: User, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.write(": hello\n\n");
  const stop = workspace.onChange(({ what, channel, user: only }) => {
    if (what === "call" || (only !== undefined && only !== user.id)) return;
    response.write(`event: change\ndata: ${JSON.stringify({ what, ...(channel !== undefined && { channel }) })}\n\n`);
  });
  response.on("close", stop);
}
