import type { App } from "@slack/bolt";
import { briefAction, readAlert, takeAlertAction } from "../../alerts/alert.ts";
import { openHeldAction, showBurstAction } from "../../alerts/burst.ts";
import { takeAlert } from "../../alerts/waiting.ts";
import { openAlert, requireRead, showBurst } from "../../commands/alert-readers.ts";
import { askColleague } from "../../commands/ask-colleague.ts";
import { shareBrief, shareBriefAction, showBrief } from "../../commands/brief.ts";
import { dismissAction } from "../../messages/answers/answers.ts";
import {
  delegateAction,
  invokePrefix,
  outsidePrefix,
  takeOfferAction,
  unpackInvocation,
} from "../../messages/answers/buttons.ts";
import { chosenAct, morePrefix } from "../../messages/answers/card.ts";
import { chosenInvocation, menuPrefix } from "../../messages/answers/menus.ts";
import type { Origin } from "../../messages/origin.ts";
import { revealAction } from "../../messages/secrets.ts";
import type { Invocation } from "../../operation/operation.ts";
import type { Manner } from "../../passkeys/links.ts";
import { readTakeValue } from "../../policy/responsibility/take-view.ts";
import { sleep } from "../../process/clock.ts";
import { ownValue } from "../../process/own-value.ts";
import {
  addAction,
  againAction,
  askAgainAction,
  backupFirstAction,
  chooseBackupAction,
  countAction,
  deferAction,
  denyAction,
  detailsAction,
  leaveBackupAction,
  listAction,
  narrowAction,
  overrideAction,
  passkeyActions,
  pressAction,
  pressSecondAction,
  type RequestAction,
  rescheduleAction,
  restAction,
  reviewAction,
  stopAction,
  takeAction,
  wayBackAction,
  withdrawAction,
} from "../../requests/actions.ts";
import { type AskedFirst, admits, press, review, withdraw } from "../../requests/decide.ts";
import { takeOffer } from "../../requests/delegate.ts";
import { chooseBackup } from "../../requests/facets/backup-first/offer.ts";
import { askForFailed, askForRest, findLate, listBulk, stopBulk } from "../../requests/facets/bulk/decide.ts";
import { readCountModalValue } from "../../requests/facets/bulk/view.ts";
import { askForWayBack } from "../../requests/facets/bulk/way-back.ts";
import { findNarrowable, ownForm } from "../../requests/facets/narrow/steps.ts";
import { nameToType } from "../../requests/facets/protection/steps.ts";
import { findReschedulable } from "../../requests/facets/schedule/change.ts";
import { addTo, askAgain, showDetails, takeRequest } from "../../requests/other-presses.ts";
import type { Request } from "../../requests/request.ts";
import { readControl } from "../../requests/shown-facts.ts";
import { sayUnseen } from "../../requests/state-answers.ts";
import { readRequest } from "../../requests/store.ts";
import { busy, dispatch, enqueueOrSay, isLetIn, say } from "../dispatch.ts";
import { findAction, openSearch } from "../find.ts";
import { follow, refreshMeaning, refuseOld, retarget, showMore } from "../forms/form.ts";
import { chosenField, formCallback, moreAction, targetAction } from "../forms/submission.ts";
import { refreshAction, searchAction } from "../home/navigation-blocks.ts";
import { guardInteraction, inModal } from "../interaction.ts";
import { ActionBody, Pressed, type ShownView, shownView } from "../payloads.ts";
import {
  againView,
  countView,
  deferView,
  nameView,
  narrowView,
  type ReasonKind,
  reasonView,
  whenView,
} from "../question-modals.ts";
import { reveal } from "../reveal.ts";
import type { ListenerApp } from "../slack-app.ts";
import { originOfPress } from "./acts.ts";
import { runOffered, runTypedAction } from "./typed.ts";

/** Milliseconds for the check before a modal opens. */
const checkedWithinMs = 1_500;

type Press = (value: string, origin: Origin, trigger: string) => Promise<void>;
type Decision = (id: string, origin: Origin) => Promise<unknown>;

/** Presses and choices, in a message, a modal or on the Home tab. */
export function listenToActions(bolt: App, app: ListenerApp): void {
  const { requests, chat, log, timed } = app;

  const briefing = { ...app, outbox: app.context.outbox, causes: app.context.causes };

  /** Decides a request. If its message is elsewhere, the outcome is also shown here. */
  function decide(decision: Decision): Press {
    return (id, origin) =>
      enqueueOrSay(app, origin, async () => {
        await decision(id, origin);
        if (isShownElsewhere(origin)) await sayUnseen(requests, id, origin);
      });
  }

  /** The link with which the presser goes on is for them alone, so a modal shows it. */
  function decideInModal(decision: Decision): Press {
    return async (id, origin, trigger) => {
      const shown = await inModal(chat, origin, trigger);
      await enqueueOrSay(app, shown, async () => {
        await decision(id, shown);
        // Else the modal has the link, or the reason why there is none.
        if ((await readRequest(requests, id))?.state !== "pending") await sayUnseen(requests, id, shown);
      });
    };
  }

  /** Asks for the name of a protected resource first, if the request destroys one; else the press decides at once. */
  function pressed(how: Manner, decides: (decision: Decision) => Press): Press {
    return async (value, origin, trigger) => {
      const { id, shown } = readControl(value);
      const atOnce = decides((request, by) => press(requests, request, by, { ...how, shown }));
      // The press itself says what went wrong here, or that it lacks the name.
      const asked = await nameToType(requests, id).catch(() => null);
      if (!asked) return atOnce(id, origin, trigger);
      await guardInteraction(app, origin, async () => {
        const form = await admitted(app, "approve", id, origin);
        if (form) await chat.openView(trigger, nameView(asked, how, origin), origin.view);
      });
    };
  }

  function askWhy(kind: ReasonKind): Press {
    return async (value, origin, trigger) => {
      const { id, shown } = readControl(value);
      await guardInteraction(app, origin, async () => {
        const form = await admitted(app, kind, id, origin);
        const asked = kind === "override" ? await nameToType(requests, id) : null;
        const about = { id, request: form?.request ?? null, name: asked?.name ?? null, shown };
        if (form) await chat.openView(trigger, reasonView(kind, about, origin), origin.view);
      });
    };
  }

  const askUntilWhen: Press = async (id, origin, trigger) => {
    await guardInteraction(app, origin, async () => {
      const form = await admitted(app, "defer", id, origin);
      if (form) await chat.openView(trigger, deferView({ id, request: form.request }, origin), origin.view);
    });
  };

  const askNarrower: Press = async (id, origin, trigger) => {
    await guardInteraction(app, origin, async () => {
      const found = await findNarrowable(requests, id, origin);
      const own = found && ownForm(requests, found, origin);
      if (own) await invoke(own, origin, trigger);
      else if (found) await chat.openView(trigger, narrowView(found, origin), origin.view);
    });
  };

  const askWhen: Press = async (id, origin, trigger) => {
    await guardInteraction(app, origin, async () => {
      const request = await findReschedulable(requests, id, origin);
      if (request) await chat.openView(trigger, whenView(request, origin), origin.view);
    });
  };

  const presses: Record<RequestAction, Press> & Record<string, Press> = {
    [pressAction]: pressed({}, decide),
    [passkeyActions[pressAction]]: pressed({}, decideInModal),
    [passkeyActions[pressSecondAction]]: pressed({ second: true }, decideInModal),
    [passkeyActions[backupFirstAction]]: pressed({ withBackup: true }, decideInModal),
    [pressSecondAction]: pressed({ second: true }, decide),
    [backupFirstAction]: pressed({ withBackup: true }, decide),
    [chooseBackupAction]: decide((id, origin) => chooseBackup(requests, id, origin, "chooseBackup")),
    [leaveBackupAction]: decide((id, origin) => chooseBackup(requests, id, origin, "leaveBackup")),
    [withdrawAction]: decide((id, origin) => withdraw(requests, id, origin)),
    [reviewAction]: decide((id, origin) => review(requests, id, origin)),
    [denyAction]: askWhy("deny"),
    [deferAction]: askUntilWhen,
    [narrowAction]: askNarrower,
    [overrideAction]: askWhy("override"),
    [rescheduleAction]: askWhen,
    [detailsAction]: async (id, origin, trigger) => {
      const shown = await inModal(chat, origin, trigger);
      await enqueueOrSay(app, shown, () => showDetails(requests, id, shown));
    },
    [takeAlertAction]: (value, origin) =>
      enqueueOrSay(app, origin, async () => {
        const take = readTakeValue(value);
        await requireRead(app, await readAlert(app, take.id), origin);
        const problem = await takeAlert(app.context, take, origin);
        if (problem !== null) await say(app, origin, problem);
      }),
    [briefAction]: (id, origin) => enqueueOrSay(app, origin, () => showBrief(briefing, id, origin)),
    [shareBriefAction]: (id, origin) => enqueueOrSay(app, origin, () => shareBrief(briefing, id, origin)),
    [showBurstAction]: (value, origin) => enqueueOrSay(app, origin, () => showBurst(app, value, origin)),
    [openHeldAction]: (id, origin) => enqueueOrSay(app, origin, () => openAlert(app, id, origin)),
    [takeAction]: (value, origin) => enqueueOrSay(app, origin, () => takeRequest(requests, value, origin)),
    [askAgainAction]: async (id, origin, trigger) => {
      await guardInteraction(app, origin, async () => {
        const invocation = await askAgain(requests, id, origin);
        if (invocation) await invoke(invocation, origin, trigger);
      });
    },
    [addAction]: async (id, origin, trigger) => {
      await guardInteraction(app, origin, async () => {
        const invocation = await addTo(requests, id, origin);
        if (invocation) await invoke(invocation, origin, trigger);
      });
    },
    ...bulkPresses(app),
    [delegateAction]: async (value, origin) => {
      const invocation = unpackInvocation(value);
      await (invocation
        ? enqueueOrSay(app, origin, () => askColleague(app, invocation, origin))
        : say(app, origin, outdated));
    },
    [takeOfferAction]: async (id, origin, trigger) => {
      await guardInteraction(app, origin, async () => invoke(await takeOffer(requests, id), origin, trigger));
    },
    // Only its presser sees this message, so it is deleted, and nothing was done.
    [dismissAction]: async (_, origin) => {
      if (isShownElsewhere(origin)) return say(app, origin, "Nothing was done.");
      if (origin.responseUrl) await chat.deleteOriginal(origin.responseUrl).catch(() => {});
    },
    [runTypedAction]: (text, origin, trigger) => runOffered(app, text, origin, trigger),
    [searchAction]: (_, origin, trigger) => openSearch(app, origin, trigger),
    [refreshAction]: (_, origin) => enqueueOrSay(app, origin, async () => {}),
    [revealAction]: async (id, origin, trigger) => {
      await guardInteraction(app, origin, () => reveal(app, id, origin, trigger));
    },
  };

  async function pressInvocation(value: string, origin: Origin, trigger: string): Promise<void> {
    await invoke(unpackInvocation(value), origin, trigger);
  }

  async function invoke(invocation: Invocation | null, origin: Origin, trigger: string): Promise<void> {
    // An unknown button must still answer.
    if (!invocation) return say(app, origin, outdated);
    if (!(await dispatch(app, invocation, origin, trigger))) await say(app, origin, busy);
  }

  bolt.use(async (args) => {
    if (!("action" in args)) return args.next();
    const { body, action, ack } = args;
    await timed(() => ack());
    const parsed = ActionBody.safeParse(body);
    const pressed = Pressed.safeParse(action);
    if (!parsed.success || !pressed.success) return log.error("An interaction of unknown shape came from Slack");
    // A link button opens a URL; the app has nothing to do.
    if (pressed.data.action_id.startsWith(outsidePrefix)) return;
    const origin = originOfPress(app, parsed.data, pressed.data);
    if (await isLetIn(app, origin)) await carryOut(parsed.data, pressed.data, origin);
  });

  async function carryOut(
    { view, trigger_id: trigger }: ActionBody,
    { action_id: id, value, selected_option: selected }: Pressed,
    origin: Origin,
  ): Promise<void> {
    if (view?.type === "modal" && origin.view === null) {
      const task = pressInView(app, shownView(view, origin), view.callback_id, id, selected?.value ?? null);
      return task ? enqueueOrSay(app, origin, task) : undefined;
    }
    if (selected && isCommandMenu(id)) return invoke(commandIn(id, selected.value), origin, trigger);
    await pressHandler(id)(value ?? "", origin, trigger);
  }

  function pressHandler(id: string): Press {
    const outdatedPress: Press = (_, origin) => say(app, origin, outdated);
    return ownValue(presses, id) ?? (id.startsWith(invokePrefix) ? pressInvocation : outdatedPress);
  }
}

/** True for a menu whose options are commands. */
function isCommandMenu(id: string): boolean {
  return id === findAction || id.startsWith(morePrefix) || id.startsWith(menuPrefix);
}

function commandIn(id: string, option: string): Invocation | null {
  if (id === findAction) return unpackInvocation(option);
  return id.startsWith(morePrefix) ? chosenAct(id, option) : chosenInvocation(id, option);
}

/** True if the press was not in a message, so that its outcome does not appear there by itself. */
function isShownElsewhere({ home, view }: Origin): boolean {
  return home || view !== null;
}

const outdated =
  "This button is from an older version of Rackbell and no longer works. Nothing was done. Type the command again.";

/**
 * The request for its form, or null if there is nothing to ask. Slack allows three seconds to open a modal: a slower check runs when the
 * form is submitted, and the form then names no request.
 */
async function admitted(
  { requests, clock }: ListenerApp,
  event: AskedFirst,
  id: string,
  origin: Origin,
): Promise<{ request: Request | null } | null> {
  const read = admits(requests, event, id, origin).then((request) => request && { request });
  return Promise.race([read, sleep(clock, checkedWithinMs).then(() => ({ request: null }))]);
}

/** The buttons of a bulk request. */
function bulkPresses(app: ListenerApp) {
  const { requests, chat } = app;
  const queued = (step: typeof stopBulk): Press => {
    return (id, origin) => enqueueOrSay(app, origin, () => step(requests, id, origin));
  };
  return {
    [stopAction]: queued(stopBulk),
    [againAction]: queued(askForFailed),
    [restAction]: async (id, origin, trigger) => {
      await guardInteraction(app, origin, async () => {
        const late = await findLate(requests, id, origin);
        if (late) await chat.openView(trigger, againView(late, origin), origin.view);
        else await queued(askForRest)(id, origin, trigger);
      });
    },
    [wayBackAction]: queued(askForWayBack),
    [listAction]: queued(listBulk),
    [countAction]: async (value, origin, trigger) => {
      const counted = readCountModalValue(value);
      if (!counted) return say(app, origin, outdated);
      await guardInteraction(app, origin, async () => {
        const form = await admitted(app, "approve", counted.request, origin);
        if (form) await chat.openView(trigger, countView(counted, origin), origin.view);
      });
    },
  } satisfies Record<string, Press>;
}

/** The task for a press or choice in an open form; null if only the submit matters. */
function pressInView(
  app: ListenerApp,
  view: ShownView,
  callback: string,
  id: string,
  selected: string | null,
): (() => Promise<void>) | null {
  if (callback !== formCallback) return null;
  const old = refuseOld(app, view);
  if (old) return old;
  if (id === targetAction) return selected === null ? null : () => retarget(app, view, selected);
  if (id === moreAction) return () => showMore(app, view);
  const field = chosenField(id);
  if (field === null) return () => refreshMeaning(app, view);
  return selected === null ? null : () => follow(app, view, field, selected);
}
