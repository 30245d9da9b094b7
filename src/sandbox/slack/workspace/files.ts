import { newId } from "../wire/ids.ts";
import type { Json } from "../wire/json.ts";
import type { PracticeFile, Workspace } from "./workspace.ts";

const mimetypes: Record<string, string> = {
  txt: "text/plain",
  csv: "text/csv",
  json: "application/json",
  jsonl: "application/jsonl",
  yaml: "application/yaml",
  yml: "application/yaml",
  png: "image/png",
};

/** A file of this name and content, stored in the workspace. */
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
