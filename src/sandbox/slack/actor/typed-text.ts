import { findChannel } from "../workspace/channels.ts";
import type { Workspace } from "../workspace/workspace.ts";

const known =
  /(?<address>https?:\/\/[^\s<>|]+)|(?<mail>[\w.+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,})|(?<![\w@./-])(?<host>(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?![\w@-])(?:[/?#:][^\s<>|"']*)?)|(?<![\w&])(?<sign>[@#])(?<name>\w[\w.-]*)/gi;

/**
 * A typed text as Slack hands it to a command with should_escape: `@ana` and `#ops` become ids, addresses and
 * host names become links, and the three control characters become entities.
 */
export function escapeTyped(workspace: Workspace, text: string): string {
  let escaped = "";
  let done = 0;
  for (const match of text.matchAll(known)) {
    escaped += entities(text.slice(done, match.index)) + linked(workspace, match[0], match.groups ?? {});
    done = match.index + match[0].length;
  }
  return escaped + entities(text.slice(done));
}

function linked(workspace: Workspace, typed: string, found: Record<string, string | undefined>): string {
  const { address, mail, host, sign, name = "" } = found;
  if (address) return `<${entities(address)}>`;
  if (mail) return `<mailto:${mail}|${mail}>`;
  if (host) return `<http://${entities(host)}|${entities(host)}>`;
  const bare = name.replace(/[.-]+$/, "");
  const reference = sign === "@" ? person(workspace, bare) : channel(workspace, bare);
  return reference === undefined ? entities(typed) : reference + name.slice(bare.length);
}

function person(workspace: Workspace, name: string): string | undefined {
  const user = [...workspace.users.values()].find((one) => one.name === name.toLowerCase());
  if (user) return `<@${user.id}|${user.name}>`;
  if (["channel", "here", "everyone"].includes(name)) return `<!${name}>`;
  const group = [...workspace.usergroups.values()].find((one) => one.handle === name);
  return group && `<!subteam^${group.id}|@${group.handle}>`;
}

function channel(workspace: Workspace, name: string): string | undefined {
  const found = findChannel(workspace, name);
  return found && `<#${found.id}|${found.kind === "private" ? "" : found.name}>`;
}

function entities(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
