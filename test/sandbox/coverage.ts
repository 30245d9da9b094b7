import { proveAtEnd } from "../prove.ts";

/**
 * Which test file shows each method of Slack's Web API that the sandbox serves. A file proves its own lines when it has run: each of them
 * must have been called in it, and accepted. The routes of the practice platform are shown by the examples of the operations.
 */
export const coverage: Record<string, readonly string[]> = {
  "slack/actor/modals.test.ts": ["views.open", "views.push", "views.update", "views.publish"],
  "slack/delivery/delivery.test.ts": ["apps.connections.open", "chat.postEphemeral"],
  "slack/webapi/files.test.ts": [
    "files.getUploadURLExternal",
    "files.completeUploadExternal",
    "files.info",
    "files.delete",
  ],
  "slack/webapi/refusals.test.ts": [
    "api.test",
    "auth.test",
    "bots.info",
    "team.info",
    "blocks.validate",
    "chat.postMessage",
    "chat.update",
    "chat.delete",
    "chat.getPermalink",
    "conversations.info",
    "conversations.list",
    "conversations.members",
    "conversations.open",
    "conversations.join",
    "conversations.history",
    "conversations.replies",
    "users.conversations",
    "users.info",
    "users.list",
    "usergroups.list",
    "usergroups.users.list",
    "dnd.info",
    "dnd.teamInfo",
  ],
};

const accepted = new Set<string>();

/** Records an accepted call, as `chat.update`. */
export function noteAccepted(served: Iterable<string>): void {
  for (const one of served) accepted.add(one);
}

// Lets each file prove its lines of the table.
proveAtEnd(import.meta.dirname, (file) => {
  const left = (coverage[file] ?? []).filter((one) => !accepted.has(one));
  accepted.clear();
  return left;
});
