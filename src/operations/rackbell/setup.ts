// The first steps of an admin, once: the card of `/rackbell setup` and the row on Home are both made of this list.

import * as z from "#zod";
import { newestEvents } from "../../alerts/event-log.ts";
import { type Routing, readRouting } from "../../alerts/subscriptions.ts";
import { panelLink } from "../../members/access/access.ts";
import { hasLink } from "../../members/identities/link.ts";
import { type WorkspaceSecretName, workspaceSecretNames } from "../../members/identities/workspace.ts";
import { readRotations } from "../../members/people/rotations.ts";
import { readSettings } from "../../members/settings/settings.ts";
import { isAdmin } from "../../messages/admins.ts";
import { stepButtons } from "../../messages/answers/buttons.ts";
import type { Answer, Step } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { usablePasskeys } from "../../passkeys/passkeys.ts";
import { asksForPasskeys, readPolicy } from "../../policy/policy.ts";
import type { ApprovalLevel, Rule } from "../../policy/rule.ts";
import { type Block, section } from "../../views/blocks.ts";
import { count } from "../../views/text.ts";
import { type AppContext, defineAppOperation } from "../app-context.ts";
import { headed } from "../kits/card.ts";
import { subscriptionSteps } from "./alerts-set.ts";
import { addressSteps } from "./connect.ts";
import { newRotationStep } from "./oncall-words.ts";

/** All that says which steps are done, read at this moment. */
interface SetupState
  extends Pick<AppContext, "panel" | "webhookUrl" | "approvalDefaults">,
    Pick<AppContext["passkeys"], "mode" | "problem"> {
  /** Null while Slack does not answer. */
  isInChannel: boolean | null;
  connected: ReadonlySet<WorkspaceSecretName>;
  /** A webhook arrived in the last 30 days, for which the log of events is kept. */
  isDelivered: boolean;
  routing: Routing;
  hasGroup: boolean;
  isOnCallSet: boolean;
  rules: readonly Rule[];
  /** Of the admin who reads the card. */
  ownPasskeys: number;
  ownResellerKey: boolean;
  /** Two or more members have linked a key. */
  areSeveral: boolean;
  areAsked: boolean;
}

interface SetupStep {
  title: string;
  isDone: (state: SetupState) => boolean;
  /** One sentence of mrkdwn: how it is while the step is not done. */
  without: (state: SetupState) => string;
  /** A sentence with all that the admin needs for the press, in mrkdwn. */
  needs?: (state: SetupState) => string;
  /** The sentence why the step cannot be done here; null if it can. */
  hindrance?: (state: SetupState) => string | null;
  /** The command of the button; null where Slack's own must be typed. */
  press: (state: SetupState) => Step | null;
}

const connectStep: Step = { label: "Connect…", command: "rackbell connect" };
/** Opens the form of a rule for everybody, filled in as a proposal. */
function ruleStep(input: { demand: ApprovalLevel; risk: "spend" | "destroy"; passkey?: true }): Step {
  return {
    label: "Add a rule…",
    command: "rackbell policy set",
    input: { ...input, who: "everybody" },
    form: true,
  };
}

/** In the order of the card. */
const setupSteps: readonly SetupStep[] = [
  {
    title: "Invite Rackbell to your ops channel",
    isDone: ({ isInChannel }) => isInChannel === true,
    without: ({ isInChannel }) =>
      isInChannel === null
        ? "Slack does not say now which channels Rackbell is in."
        : "No channel gets requests, results or alerts.",
    needs: () => "Type `/invite @Rackbell` there, then press *Look again*.",
    press: () => null,
  },
  {
    title: "Watch your own machines",
    isDone: ({ connected }) => connected.has("customer-reader"),
    without: () => "Nobody is notified when a machine of yours goes down.",
    needs: (state) =>
      `Make a key with the scope \`read\` alone ${panelLink(state)}: it is the customer monitoring key.`,
    press: () => ({ ...connectStep, label: "Set the key…" }),
  },
  {
    title: "Connect reselling",
    isDone: ({ connected, webhookUrl, isDelivered }) =>
      connected.has("signing-secret") && (webhookUrl === null ? connected.has("reseller-reader") : isDelivered),
    without({ connected, webhookUrl }) {
      if (!connected.has("signing-secret"))
        return "Nobody can change resold services, and none of the supplier's events raises an alert.";
      return webhookUrl === null
        ? "Nobody is notified when a resold service fails: webhooks need `PUBLIC_URL`, and polling a reseller monitoring key."
        : "No event of the supplier raised an alert in the last 30 days: no webhook arrived.";
    },
    hindrance: ({ connected, ownResellerKey }) =>
      connected.has("signing-secret") || ownResellerKey
        ? null
        : "If you resell, link your reseller key first, with `/rackbell link`.",
    press: ({ connected, webhookUrl }) =>
      (connected.has("signing-secret") && addressSteps({ webhookUrl })[0]) || connectStep,
  },
  {
    title: "Choose a channel for alerts, and whom they mention",
    isDone: ({ routing }) => routing.subscriptions.some(({ mention }) => mention !== null),
    without: ({ routing }) =>
      routing.subscriptions.length === 0
        ? "No channel gets alerts."
        : "Alerts mention nobody, so a failure at night is seen in the morning.",
    press({ routing: { subscriptions } }) {
      const [change] = subscriptions.flatMap((one) => subscriptionSteps(one)).slice(0, 1);
      return { ...(change ?? { command: "rackbell alerts set", form: true as const }), label: "Choose…" };
    },
  },
  {
    title: "Say who approves",
    isDone: ({ hasGroup, rules }) => hasGroup || rules.some(({ approvers }) => approvers !== undefined),
    without: () => "Rackbell chooses whom a request mentions, among the members who could approve it.",
    needs: () => "A user group names them, or the rules do.",
    press: () => ({ label: "Choose a group…", command: "rackbell settings", form: true }),
  },
  {
    title: "Say who is on call",
    isDone: ({ isOnCallSet }) => isOnCallSet,
    without: () => "Nobody has a turn: alerts reach only the people whom they name.",
    press: () => newRotationStep,
  },
  {
    title: "Add a first approval rule",
    isDone: ({ rules }) => rules.length > 0,
    without: ({ approvalDefaults: { destroy } }) =>
      destroy === "confirm"
        ? "Each member alone confirms what destroys a machine or costs money."
        : "One approval is enough to destroy any machine, and each member alone confirms what costs money.",
    needs: ({ areSeveral }) => (areSeveral ? "" : "For approvals, a second member must link a key first."),
    press: ({ approvalDefaults: { destroy } }) =>
      ruleStep({ demand: "one-approval", risk: destroy === "confirm" ? "destroy" : "spend" }),
  },
  {
    title: "Approve with passkeys",
    isDone: ({ ownPasskeys, areAsked }) => ownPasskeys > 0 && areAsked,
    without: ({ ownPasskeys, areAsked }) =>
      ownPasskeys > 0 && !areAsked
        ? "No rule asks for a passkey, so a stolen Slack account is enough to approve."
        : "A thief of your Slack account could approve in your name.",
    hindrance: ({ mode, problem }) =>
      mode === "off" ? "Passkeys are off: the operator of Rackbell sets `PASSKEYS=on` and `PUBLIC_URL`." : problem,
    press: ({ ownPasskeys, approvalDefaults: { destroy } }) =>
      ownPasskeys > 0
        ? ruleStep({ demand: destroy, risk: "destroy", passkey: true })
        : { label: "Make a passkey", command: "rackbell passkeys", input: { do: "make" } },
  },
];

async function readState(context: AppContext, { member }: Pick<Actor, "member">): Promise<SetupState> {
  const { connection, identities, panel, webhookUrl, approvalDefaults, passkeys } = context;
  const named = workspaceSecretNames.map(async (name) => ((await connection.about(name)) ? [name] : []));
  const [isInChannel, connected, newest, routing, { approverGroup }, rotations, { rules }, own, all, links, areAsked] =
    await Promise.all([
      context.people.isInChannel(),
      Promise.all(named),
      newestEvents(context, { source: "webhook", limit: 1 }),
      readRouting(context),
      readSettings(context),
      readRotations(context),
      readPolicy(context),
      usablePasskeys(context, member),
      identities.all(),
      identities.links(member),
      asksForPasskeys(context),
    ]);
  return {
    panel,
    webhookUrl,
    approvalDefaults,
    mode: passkeys.mode,
    problem: passkeys.problem,
    isInChannel,
    connected: new Set(connected.flat()),
    isDelivered: newest.length > 0,
    routing,
    hasGroup: approverGroup !== null,
    isOnCallSet: rotations.length > 0,
    rules,
    ownPasskeys: own.length,
    ownResellerKey: links.reseller !== null,
    areSeveral: all.filter(hasLink).length > 1,
    areAsked,
  };
}

/** The steps as they are now. One that cannot be done here counts for nothing, unless it is done. */
function standing(state: SetupState) {
  const hindranceOf = (step: SetupStep) => (step.isDone(state) ? null : (step.hindrance?.(state) ?? null));
  const possible = setupSteps.filter((step) => hindranceOf(step) === null);
  const open = possible.filter((step) => !step.isDone(state));
  return { hindranceOf, open, words: `${possible.length - open.length} of ${count(possible.length, "step")} done` };
}

/** Opens the card. */
export const setupStep = { label: "Set up", command: "rackbell setup" };

export const setup = defineAppOperation({
  command: "rackbell setup",
  synonyms: ["set up", "first steps"],
  summary: "For admins: set up Rackbell step by step, and see which steps are done",
  example: "/rackbell setup",
  admins: true,
  verb: "Set up the workspace",
  input: z.object({}),
  async run({ context, actor }): Promise<Answer> {
    const state = await readState(context, actor);
    const { hindranceOf, open, words } = standing(state);
    const rows = setupSteps.map((step): Block => {
      if (step.isDone(state)) return section(`:white_check_mark: *${step.title}*`);
      const hindrance = hindranceOf(step);
      const lines = hindrance === null ? [step.without(state), step.needs?.(state)] : [hindrance, step.without(state)];
      const press = hindrance === null ? step.press(state) : null;
      const [button] = press ? stepButtons([press], context.registry.find) : [];
      const mark = hindrance === null ? ":white_circle:" : ":heavy_minus_sign:";
      return section(`${mark} *${step.title}*\n${lines.filter((line) => line).join(" ")}`, button);
    });
    const headline = open.length > 0 ? `Set up Rackbell: ${words}` : "Rackbell is set up: nothing is left to do here";
    return {
      ...headed(headline, rows),
      next: open.length > 0 ? [{ ...setupStep, label: "Look again", replace: true }] : [],
    };
  },
});

/** The next step of an admin in words, beside the button of `setupStep`. Null for everybody else, and once all is done. */
export async function readSetupWords(
  context: AppContext,
  actor: Pick<Actor, "member" | "slackUser">,
): Promise<string | null> {
  // Without an answer of Slack nobody counts as an admin here: the command asks again.
  if (!(await isAdmin(context, actor.slackUser).catch(() => false))) return null;
  const state = await readState(context, actor);
  const { open, words } = standing(state);
  const [first] = open;
  if (!first) return null;
  return `*Set up Rackbell:* ${words}. Next: *${first.title}*. ${first.without(state)}`;
}
