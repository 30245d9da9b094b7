import * as z from "#zod";
import { type Answer, doneIf, type Secret, unsure } from "../../../operation/answer.ts";
import type { TargetContext } from "../../../operation/call-context.ts";
import { defineOperation } from "../../../operation/define.ts";
import type { Chooser } from "../../../operation/input.ts";
import { readCapabilities } from "../../../platform/reseller/capabilities.ts";
import {
  type Cast,
  type Console,
  createCast,
  listCasts,
  openConsole,
  openConsoleSession,
  revokeCast,
  type VncConsole,
} from "../../../platform/reseller/console.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { plainly } from "../../../process/plain-text.ts";
import type { SecretField } from "../../../process/secret-parts.ts";
import { section } from "../../../views/blocks.ts";
import { duration, moment } from "../../../views/format.ts";
import { code, count, dotted, prose, sentence } from "../../../views/text.ts";
import { headed } from "../../kits/card.ts";
import { known } from "../../kits/lines.ts";
import { withReceived } from "../../kits/received.ts";
import { requireControl, resoldService, soldName } from "./service.ts";

/** The members of every act on a console. */
const onConsole = { group: "access", risk: "change", effects: [], target: resoldService } as const;

/** The members of every act that opens a console. */
const opening = {
  ...onConsole,
  reads: [readCapabilities],
  usable: ({ client, target }: TargetContext<"reseller", Service>) => requireControl(client, target, "console"),
};

export const console = defineOperation({
  ...opening,
  command: "reseller service console",
  summary: "Open a console session of a resold service, and get the details for a client",
  example: "/reseller service console web-2",
  act: openConsole,
  verb: "Open a console of",
  input: z.object({}),
  run: async ({ client, target }) => consoleAnswer(target, await openConsole(client, target.serviceId)),
  reconcile: unsure("An unused session ends by itself. Open another session."),
});

export const session = defineOperation({
  ...opening,
  command: "reseller service console session",
  summary: "Open a one-time console session for your own viewer, and get its details",
  example: "/reseller service console session web-2",
  act: openConsoleSession,
  verb: "Open a session of",
  input: z.object({}),
  async run({ client, target }) {
    const { sessionId, token, wsPath, viewerKind, origin } = await openConsoleSession(client, target.serviceId);
    const name = soldName(target);
    const parts = named({ "Socket at": origin, "Its path": wsPath, Session: sessionId, Viewer: viewerKind });
    return {
      text: `A one-time console session of ${code(name)} is open for some minutes. Slack cannot show the console. Use the session's details in your own viewer.`,
      secrets: [{ label: plainly`Token of the session of ${name}`, value: token }, ...parts],
      next: [linkStep(target)],
    };
  },
  reconcile: unsure("An unused session ends by itself. Open another session."),
});

/** Slack cannot open a websocket. This button makes a link for a browser instead. */
function linkStep({ serviceId: target }: Service) {
  return { label: "Make a link…", command: "reseller service console-cast", target };
}

function consoleAnswer(row: Service, opened: Console): Answer {
  const name = code(soldName(row));
  if (opened.type === "novnc") return vncAnswer(row, opened);
  if (opened.type === "provider") {
    const answer = withReceived(`The provider of ${name} opened its console.`, opened.rest);
    return { ...answer, secrets: opened.secrets.map(secretOf) };
  }
  const reason = opened.reason ? ` The platform says: ${sentence(prose(opened.reason, 300))}` : "";
  if (!opened.available) return { text: `The console of ${name} cannot be opened now.${reason}` };
  const agent =
    opened.agent_online === false ? " But the platform says that its agent is offline: it may not open." : "";
  return {
    text: `You can open the console of ${name} with a link for a browser. Or open a session for your own viewer.${agent}${reason}`,
    next: [
      linkStep(row),
      { label: "Open a session", command: "reseller service console session", target: row.serviceId },
    ],
  };
}

function vncAnswer(row: Service, opened: VncConsole): Answer {
  const name = soldName(row);
  return {
    text: `A console session of ${code(name)} is open ${opened.expiresAt ? `until ${moment(opened.expiresAt)}` : "for some minutes"}. Slack cannot show the console. Use the session's details in your own noVNC viewer.`,
    secrets: [
      { label: plainly`Websocket of the console of ${name}`, value: opened.websocketUrl },
      ...named({
        "VNC password": opened.rfbPassword,
        Token: opened.token,
        Session: opened.sessionId,
      }),
    ],
    next: [linkStep(row)],
  };
}

function named(parts: Record<string, string | null | undefined>): Secret[] {
  return known(Object.entries(parts));
}

/** A secret that opens the console. An https address becomes a link button. */
export function secretOf({ name, value }: SecretField): Secret {
  return { label: name, value, link: value.startsWith("https://") };
}

const unitSeconds: Record<string, number> = { s: 1, m: 60, min: 60, h: 3_600, d: 86_400 };

/** Seconds in "15m". Null without a unit: the platform counts this in seconds and people in minutes, and the link is a credential. */
function secondsIn(text: string): number | null {
  const [, amount, unit = ""] = /^(\d{1,6}) ?(s|m|min|h|d)$/i.exec(text) ?? [];
  const seconds = unitSeconds[unit.toLowerCase()];
  return seconds === undefined ? null : Number(amount) * seconds;
}

function isWithin(value: number | null, least: number, most: number): boolean {
  return value !== null && value >= least && value <= most;
}

export const consoleCast = defineOperation({
  ...opening,
  command: "reseller service console-cast",
  summary: "Make a link to the console of a resold service; anybody with the link can use the console",
  example: "/reseller service console-cast web-2 label=Iris",
  act: createCast,
  verb: "Make a console link to",
  input: z.object({
    label: z.string().trim().max(120).optional().meta({ title: "Label", description: "The person who gets the link" }),
    view: z.boolean().default(false).meta({ title: "View only", description: "Not for a VPS on a shared cluster" }),
    open: z
      .string()
      .trim()
      .default("15m")
      .refine((text) => isWithin(secondsIn(text), 60, 604_800), {
        error: "give a time with its unit, from 60s to 7d, such as 15m or 2h.",
      })
      .meta({ title: "Time limit to open the link", description: "Such as 15m, 2h or 1d" }),
    // The platform's own limits, in minutes. Reseller spec section 8.
    minutes: z.number().int().min(5).max(720).default(60).meta({ title: "Minutes that the link works once open" }),
  }),
  async run({ client, target, input }) {
    const made = await createCast(client, target.serviceId, {
      ...(input.label ? { label: input.label } : {}),
      viewOnly: input.view,
      openTtlSeconds: secondsIn(input.open) ?? 900,
      viewerTtlSeconds: input.minutes * 60,
    });
    const name = soldName(target);
    const until = made.openExpiresAt ? ` Open the link by ${moment(made.openExpiresAt)}.` : "";
    return {
      text: `A link to the console of ${code(name)} is made${input.view ? ", for viewing only" : ""}.${until} The link is in the requester's direct messages with me. Anybody who has it can use the console.`,
      secrets: [{ label: plainly`Link to the console of ${name}`, value: made.url, link: true }],
      next: [
        { label: "Links", command: "reseller service console-casts", target: target.serviceId },
        {
          label: "Revoke it",
          command: "reseller service console-cast revoke",
          target: target.serviceId,
          input: { link: made.id },
        },
      ],
    };
  },
  reconcile: unsure("`/reseller service console-casts` lists the links. You can revoke an unused link there."),
});

export const consoleCasts = defineOperation({
  command: "reseller service console-casts",
  summary: "List the live console links of a resold service, without their addresses",
  example: "/reseller service console-casts web-2",
  act: listCasts,
  risk: "read",
  target: resoldService,
  input: z.object({}),
  async run({ client, target, name }) {
    const found = await listCasts(client, target.serviceId);
    const cast = { label: "Make one…", command: "reseller service console-cast", target: target.serviceId };
    const make = target.status === "active" ? [cast] : [];
    if (found.length === 0) return { text: `There is no live link to the console of ${name}.`, next: make };
    return {
      ...headed(
        `${name} has ${count(found.length, "live console link")}.`,
        found.map((link) => section(castWords(link))),
      ),
      next: [
        ...make,
        { label: "Revoke one…", command: "reseller service console-cast revoke", target: target.serviceId },
      ],
    };
  },
});

const castChoices: Chooser<"reseller", Service> = async ({ client, target }) =>
  (await listCasts(client, target.serviceId)).map((cast) => ({
    value: cast.id,
    label: cast.label || cast.id.slice(0, 8),
    description: cast.status,
  }));

export const consoleCastRevoke = defineOperation({
  ...onConsole,
  command: "reseller service console-cast revoke",
  summary: "Revoke a link to a console; an open stream continues until its time is over",
  example: "/reseller service console-cast revoke web-2 link=Iris",
  act: revokeCast,
  reads: [listCasts],
  verb: "Revoke a console link to",
  input: z.object({ link: z.string().meta({ title: "Link" }) }),
  choices: { link: castChoices },
  async run({ client, target, input, name }) {
    await revokeCast(client, target.serviceId, input.link);
    return {
      text: `The link to the console of ${name} is revoked and opens nothing more. An open stream continues until its time is over.`,
      next: [{ label: "Links", command: "reseller service console-casts", target: target.serviceId }],
    };
  },
  async reconcile({ client, target, input }) {
    const live = (await listCasts(client, target.serviceId)).some(({ id }) => id === input.link);
    return doneIf(!live, "the link is no longer live.", "the link is still live.");
  },
});

function castWords({ label, id, status, viewOnly, openExpiresAt, viewerExpiresAt, viewerTtlSeconds }: Cast): string {
  return dotted([
    label ? prose(label, 120) : code(id),
    status === "open" ? "opened" : status,
    viewOnly ? "view only" : null,
    status === "pending" && openExpiresAt ? `to be opened by ${moment(openExpiresAt)}` : null,
    viewerExpiresAt ? `ends ${moment(viewerExpiresAt)}` : null,
    !viewerExpiresAt && viewerTtlSeconds ? `works for ${duration(viewerTtlSeconds * 1_000)} once open` : null,
  ]);
}
