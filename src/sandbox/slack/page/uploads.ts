import type { ViewState } from "../blocks/block.ts";
import { mergedState } from "../blocks/control-state.ts";
import { type Json, objectsAt, textAt } from "../wire/json.ts";
import { addFile, fileInfo } from "../workspace/files.ts";
import type { User } from "../workspace/users.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** The state with what the page sent; files that it sent with it (content in base64) are uploaded first, as Slack's client does. */
export function stateFromPage(workspace: Workspace, user: User, state: ViewState, sent: unknown): ViewState {
  const merged = mergedState(state, sent);
  for (const entry of Object.values(merged.values).flatMap((entries) => Object.values(entries))) {
    if (entry.type === "file_input")
      entry.files = objectsAt(entry, "files").map((file) => uploaded(workspace, user, file));
  }
  return merged;
}

function uploaded(workspace: Workspace, user: User, file: Json): Json {
  const known = workspace.files.get(textAt(file, "id") ?? "");
  if (known) return fileInfo(workspace, known);
  const content = Buffer.from(textAt(file, "content") ?? "", "base64");
  const added = addFile(workspace, textAt(file, "name") ?? "file", content, user.id);
  return fileInfo(workspace, added);
}
