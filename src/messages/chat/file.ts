import type { WebClient } from "@slack/web-api";
import { faultOfStatus, SlackRefused } from "./errors.ts";
import { fileLimitMs, type Wire } from "./wire.ts";

/** The content of a file that a member uploaded. Rejects with SlackRefused: `file_too_large`, or Slack's own reason. */
export async function downloadFile(
  { client, wire }: { client: WebClient; wire: Wire },
  id: string,
  mostBytes: number,
): Promise<Buffer> {
  const method = "files.info";
  const { file } = await client.files.info({ file: id });
  const url = file?.url_private_download;
  if (!url || !isSlacks(url, client.slackApiUrl)) throw new SlackRefused(method, "no_address");
  if ((file.size ?? 0) > mostBytes) throw new SlackRefused(method, "file_too_large");
  const headers = { authorization: `Bearer ${client.token}` };
  const { status, content } = await wire.send({ method, verb: "GET", url, headers, limitMs: fileLimitMs, mostBytes });
  if (status !== 200) throw faultOfStatus(method, status);
  return content;
}

/** Only Slack may get the bot's token, so the host is checked whatever URL an answer names. */
function isSlacks(address: string, apiUrl: string): boolean {
  const url = new URL(address);
  if (url.origin === new URL(apiUrl).origin) return true;
  return url.protocol === "https:" && /\.slack(-gov)?\.com$/.test(url.hostname);
}
