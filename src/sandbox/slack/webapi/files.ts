import { type Json, objectsAt, textAt } from "../wire/json.ts";
import { addFile, fileInfo } from "../workspace/files.ts";
import { post, removeFile } from "../workspace/messages.ts";
import type { PracticeFile, Workspace } from "../workspace/workspace.ts";
import { knownChannel, type Method, needed } from "./method.ts";
import { Refusal } from "./refusal.ts";

const getUploadUrl: Method = {
  scope: "files:write",
  handle(args, { workspace }) {
    const length = Number(needed(args, "length"));
    if (!Number.isInteger(length) || length <= 0) throw new Refusal("invalid_arguments", ["[ERROR] invalid length"]);
    const file = addFile(workspace, needed(args, "filename"), Buffer.alloc(0), workspace.botUserId);
    file.size = length;
    return { upload_url: `${workspace.url}/files/upload/${file.id}`, file_id: file.id };
  },
};

const completeUpload: Method = {
  scope: "files:write",
  handle(args, { workspace }) {
    const named = objectsAt(args, "files");
    if (named.length === 0) throw new Refusal("invalid_arguments", ["[ERROR] missing required field: files"]);
    const files = named.map((one) => uploaded(workspace, one));
    const ref = textAt(args, "channel_id");
    if (ref !== undefined) share(workspace, args, ref, files);
    return { files: files.map((file) => fileInfo(workspace, file)) };
  },
};

function uploaded(workspace: Workspace, { id, title }: Json): PracticeFile {
  const file = workspace.files.get(String(id));
  if (!file || file.content.length === 0) throw new Refusal("file_not_found");
  if (typeof title === "string") file.title = title;
  return file;
}

function share(workspace: Workspace, args: Json, ref: string, files: PracticeFile[]): void {
  const channel = knownChannel(workspace, ref);
  if (!channel.members.has(workspace.botUserId)) throw new Refusal("not_in_channel");
  for (const file of files) file.channels.push(channel.id);
  const text = textAt(args, "initial_comment") ?? "";
  post(workspace, channel, { user: workspace.botUserId, text, files, thread_ts: textAt(args, "thread_ts") });
}

const info: Method = {
  scope: "files:read",
  handle(args, { workspace }) {
    const file = workspace.files.get(needed(args, "file"));
    if (!file) throw new Refusal("file_not_found");
    return { file: fileInfo(workspace, file) };
  },
};

const deleteFile: Method = {
  scope: "files:write",
  handle(args, { workspace }) {
    const file = workspace.files.get(needed(args, "file"));
    if (!file) throw new Refusal("file_not_found");
    if (file.user !== workspace.botUserId) throw new Refusal("cant_delete_file");
    workspace.files.delete(file.id);
    removeFile(workspace, file);
    return {};
  },
};

export const files: Record<string, Method> = {
  "files.getUploadURLExternal": getUploadUrl,
  "files.completeUploadExternal": completeUpload,
  "files.info": info,
  "files.delete": deleteFile,
};
