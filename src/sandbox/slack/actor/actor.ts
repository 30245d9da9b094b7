// actor/: what a person does in Slack: commands, presses, choices, forms, Home. Tests act through createActor, the
// page through the same functions.

import { type Control, controlsOf, findControl, type Target } from "../blocks/controls.ts";
import { blocksOf, type Container } from "../delivery/payloads.ts";
import { isObject, type Json, objectAt, textAt } from "../wire/json.ts";
import { findChannel, openDm } from "../workspace/channels.ts";
import { seenBy } from "../workspace/messages.ts";
import type { User } from "../workspace/users.ts";
import type { Message, PhoneNotification, View } from "../workspace/workspace.ts";
import { act, type Choice, choicesIn, suggest, words } from "./actions.ts";
import { editSaid, openHome, type SlackContext, say, typeCommand } from "./composer.ts";
import { entryOf, type FieldValue } from "./entered-values.ts";
import { chooseAnywhere, chooseByMessage } from "./shortcuts.ts";
import { ShownError } from "./shown-error.ts";
import { close, type Submitted, submit } from "./submission.ts";

/** A message, a view, the modal on top, or the Home tab. An older copy represents what a person still sees. */
export type Where = Message | View | "modal" | "home";

export interface ConfirmDialog {
  title: string;
  text: string;
  confirm: string;
  deny: string;
  style: string;
}

export interface Pressed {
  /** False when the confirm dialog was denied. */
  sent: boolean;
  confirm: ConfirmDialog | undefined;
  /** The address of a link button. */
  url: string | undefined;
}

/** The acts and the view of one person in the practice workspace. Each act resolves when the app has acknowledged it. */
export interface Actor {
  user: User;
  type(text: string, channel?: string): Promise<void>;
  /** `thread` is the timestamp of the message under which it is said. */
  say(text: string, channel?: string, thread?: string): Promise<Message>;
  /** Changes what was said. */
  edit(said: Message, text: string): Promise<void>;
  /** Chooses the app's shortcut of that callback id beside a message, or among those that are offered everywhere. */
  shortcut(callbackId: string, message?: Message): Promise<void>;
  /** Presses a button, or chooses the option of a menu that has that label. */
  press(where: Where, target: Target, options?: { confirm?: boolean }): Promise<Pressed>;
  choose(where: Where, target: Target, choice: string | string[], options?: { confirm?: boolean }): Promise<void>;
  suggest(where: Where, target: Target, query: string): Promise<Choice[]>;
  fill(values: Record<string, FieldValue>): Promise<void>;
  submit(): Promise<Submitted>;
  closeModal(options?: { all?: boolean }): Promise<void>;
  openHome(): Promise<void>;
  modal(): View | undefined;
  modals(): View[];
  home(): View | undefined;
  sees(channel?: string): Message[];
  lastSeen(channel?: string): Message;
  /** The notifications on their phone, oldest first. */
  phone(): PhoneNotification[];
}

export function createActor(context: SlackContext, user: User): Actor {
  const { workspace } = context;

  function stack(): View[] {
    return workspace.modals.get(user.id) ?? [];
  }

  function topModal(): View {
    const view = stack().at(-1);
    if (!view) throw new ShownError("not_found", `${user.name} has no modal open.`);
    return view;
  }

  function containerOf(where: Where): Container {
    if (where === "modal") return { view: topModal() };
    if (where === "home") {
      const view = workspace.homes.get(user.id);
      if (!view) throw new ShownError("not_found", `${user.name} sees no Home tab.`);
      return { view };
    }
    return "ts" in where ? { message: where } : { view: where };
  }

  function controlIn(container: Container, target: Target): Control {
    const control = findControl(blocksOf(container), target);
    if (!control)
      throw new ShownError("not_found", `${user.name} sees nothing called ${JSON.stringify(target)} there.`);
    return control;
  }

  /** The option of a message's menu with that label, where no button has it. */
  function optionIn(container: Container, target: Target): { control: Control; choice: Choice } | undefined {
    const blocks = blocksOf(container);
    const label = typeof target === "string" ? target : target.label;
    if (label === undefined || findControl(blocks, target)) return undefined;
    return controlsOf(blocks)
      .filter(({ type, dispatches }) => type === "static_select" && dispatches)
      .flatMap((control) => choicesIn(control.element).map((choice) => ({ control, choice })))
      .find(({ choice }) => choice.text === label);
  }

  function sees(channelRef = "#ops"): Message[] {
    const channel = channelRef === "dm" ? openDm(workspace, user) : findChannel(workspace, channelRef);
    return channel ? seenBy(workspace, channel, user.id) : [];
  }

  return {
    user,
    type: (text, channel = "#ops") => typeCommand(context, user, channel, text),
    say: (text, channel = "#ops", thread) => say(context, user, channel, text, thread),
    edit: (said, text) => editSaid(context, user, said, text),
    shortcut: (callbackId, message) =>
      message ? chooseByMessage(context, user, callbackId, message) : chooseAnywhere(context, user, callbackId),
    async press(where, target, options = {}) {
      const container = containerOf(where);
      const option = optionIn(container, target);
      if (option) {
        await act(context, user, container, option.control, { selected_option: option.choice.option });
        return { sent: true, confirm: undefined, url: undefined };
      }
      const control = controlIn(container, target);
      if (control.type !== "button") throw new ShownError("not_a_button", `"${control.label}" is not a button.`);
      const confirm = dialogOf(control.element);
      const sent = !confirm || options.confirm !== false;
      if (sent) await act(context, user, container, control, {});
      return { sent, confirm, url: textAt(control.element, "url") };
    },
    async choose(where, target, choice, options = {}) {
      const container = containerOf(where);
      const control = controlIn(container, target);
      const entered = await entryOf(context, user, container, control, choice);
      if (dialogOf(control.element) && options.confirm === false) return;
      await act(context, user, container, control, entered);
    },
    suggest(where, target, query) {
      const container = containerOf(where);
      const control = controlIn(container, target);
      if (/external/.test(control.type)) return suggest(context, user, container, control, query);
      const fitting = choicesIn(control.element).filter(({ text }) => text.toLowerCase().includes(query.toLowerCase()));
      return Promise.resolve(fitting);
    },
    async fill(values) {
      for (const [name, value] of Object.entries(values)) {
        const container = { view: topModal() };
        const control = controlIn(container, name);
        await act(context, user, container, control, await entryOf(context, user, container, control, value));
      }
    },
    submit: () => submit(context, user, topModal()).then((submitted) => structuredClone(submitted)),
    closeModal: ({ all = false } = {}) => close(context, user, topModal(), all),
    openHome: () => openHome(context, user),
    modal: () => structuredClone(stack().at(-1)),
    modals: () => structuredClone(stack()),
    home: () => structuredClone(workspace.homes.get(user.id)),
    sees,
    lastSeen(channel = "#ops") {
      const last = sees(channel).at(-1);
      if (!last) throw new ShownError("not_found", `${user.name} sees no message in ${channel}.`);
      return last;
    },
    phone: () => structuredClone(workspace.phones.filter((one) => one.user === user.id)),
  };
}

function dialogOf(element: Json): ConfirmDialog | undefined {
  const confirm = objectAt(element, "confirm");
  if (!isObject(confirm)) return undefined;
  return {
    title: words(confirm.title),
    text: words(confirm.text),
    confirm: words(confirm.confirm),
    deny: words(confirm.deny),
    style: textAt(confirm, "style") ?? "primary",
  };
}
