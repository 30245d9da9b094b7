import type { Audit } from "../audit/audit.ts";
import { operator } from "../audit/entry.ts";
import { changeSettings, readSettings } from "../members/settings/settings.ts";
import { type AdminsApp, adminsWithSay } from "../messages/admins.ts";
import { notify } from "../messages/answers/notices.ts";
import type { LoggedApp } from "../storage/foundation.ts";
import { hasDeadPasskeys, type PasskeyMode, type PasskeysApp } from "./passkeys.ts";

const changedWords: Record<PasskeyMode, string> = {
  off: "The operator of Rackbell switched passkeys off (`PASSKEYS=off`). No rule asks for one until they are on again.",
  on: "The operator of Rackbell switched passkeys on. Rules that ask for one ask again.",
  required: "The operator of Rackbell requires passkeys: everything that destroys needs one.",
};

interface StartApp extends LoggedApp, AdminsApp, Pick<PasskeysApp, "passkeys"> {
  audit: Pick<Audit, "note">;
}

/**
 * Compares `PASSKEYS` and the host of `PUBLIC_URL` with those of the last start. A change is an audit entry and is sent to every admin:
 * the operator's way around passkeys must not be a quiet one.
 */
export async function noteStart(app: StartApp): Promise<void> {
  const { audit, log } = app;
  const { mode, site } = app.passkeys;
  const before = await readSettings(app);
  if (before.passkeys !== mode) {
    await audit.note({
      what: `passkeys ${mode}`,
      member: operator,
      slackUser: operator,
      decidedBy: null,
      keyLabel: "",
      command: "rackbell passkeys",
      target: null,
      outcome: changedWords[mode],
      request: null,
    });
    await notify(app, { to: { users: await adminsWithSay(app) }, text: `:key: ${changedWords[mode]}` });
  }
  const host = site?.rpId ?? null;
  if (mode !== "off" && before.passkeyHost !== host) {
    const dead = await deadWords(app);
    if (dead !== null) {
      log.warn({ host, before: before.passkeyHost }, "Passkeys were made for another host, and no longer work");
      await notify(app, { to: { users: await adminsWithSay(app) }, text: `:key: ${dead}` });
    }
  }
  if (before.passkeys !== mode || (mode !== "off" && before.passkeyHost !== host))
    await changeSettings(app, { passkeys: mode, ...(mode === "off" ? {} : { passkeyHost: host }) });
}

/** Says that passkeys of another host exist; null if there are none, or none are used. */
export async function deadWords(app: Pick<PasskeysApp, "store" | "passkeys">): Promise<string | null> {
  if (app.passkeys.mode === "off" || !(await hasDeadPasskeys(app))) return null;
  return "The host of Rackbell's public address changed: passkeys that were made for another one no longer work. Their members make new ones with `/rackbell passkeys replace`, or the operator sets the old host again.";
}
