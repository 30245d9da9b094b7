import * as z from "zod";
import type { Answer, Secret } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { type Console, openConsole, openConsoleSession, type VncConsole } from "../../../platform/reseller/console.ts";
import type { SecretField } from "../../../platform/reseller/secret-fields.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { paragraphs, section } from "../../../views/blocks.ts";
import { renderJson } from "../../../views/json.ts";
import { code, prose, sentence } from "../../../views/text.ts";
import { requireControl } from "./capable.ts";
import { nameOf, soldService } from "./service.ts";

const routes = ["GET /services/{serviceId}/capabilities", "GET /services/{serviceId}"];

export const console = defineOperation({
  api: "reseller",
  command: "reseller service console",
  summary: "Open a console session of a service that you sell on, and get the parts to reach it with a client",
  routes: ["GET /services/{serviceId}/console", ...routes],
  scope: "services",
  risk: "change",
  verb: "Open a console of",
  target: soldService,
  input: z.object({}),
  usable: async ({ client, target }) => void (await requireControl(client, target, "console")),
  run: async ({ client, target }) => consoleAnswer(target, await openConsole(client, target.serviceId)),
});

export const session = defineOperation({
  api: "reseller",
  command: "reseller service console session",
  summary: "Open a one-shot console session for a viewer of your own, and get its parts",
  routes: ["POST /services/{serviceId}/console-session", ...routes],
  scope: "services",
  risk: "change",
  verb: "Open a session of",
  target: soldService,
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
});

/** Slack opens no websocket: a link that a browser can open is the other way. */
function linkStep({ serviceId: target }: Service) {
  return { label: "Make a link…", command: "reseller service console-cast", target };
}

function consoleAnswer(row: Service, opened: Console): Answer {
  const name = code(nameOf(row));
  if (opened.type === "novnc") return vncAnswer(row, opened);
  if (opened.type === "provider") {
    const secrets = opened.secrets.map(secretOf);
    const told = renderJson(opened.rest ?? {});
    const text = `Who provides ${name} opened its console.`;
    return { text, blocks: [section(text), ...paragraphs(told)], secrets };
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

/** A part of an answer that opens something; an address that a browser opens gets a button. */
export function secretOf({ name, value }: SecretField): Secret {
  return { label: name, value, link: value.startsWith("https://") };
}
