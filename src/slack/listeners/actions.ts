import type { App } from "@slack/bolt";
import { answerCallback, placeOfAnswer } from "../../engine/answers/answer-view.ts";
import { dismissAction } from "../../engine/answers/answers.ts";
import { handOverAction, invokePrefix, outsidePrefix, unpackInvocation } from "../../engine/answers/buttons.ts";
import { chosenInvocation, menuPrefix } from "../../engine/answers/menus.ts";
import type { Origin } from "../../engine/answers/origin.ts";
import { revealAction } from "../../engine/records/secrets.ts";
import { readCounted } from "../../engine/requests/bulk/count.ts";
import { againAction, countAction, listAction, restAction, stopAction } from "../../engine/requests/bulk/view.ts";
import {
  copyFirstAction,
  denyAction,
  glassAction,
  moveAction,
  pressAction,
  reviewAction,
  withdrawAction,
} from "../../engine/requests/view.ts";
import type { Invocation } from "../../operation/operation.ts";
import { chosenVerb } from "../../operation/wizard.ts";
import { countView } from "../count-modal.ts";
import { busy } from "../dispatch.ts";
import { findAction } from "../find.ts";
import { choosePrefix, targetAction } from "../forms/form-view.ts";
import { wizardCallback, wizardPrefix } from "../forms/wizard-view.ts";
import { refreshAction, searchAction } from "../home/page.ts";
import { ActionBody, formOf, isFull, type OpenView, originOf, Pressed, threadOf } from "../payloads.ts";
import { type ReasonKind, reasonView } from "../reason-modal.ts";
import { reveal } from "../reveal.ts";
import { whenView } from "../when-modal.ts";
import type { Listening } from "./listening.ts";

type Press = (value: string, origin: Origin, trigger: string) => Promise<void>;

/** Presses and choices, in a message, a modal or on the Home tab. */
export function listenToActions(app: App, listening: Listening): void {
  const { dispatch, guard, secrets, chat, log, timed } = listening;
  const { requests } = listening.context;

  /** Decides a request. In its message one sees what came of it; elsewhere it is said. */
  function decide(how: "press" | "copyFirst" | "withdraw" | "review"): Press {
    return (id, origin) =>
      dispatch.enqueueOrSay(origin, async () => {
        await requests[how](id, origin);
        if (isShownElsewhere(origin)) await requests.tellState(id, origin);
      });
  }

  function askWhy(kind: ReasonKind): Press {
    return async (id, origin, trigger) => {
      await guard(origin, async () => void (await chat.openView(trigger, reasonView(kind, id, origin), origin.view)));
    };
  }

  const askWhen: Press = async (id, origin, trigger) => {
    await guard(origin, async () => {
      const request = await requests.movable(id, origin);
      if (request) await chat.openView(trigger, whenView(request, origin), origin.view);
    });
  };

  const presses: Record<string, Press> = {
    [pressAction]: decide("press"),
    [copyFirstAction]: decide("copyFirst"),
    [withdrawAction]: decide("withdraw"),
    [reviewAction]: decide("review"),
    [denyAction]: askWhy("deny"),
    [glassAction]: askWhy("glass"),
    [moveAction]: askWhen,
    ...bulkPresses(listening),
    [handOverAction]: async (value, origin) => {
      const invocation = unpackInvocation(value);
      await (invocation
        ? dispatch.enqueueOrSay(origin, () => requests.handOver(invocation, origin))
        : dispatch.say(origin, outdated));
    },
    // The button stands in what only its presser sees: it goes, and nothing was done.
    [dismissAction]: async (_, origin) => {
      if (isShownElsewhere(origin)) return dispatch.say(origin, "Nothing was done.");
      if (origin.responseUrl) await chat.deleteOriginal(origin.responseUrl).catch(() => {});
    },
    [searchAction]: (_, origin, trigger) => listening.homeTab.search(origin, trigger),
    [refreshAction]: (_, origin) => dispatch.enqueueOrSay(origin, async () => {}),
    [revealAction]: async (id, origin, trigger) => {
      await guard(origin, () => reveal({ secrets, chat }, id, origin, trigger));
    },
  };

  async function pressInvocation(value: string, origin: Origin, trigger: string): Promise<void> {
    await invoke(unpackInvocation(value), origin, trigger);
  }

  async function invoke(invocation: Invocation | null, origin: Origin, trigger: string): Promise<void> {
    // A button without a URL that leads nowhere must still answer.
    if (!invocation) return dispatch.say(origin, outdated);
    if (!(await dispatch.invoke(invocation, origin, trigger))) await dispatch.say(origin, busy);
  }

  app.use(async (args) => {
    if (!("action" in args)) return args.next();
    const { body, action, ack } = args;
    await timed(() => ack());
    const parsed = ActionBody.safeParse(body);
    const pressed = Pressed.safeParse(action);
    if (!parsed.success || !pressed.success) return log.error("An interaction of unknown shape came from Slack");
    const { view, trigger_id: trigger } = parsed.data;
    const { action_id: id, value, selected_option: selected } = pressed.data;
    const origin = originIn(listening, parsed.data);
    if (view?.type === "modal" && origin.view === null) {
      const task = pressInView(listening, view, id, selected?.value ?? null, value ?? "");
      return task ? dispatch.enqueueOrSay(origin, task) : undefined;
    }
    if (id.startsWith(outsidePrefix)) return;
    if (id === findAction && selected) return pressInvocation(selected.value, origin, trigger);
    if (id.startsWith(menuPrefix) && selected) {
      const invocation = chosenInvocation(id, selected.value);
      return invoke(invocation, origin, trigger);
    }
    const press = presses[id] ?? (id.startsWith(invokePrefix) ? pressInvocation : null);
    await (press ? press(value ?? "", origin, trigger) : dispatch.say(origin, outdated));
  });
}

/** Who pressed, and where what comes of it belongs. */
function originIn({ clock, memberOf }: Listening, body: ActionBody): Origin {
  const { user, channel, container, view, response_url: responseUrl = null } = body;
  const inAnswer = view?.callback_id === answerCallback;
  const place = inAnswer ? placeOfAnswer(view.private_metadata) : null;
  return originOf(
    {
      member: memberOf(user.id),
      slackUser: user.id,
      channel: place ? place.channel : (channel?.id ?? container?.channel_id ?? null),
      thread: place ? place.thread : threadOf(body),
      responseUrl,
      pressed: true,
      home: view?.type === "home" || (inAnswer && place === null),
      view: inAnswer ? { id: view.id, full: isFull(view) } : null,
    },
    clock.now(),
  );
}

/** What was pressed is no message: what came of it does not show there by itself. */
function isShownElsewhere({ home, view }: Origin): boolean {
  return home || view !== null;
}

const outdated =
  "This button is from an older version of Rackbell and no longer works. Nothing was done. Type the command again.";

/** What stands under a request for many. */
function bulkPresses({ context, dispatch, guard, chat }: Listening): Record<string, Press> {
  const { bulk } = context.requests;
  const decide = (how: "stop" | "again" | "rest" | "list"): Press => {
    return (id, origin) => dispatch.enqueueOrSay(origin, () => bulk[how](id, origin));
  };
  return {
    [stopAction]: decide("stop"),
    [againAction]: decide("again"),
    [restAction]: decide("rest"),
    [listAction]: decide("list"),
    [countAction]: async (value, origin, trigger) => {
      const counted = readCounted(value);
      if (!counted) return dispatch.say(origin, outdated);
      await guard(origin, async () => void (await chat.openView(trigger, countView(counted, origin), origin.view)));
    },
  };
}

/** What a press or a choice in an open form asks for; null where it waits for the submit. */
function pressInView(
  { forms, wizardForms }: Listening,
  view: OpenView,
  id: string,
  selected: string | null,
  value: string,
): (() => Promise<void>) | null {
  if (id === targetAction) return selected === null ? null : () => forms.retarget(formOf(view), selected);
  if (id.startsWith(choosePrefix) && view.callback_id === wizardCallback)
    return () => wizardForms.press(formOf(view), chosenVerb, selected ?? "");
  if (!id.startsWith(wizardPrefix)) return null;
  const [verb = ""] = id.slice(wizardPrefix.length).split(":");
  return () => wizardForms.press(formOf(view), verb, selected ?? value);
}
