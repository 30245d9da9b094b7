import { nameOf } from "../people.js";

const minQuery = 3;

/**
 * The source of a select's options, and the name of a choice in Slack's state.
 * A source gives `[{ label?, options }]` at once by `groups(query)`, or asks the app for it by `ask(query)`;
 * `option(value)` finds what is chosen.
 */
export function sourceOf({ surface, block, element, workspace }) {
  const kind = element.type.replace(/^multi_/, "").replace(/_select$/, "");
  switch (kind) {
    case "external":
      return {
        ...ofOptions,
        minQuery: element.min_query_length ?? minQuery,
        async ask(query) {
          const answer = await surface.suggest(block, element, query);
          if (!answer.ok && answer.error) throw new Error(answer.error);
          return grouped(answer);
        },
      };
    case "users":
      return ofPeople("selected_user", workspace.users.filter((user) => !user.deleted).map(personOption));
    case "channels":
      return ofPeople(
        "selected_channel",
        workspace.channels.filter((one) => !one.dm && !one.private).map(channelOption),
      );
    case "conversations":
      return ofPeople("selected_conversation", workspace.channels.filter(passes(element.filter)).map(channelOption));
    default:
      return { ...ofOptions, groups: (query) => matching(grouped(element), query), few: countOf(element) <= 8 };
  }
}

const ofOptions = {
  single: "selected_option",
  multi: "selected_options",
  option: (chosen) => chosen,
  chosen: (option) => option,
};

function ofPeople(field, options) {
  return {
    single: field,
    multi: `${field}s`,
    option: (id) => options.find((one) => one.value === id) ?? (id ? plainOption(id, id) : undefined),
    chosen: (option) => option.value,
    groups: (query) => matching([{ options }], query),
  };
}

/** The conversations that a list's filter leaves: kinds of conversation, and no channel that is shared with others. */
function passes({ include, exclude_external_shared_channels: ownAlone = false } = {}) {
  const kindOf = (channel) => (channel.dm ? "im" : channel.private ? "private" : "public");
  return (channel) => (!include || include.includes(kindOf(channel))) && !(ownAlone && channel.shared);
}

function grouped({ options, option_groups: groups }) {
  if (groups) return groups.map((group) => ({ label: group.label, options: group.options }));
  return [{ options: options ?? [] }];
}

function countOf(element) {
  return grouped(element).reduce((sum, group) => sum + group.options.length, 0);
}

function matching(groups, query) {
  const wanted = query.trim().toLowerCase();
  return groups
    .map((group) => ({
      ...group,
      options: group.options.filter((one) => one.text.text.toLowerCase().includes(wanted)),
    }))
    .filter((group) => group.options.length);
}

function personOption(user) {
  return plainOption(nameOf(user), user.id);
}

function channelOption(channel) {
  return plainOption(channel.dm ? channel.name : `#${channel.name}`, channel.id);
}

function plainOption(text, value) {
  return { text: { type: "plain_text", text, emoji: false }, value };
}
