import type { App } from "@slack/bolt";
import type { Logger } from "pino";
import type { Chat } from "../chat/chat.ts";
import type { People } from "../chat/people.ts";
import { type Clock, sleep } from "../clock.ts";
import { invokePrefix, unpackInvocation } from "../engine/answers/buttons.ts";
import { errorText } from "../engine/answers/error-text.ts";
import type { Origin } from "../engine/answers/origin.ts";
import type { Reply } from "../engine/answers/reply.ts";
import type { AppContext } from "../engine/app-context.ts";
import type { Engine } from "../engine/invoke.ts";
import { revealAction, type Secrets } from "../engine/records/secrets.ts";
import { discardAction, pressAction } from "../engine/requests/view.ts";
import { fieldsOf, isSecret } from "../operation/fields.ts";
import type { Invocation, Operation } from "../operation/operation.ts";
import { section } from "../views/blocks.ts";
import { escapeText } from "../views/text.ts";
import { parseCommand } from "./command/parse.ts";
import type { Forms } from "./forms/form.ts";
import { choosePrefix, formCallback, optionOf, targetAction } from "./forms/form-view.ts";
import type { WizardForms } from "./forms/wizard.ts";
import { wizardCallback, wizardPrefix } from "./forms/wizard-view.ts";
import { homeView, unpaidBlocks } from "./home.ts";
import { ActionBody, formOf, type OpenView, originOf, Pressed, SubmissionBody, SuggestionBody } from "./payloads.ts";
import type { WorkQueue } from "./queue.ts";
import { reveal, revealCallback } from "./reveal.ts";

interface Deps {
  engine: Engine;
  services: AppContext;
  secrets: Secrets;
  forms: Forms;
  pagedForms: WizardForms;
  chat: Chat;
  people: People;
  reply: Reply;
  work: WorkQueue;
  clock: Clock;
  log: Logger;
  /** Enterprise or team, which members are keyed by. */
  home: string;
  /** Told of each acknowledgement: seconds from arrival. */
  onAcknowledged: (seconds: number) => void;
}

/** Milliseconds: after the directory's own limit, and before Slack's. */
const optionsLimit = 2_600;

const busy = "I am busy with other work right now, so nothing was done. Try again in a few seconds.";

/** Slack's side of the app: everything is acknowledged before any other work, then handed on. */
export function registerListeners(app: App, deps: Deps): void {
  const { engine, services, secrets, forms, pagedForms, chat, reply, work, clock, log, home } = deps;
  const { registry } = services;

  function memberOf(user: string): string {
    return `${home}:${user}`;
  }

  async function timed(ack: () => Promise<unknown>): Promise<void> {
    const began = performance.now();
    await ack();
    deps.onAcknowledged((performance.now() - began) / 1000);
  }

  /** Work that nobody waits for within Slack's three seconds; what goes wrong in it becomes an answer. */
  function later(origin: Origin, task: () => Promise<void>): boolean {
    return work.tryEnqueue(() => engine.guard(origin, task));
  }

  async function say(origin: Origin, text: string): Promise<void> {
    await reply.ephemeral(origin, { text, blocks: [section(text)] });
  }

  /** Opens a form at once, whatever the queue holds: its trigger lives three seconds. */
  async function openForm(
    operation: Operation,
    invocation: Invocation,
    origin: Origin,
    trigger: string,
  ): Promise<void> {
    await engine.guard(origin, async () => {
      const opened = await (operation.wizard ? pagedForms : forms).open(operation, invocation, origin, trigger);
      if (opened && !later(origin, opened.fill)) await say(origin, busy);
    });
  }

  function invoke(invocation: Invocation, origin: Origin, trigger: string): Promise<void> | null {
    const operation = registry.find(invocation.command);
    if (operation && needsForm(operation, invocation)) return openForm(operation, invocation, origin, trigger);
    return later(origin, () => engine.invoke(invocation, origin)) ? null : say(origin, busy);
  }

  app.command(/^\//, async ({ command, ack }) => {
    const origin = originOf(
      {
        member: memberOf(command.user_id),
        slackUser: command.user_id,
        channel: command.channel_id,
        responseUrl: command.response_url,
      },
      clock.now(),
    );
    const parsedCommand = parseCommand(registry, command.command.replace(/^\//, ""), command.text ?? "");
    if (parsedCommand.is === "error")
      return timed(() => ack({ response_type: "ephemeral", text: `:warning: ${escapeText(parsedCommand.text)}` }));
    const invocation = parsedCommand.is === "help" ? helpFor(parsedCommand.noun) : invocationOf(parsedCommand);
    if (parsedCommand.is === "form") {
      await timed(() => ack());
      return openForm(parsedCommand.operation, invocation, origin, command.trigger_id);
    }
    if (later(origin, () => engine.invoke(invocation, origin))) return timed(() => ack());
    await timed(() => ack({ response_type: "ephemeral", text: busy }));
  });

  const presses: Record<string, (value: string, origin: Origin, trigger: string) => Promise<void> | null> = {
    [pressAction]: (id, origin) =>
      later(origin, () => services.requests.press(id, origin)) ? null : say(origin, busy),
    [discardAction]: (id, origin) =>
      later(origin, () => services.requests.discard(id, origin)) ? null : say(origin, busy),
    [revealAction]: (id, origin, trigger) => engine.guard(origin, () => reveal({ secrets, chat }, id, origin, trigger)),
  };

  app.action(/.*/, async ({ body, action, ack }) => {
    await timed(() => ack());
    const parsed = ActionBody.safeParse(body);
    const pressed = Pressed.safeParse(action);
    if (!parsed.success || !pressed.success) return log.error("An interaction of unknown shape came from Slack");
    const { user, channel, container, view, response_url, trigger_id: trigger } = parsed.data;
    const { action_id: id, value, selected_option: selected } = pressed.data;
    const where = channel?.id ?? container?.channel_id ?? null;
    const origin = originOf(
      { member: memberOf(user.id), slackUser: user.id, channel: where, responseUrl: response_url ?? null },
      clock.now(),
    );
    if (view?.type === "modal") {
      const task = pressInView(view, id, selected?.value ?? null, value ?? "");
      if (task && !later(origin, task)) await say(origin, busy);
      return;
    }
    const known = presses[id];
    if (known) return known(value ?? "", origin, trigger) ?? undefined;
    const invocation = id.startsWith(invokePrefix) ? unpackInvocation(value ?? "") : null;
    // A button without a URL that leads nowhere must still answer.
    if (!invocation)
      return say(
        origin,
        "This button is from an older version of Rackbell and no longer works. Nothing was done. Type the command again.",
      );
    await invoke(invocation, origin, trigger);
  });

  /** What a press or a choice in an open form asks for; null where it waits for the submit. */
  function pressInView(
    view: OpenView,
    id: string,
    selected: string | null,
    value: string,
  ): (() => Promise<void>) | null {
    if (id === targetAction) return selected === null ? null : () => forms.retarget(formOf(view), selected);
    if (!id.startsWith(wizardPrefix)) return null;
    const [verb = ""] = id.slice(wizardPrefix.length).split(":");
    return () => pagedForms.press(formOf(view), verb, selected ?? value);
  }

  app.options(/.*/, async ({ body, ack }) => {
    const parsed = SuggestionBody.safeParse(body);
    if (!parsed.success || !parsed.data.view) return ack({ options: [] });
    const { user, view, action_id: id, value } = parsed.data;
    const field = id.startsWith(choosePrefix) ? id.slice(choosePrefix.length) : null;
    const member = memberOf(user.id);
    try {
      const found =
        field && view.callback_id === wizardCallback
          ? pagedForms.suggest(formOf(view), member, field, value)
          : forms.suggest(formOf(view), { member }, field, value);
      // Slack waits three seconds, whatever the platform does.
      const choices = await Promise.race([found, sleep(clock, optionsLimit).then(() => [])]);
      await ack({ options: choices.map(optionOf) });
    } catch (error) {
      log.warn({ err: error }, "Options could not be read");
      await ack({ options: [] });
    }
  });

  app.view(formCallback, async ({ body, ack }) => {
    const { view, user } = SubmissionBody.parse(body);
    const submitted = forms.submit(formOf(view));
    if ("errors" in submitted) return timed(() => ack({ response_action: "errors", errors: submitted.errors }));
    const origin = originOf(
      { member: memberOf(user.id), slackUser: user.id, channel: null, responseUrl: null },
      clock.now(),
    );
    if (later(origin, submitted.run)) return timed(() => ack());
    await timed(() => ack({ response_action: "errors", errors: busyIn(view) }));
  });

  app.view(wizardCallback, async ({ body, ack }) => {
    const { view, user } = SubmissionBody.parse(body);
    const submitted = pagedForms.submit(formOf(view));
    if ("errors" in submitted) return timed(() => ack({ response_action: "errors", errors: submitted.errors }));
    const origin = originOf(
      { member: memberOf(user.id), slackUser: user.id, channel: null, responseUrl: null },
      clock.now(),
    );
    const { next, run } = submitted;
    if (!later(origin, run)) return timed(() => ack({ response_action: "errors", errors: busyIn(view) }));
    await timed(() => (next ? ack({ response_action: "update", view: next }) : ack({ response_action: "clear" })));
  });

  app.view(revealCallback, async ({ body, ack }) => {
    await timed(() => ack());
    const { view, user } = SubmissionBody.parse(body);
    await secrets.acknowledge(view.private_metadata, memberOf(user.id));
  });

  async function showHome(user: string): Promise<void> {
    const who = { member: memberOf(user), slackUser: user };
    await chat.publishHome(user, await homeView(services, who, []));
    // The platform is asked for what is unpaid: the rest must not wait for it.
    const unpaid = await unpaidBlocks(services, who.member).catch((error: unknown) => [
      section(`*Unpaid*\n${errorText(error, clock.now()).text}`),
    ]);
    if (unpaid.length > 0) await chat.publishHome(user, await homeView(services, who, unpaid));
  }

  app.event("app_home_opened", async ({ event }) => {
    if (event.tab !== "home") return;
    work.tryEnqueue(() =>
      showHome(event.user).catch((error: unknown) => log.warn({ err: error }, "The Home tab could not be shown")),
    );
  });

  app.event("user_change", async ({ event }) => {
    deps.people.forget(event.user.id);
    if (event.user.deleted !== true) return;
    const member = memberOf(event.user.id);
    await services.identities.unlink(member);
    services.directory.forget(member);
    await services.requests.voidFor(member, "The one who asked for it was deactivated. Nothing was done.");
    await services.follow.stopFor(member);
    log.info("A deactivated member's key was erased");
  });
}

/** Under the first field, so that all that was typed stays. */
function busyIn(view: OpenView): Record<string, string> {
  const first = Object.keys(view.state?.values ?? {})[0] ?? "target";
  return { [first]: busy };
}

function helpFor(noun: string | null): Invocation {
  return { command: "rackbell help", input: noun ? { noun } : {} };
}

function invocationOf({
  operation,
  target,
  input,
}: {
  operation: Operation;
  target: string | null;
  input: Record<string, string>;
}): Invocation {
  return { command: operation.command, input, ...(target === null ? {} : { target }) };
}

function needsForm(operation: Operation, { target, input, faults }: Invocation): boolean {
  if (faults) return true;
  if (operation.target && target === undefined) return true;
  // Nothing is required, and yet nothing at all is not enough.
  if (Object.keys(input).length === 0 && operation.check(input)) return true;
  return fieldsOf(operation.input).some(
    (field) => input[field.name] === undefined && (field.required || isSecret(field)),
  );
}
