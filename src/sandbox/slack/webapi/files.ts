import { type Json, objectsAt, textAt } from "../json.ts";
import { newId } from "../workspace/ids.ts";
import { post } from "../workspace/messages.ts";
import type { PracticeFile, Workspace } from "../workspace/workspace.ts";
import { knownChannel, type Method, needed } from "./method.ts";
import { Refusal } from "./refusal.ts";

const mimetypes: Record<string, string> = {
  txt: "text/plain",
  csv: "text/csv",
  json: "application/json",
  jsonl: "application/jsonl",
  yaml: "application/yaml",
  yml: "application/yaml",
  png: "image/png",
};

/** A file of this name and content, kept in the workspace. */
export function addFile(workspace: Workspace, name: string, content: Buffer, user: string): PracticeFile {
  const file: PracticeFile = {
    id: newId("F"),
    name,
    title: name,
    mimetype: mimetypes[/\.(\w+)$/.exec(name)?.[1] ?? ""] ?? "application/octet-stream",
    size: content.length,
    user,
    created: Math.floor(workspace.clock.now() / 1_000),
    content,
    channels: [],
  };
  workspace.files.set(file.id, file);
  return file;
}

/** A file as Slack shows it; its content is fetched from `url_private` with the bot's token. */
export function fileInfo(workspace: Workspace, file: PracticeFile): Json {
  const { content: _content, ...shown } = file;
  const url = `${workspace.url}/files/${file.id}/${encodeURIComponent(file.name)}`;
  const filetype = /\.(\w+)$/.exec(file.name)?.[1] ?? "binary";
  return { ...shown, filetype, mode: "hosted", url_private: url, url_private_download: url };
}

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
    for (const channel of workspace.channels.values()) {
      for (const message of channel.messages) message.files = message.files.filter((other) => other !== file);
    }
    return {};
  },
};

export const files: Record<string, Method> = {
  "files.getUploadURLExternal": getUploadUrl,
  "files.completeUploadExternal": completeUpload,
  "files.info": info,
  "files.delete": deleteFile,
};
