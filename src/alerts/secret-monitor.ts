import * as z from "zod";
import type { Access } from "../access/access.ts";
import { invocationButton, invokePrefix } from "../notifications/answers/buttons.ts";
import { directNotifications } from "../notifications/direct.ts";
import { notificationTimer, type Outbox } from "../notifications/outbox.ts";
import { PlatformRefused } from "../platform/http/errors.ts";
import type { Foundation } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { creating } from "../storage/record.ts";
import { update } from "../storage/update.ts";
import { actions, type Message, section } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { count } from "../views/text.ts";

const kind = "secret-watch";
const hour = 60 * 60_000;
const week = 7 * 24 * hour;
/** So many wrong signatures in a row, with no right one between, are no accident. */
const run = 3;
const key = "newest";

const WrongSignatures = z.object({
  /** When the admins were notified, in milliseconds since the epoch. */
  at: z.number(),
  count: z.number(),
  admins: z.array(z.string()),
  /** The result of a signed call since, or of an admin's new secret. */
  found: z.enum(["holds", "rotated", "replaced"]).nullable(),
});
type WrongSignatures = z.infer<typeof WrongSignatures>;

/** Notifies the admins when deliveries are signed with another secret than the stored one (design section 6). */
export interface SecretMonitor {
  /** To be called for each delivery that has a signature. `other`: it was made with another secret. */
  delivered(signature: "right" | "other"): Promise<void>;
  /** To be called after each call that was signed with the secret, with the platform's error, if any. Never rejects. */
  signed(error?: unknown): Promise<void>;
  /** To be called after an admin set another secret. */
  replaced(): Promise<void>;
}

/** There for an hour after the admins were notified. */
const notifiedMark = defineKind({
  name: "mark of wrong signatures",
  namespace: `${kind}-told`,
  schema: z.literal(true),
  ttlMs: hour,
});
const wrongSignatures = defineKind({
  name: "secret watch",
  namespace: kind,
  schema: WrongSignatures,
  version: 1,
  ttlMs: week,
});

export function createSecretMonitor(
  { store, clock, log }: Foundation,
  {
    setBy,
    access,
    outbox,
  }: {
    /** Slack user id of the admin who set the stored secret; null where none is set. */
    setBy: () => Promise<string | null>;
    access: Pick<Access, "admins">;
    outbox: Outbox;
  },
): SecretMonitor {
  const records = store.keyv(wrongSignatures);
  // In memory alone: a flood of forged deliveries must not write to the disk.
  let inARow = 0;

  outbox.source(kind, {
    async notifications(id) {
      const record = await records.get(id);
      if (!record) return null;
      return directNotifications(record.admins, { message: messageOf(record), since: record.at });
    },
  });

  const queueNotice = (id: string) => store.wakeups.wake(`${notificationTimer}${kind}:${id}`, clock.now());

  async function notifyAdmins(): Promise<void> {
    if (!(await store.transact({ records: [creating(notifiedMark, "hour", true)] }))) return;
    const at = clock.now();
    const user = await setBy();
    const admins = await access.admins(user === null ? [] : [user]);
    const record: WrongSignatures = { at, count: inARow, admins, found: null };
    await records.set(String(at), record);
    await records.set(key, record);
    await queueNotice(String(at));
  }

  async function find(found: NonNullable<WrongSignatures["found"]>): Promise<void> {
    const newest = await records.get(key);
    if (!newest || newest.found === found || newest.found === "replaced") return;
    for (const id of [String(newest.at), key])
      await update(store, wrongSignatures, id, (now) => now && { ...now, found });
    await queueNotice(String(newest.at));
  }

  return {
    async delivered(signature) {
      inARow = signature === "right" ? 0 : inARow + 1;
      if (inARow >= run) await notifyAdmins();
    },
    async signed(error) {
      const wrong = error instanceof PlatformRefused && error.auth === "signature wrong";
      if (error !== undefined && !wrong) return;
      // The call at the platform has run: a failure here must not make its caller fail.
      await find(wrong ? "rotated" : "holds").catch((failure: unknown) =>
        log.warn({ err: failure }, "The admins could not be notified about their signing secret"),
      );
    },
    replaced: () => find("replaced"),
  };
}

function messageOf({ at, count: times, found }: WrongSignatures): Message {
  const words = `${count(times, "delivery", "deliveries")} to the webhook address had a wrong signature and ${times === 1 ? "was" : "were"} refused. The last one came ${moment(at)}.`;
  const text = `${found === null || found === "rotated" ? ":warning:" : ":white_check_mark:"} ${words} ${meanings[found ?? "open"]}`;
  const button = (label: string, command: string) =>
    invocationButton(label, `${invokePrefix}${command}`, { command, input: {} }, { operation: undefined });
  const steps = {
    open: [...button("Check now", "rackbell connect check"), ...button("Connect…", "rackbell connect")],
    rotated: button("Connect…", "rackbell connect"),
    holds: [],
    replaced: [],
  };
  return { text, blocks: [section(text), ...actions(steps[found ?? "open"])] };
}

const meanings = {
  open: "Somebody rotated the secret in the reseller portal, or somebody else sent them. *Check now* shows which, and so does the next change. Nothing is lost: the platform sends refused events again.",
  rotated:
    "Somebody rotated the secret: the platform refuses the one that Rackbell has. Until an admin connects the new one, resold services cannot be changed, and no event arrives. The platform sends refused events again.",
  holds: "The platform accepts Rackbell's secret, so somebody else sent these.",
  replaced: "An admin has connected another secret since. The platform sends refused events again.",
};
