import * as z from "zod";
import { type Answer, type Secret, unsure } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { readCapabilities } from "../../../platform/reseller/capabilities.ts";
import { type Console, openConsole, openConsoleSession, type VncConsole } from "../../../platform/reseller/console.ts";
import type { SecretField } from "../../../platform/reseller/secret-fields.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { paragraphs, section } from "../../../views/blocks.ts";
import { renderJson } from "../../../views/json.ts";
import { code, prose, sentence } from "../../../views/text.ts";
import { requireControl } from "./capable.ts";
import { nameOf, resoldService } from "./service.ts";

export const console = defineOperation({
  command: "reseller service console",
  summary: "Open a console session of a service that you sell on, and get the parts to reach it with a client",
  act: openConsole,
  reads: [readCapabilities, readService],
  risk: "change",
  verb: "Open a console of",
  target: resoldService,
  input: z.object({}),
  usable: async ({ client, target }) => void (await requireControl(client, target, "console")),
  run: async ({ client, target }) => consoleAnswer(target, await openConsole(client, target.serviceId)),
  reconcile: unsure("A session that nobody saw ends by itself. Open another."),
});

export const session = defineOperation({
  command: "reseller service console session",
  summary: "Open a one-shot console session for a viewer of your own, and get its parts",
  act: openConsoleSession,
  reads: [readCapabilities, readService],
  risk: "change",
  verb: "Open a session of",
  target: resoldService,
  input: z.object({}),
  usable: async ({ client, target }) => void (await requireControl(client, target, "console")),
  async run({ client, target }) {
    const { sessionId, token, wsPath, viewerKind, origin } = await openConsoleSession(client, target.serviceId);
    const name = nameOf(target);
    const parts = named({ "Socket at": origin, "Its path": wsPath, Session: sessionId, Viewer: viewerKind });
    return {
      text: `A console session of ${code(name)} is open, once and for minutes. Slack cannot show it: its parts are for a viewer of your own.`,
      secrets: [{ label: `Token of the session of ${name}`, value: token }, ...parts],
      next: [linkStep(target)],
    };
  },
  reconcile: unsure("A session that nobody saw ends by itself. Open another."),
});

/** Slack cannot open a websocket. This button makes a link for a browser instead. */
function linkStep({ serviceId: target }: Service) {
  return { label: "Make a link…", command: "reseller service console-cast", target };
}

function consoleAnswer(row: Service, opened: Console): Answer {
  const name = code(nameOf(row));
  if (opened.type === "novnc") return vncAnswer(row, opened);
  if (opened.type === "provider") {
    const secrets = opened.secrets.map(secretOf);
    const lines = renderJson(opened.rest ?? {});
    const text = `Who provides ${name} opened its console.`;
    return { text, blocks: [section(text), ...paragraphs(lines)], secrets };
  }
  const reason = opened.reason ? ` The platform says: ${sentence(prose(opened.reason, 300))}` : "";
  if (!opened.available) return { text: `The console of ${name} cannot be opened now.${reason}` };
  return {
    text: `The console of ${name} can be opened: with a link that a browser opens, or with a session for a viewer of your own.${reason}`,
    next: [
      linkStep(row),
      { label: "Open a session", command: "reseller service console session", target: row.serviceId },
    ],
  };
}

function vncAnswer(row: Service, opened: VncConsole): Answer {
  const name = nameOf(row);
  return {
    text: `A console session of ${code(name)} is open for some minutes. Slack cannot show it: its parts are for a noVNC viewer of your own.`,
    secrets: [
      { label: `Websocket of the console of ${name}`, value: opened.websocketUrl },
      ...named({
        "VNC password": opened.rfbPassword,
        Token: opened.token,
        Session: opened.sessionId,
        Ends: opened.expiresAt,
      }),
    ],
    next: [linkStep(row)],
  };
}

function named(parts: Record<string, string | null | undefined>): Secret[] {
  return Object.entries(parts).flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

/** A secret that opens the console. An https address becomes a link button. */
export function secretOf({ name, value }: SecretField): Secret {
  return { label: name, value, link: value.startsWith("https://") };
}
