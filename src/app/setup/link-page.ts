import { writeFileSync } from "node:fs";
import { resolve } from "node:path";

const meanings: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (one) => meanings[one] ?? "");
}

/**
 * Writes a page with the link that makes the Slack app, for a browser on any machine, and with the manifest to paste if Slack does not
 * take the link. Returns its path.
 */
export function writeLinkPage(folder: string, { url, manifest }: { url: string; manifest: unknown }): string {
  const path = resolve(folder, "setup-link.html");
  const text = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Make the Slack app of Rackbell</title>
<h1>Make the Slack app of Rackbell</h1>
<p><a href="${escaped(url)}" rel="noreferrer">Open Slack's page with the manifest filled in</a>, choose the workspace, and create the app.</p>
<p>If that page has no manifest: choose <em>Create New App</em>, <em>From a manifest</em>, and paste this text.</p>
<textarea readonly rows="30" cols="90">${escaped(JSON.stringify(manifest, null, 2))}</textarea>
</html>
`;
  writeFileSync(path, text);
  return path;
}
