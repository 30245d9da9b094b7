import { findChannel } from "./channels.ts";
import type { Workspace } from "./workspace.ts";

const hostName = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i;

/**
 * What a person typed, as Slack hands it to a command with should_escape: `@ana` and `#ops` become ids, addresses and
 * host names become links, and the three control characters become entities.
 */
export function escapeTyped(workspace: Workspace, text: string): string {
  return text
    .split(/(\s+)/)
    .map((word) => escapeWord(workspace, word))
    .join("");
}

function escapeWord(workspace: Workspace, word: string): string {
  const named = /^([@#])([\w.-]+)(\W*)$/.exec(word);
  if (named) return reference(workspace, named[1] === "@", named[2] ?? "", named[3] ?? "") ?? word;
  if (/^https?:\/\/\S+$/i.test(word)) return `<${entities(word)}>`;
  const [, host = "", rest = ""] = /^([^/?#:,;]+)(.*)$/.exec(word) ?? [];
  if (hostName.test(host) && /^([/?#:]|$)/.test(rest)) return `<http://${entities(word)}|${entities(word)}>`;
  return entities(word);
}

function reference(workspace: Workspace, person: boolean, name: string, after: string): string | undefined {
  if (person) {
    const user = [...workspace.users.values()].find((one) => one.name === name);
    if (user) return `<@${user.id}|${user.name}>${after}`;
    if (["channel", "here", "everyone"].includes(name)) return `<!${name}>${after}`;
    const group = [...workspace.usergroups.values()].find((one) => one.handle === name);
    return group && `<!subteam^${group.id}|@${group.handle}>${after}`;
  }
  const channel = findChannel(workspace, name);
  return channel && `<#${channel.id}|${channel.kind === "private" ? "" : channel.name}>${after}`;
}

function entities(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
