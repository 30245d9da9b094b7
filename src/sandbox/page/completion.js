import { nameOf } from "./people.js";

/**
 * Completions at the caret: commands after a leading "/", people after "@", channels after "#".
 * @returns `{ from, items: [{ insert, title, usage?, description? }] }`, or undefined when there is nothing to complete
 */
export function completionsOf(text, caret, { commands, users, channels }) {
  const before = text.slice(0, caret);
  if (/^\/\S*$/.test(before)) return offer(0, commandItems(before, commands));
  const word = /(?:^|\s)([@#])([\w.-]*)$/.exec(before);
  if (!word) return undefined;
  const from = before.length - word[2].length - 1;
  return offer(from, word[1] === "@" ? peopleItems(word[2], users) : channelItems(word[2], channels));
}

/** The command that `text` begins with, once its name is complete. */
export function commandOf(text, commands) {
  const name = /^(\/\S+)\s/.exec(text)?.[1];
  return name && commands.find(({ command }) => command === name);
}

function offer(from, items) {
  return items.length ? { from, items } : undefined;
}

function commandItems(typed, commands) {
  return commands
    .filter(({ command }) => command.startsWith(typed.toLowerCase()))
    .map((one) => ({
      insert: `${one.command} `,
      title: one.command,
      usage: one.usage_hint,
      description: one.description,
    }));
}

function peopleItems(typed, users) {
  const wanted = typed.toLowerCase();
  return users
    .filter((user) => !user.deleted && [user.name, nameOf(user)].some((name) => name.toLowerCase().startsWith(wanted)))
    .map((user) => ({ insert: `@${user.name} `, title: nameOf(user), description: `@${user.name}` }));
}

function channelItems(typed, channels) {
  return channels
    .filter((channel) => !channel.dm && channel.name.startsWith(typed.toLowerCase()))
    .map((channel) => ({ insert: `#${channel.name} `, title: `#${channel.name}` }));
}
