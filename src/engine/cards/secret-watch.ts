import * as z from "zod";
import { PlatformRefused } from "../../platform/http/errors.ts";
import { createRecords } from "../../storage/records.ts";
import { actions, type Message, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { count } from "../../views/text.ts";
import type { Access } from "../access.ts";
import { invocationButton, invokePrefix } from "../answers/buttons.ts";
import type { Foundation } from "../foundation.ts";
import { directTellings } from "../telling/direct.ts";
import { type Outbox, tellWake } from "../telling/outbox.ts";

const kind = "secret-watch";
const hour = 60 * 60_000;
const week = 7 * 24 * hour;
/** So many in a row, with none between that was signed rightly, are no accident. */
const run = 3;
const key = "newest";

const Watched = z.object({
  /** When the admins were told. */
  at: z.number(),
  count: z.number(),
  admins: z.array(z.string()),
  /** What a signed call, or the admin who looked, has proven since. */
  found: z.enum(["holds", "rotated", "replaced"]).nullable(),
});
type Watched = z.infer<typeof Watched>;

/** Notices that the supplier's deliveries are signed with another secret than the one that is kept here (design section 6). */
export interface SecretWatch {
  /** A delivery came: signed rightly, or as a delivery is and with another secret. */
  delivered(signature: "right" | "other"): Promise<void>;
  /** What the platform made of a call that was signed with the secret: an error, or none. */
  signed(error?: unknown): Promise<void>;
  /** An admin has set another secret. */
  replaced(): Promise<void>;
}

export function createSecretWatch(
  { store, clock, log }: Foundation,
  {
    setBy,
    access,
    outbox,
  }: {
    /** Who set the secret that is kept; null where none is. */
    setBy: () => Promise<string | null>;
    access: Pick<Access, "admins">;
    outbox: Outbox;
  },
): SecretWatch {
  const records = createRecords(store.values(kind), { name: "secret watch", schema: Watched, version: 1, log });
  const told = store.values(`${kind}-told`);
  // Of this process alone: a flood of forgeries writes nothing to the disk.
  let inARow = 0;

  outbox.source(kind, {
    async tellings(id) {
      const watched = await records.get(id);
      if (!watched) return null;
      return directTellings(watched.admins, { message: messageOf(watched), since: watched.at });
    },
  });

  const tell = (id: string) => store.wakeups.wake(`${tellWake}${kind}:${id}`, clock.now());

  async function tellAdmins(): Promise<void> {
    if (!(await told.claim("hour", true, hour))) return;
    const at = clock.now();
    const user = await setBy();
    const admins = await access.admins(user === null ? [] : [user]);
    const watched: Watched = { at, count: inARow, admins, found: null };
    await records.set(String(at), watched, week);
    await records.set(key, watched, week);
    await tell(String(at));
  }

  async function find(found: NonNullable<Watched["found"]>): Promise<void> {
    const newest = await records.get(key);
    if (!newest || newest.found === found || newest.found === "replaced") return;
    for (const id of [String(newest.at), key]) await records.update(id, (now) => now && { ...now, found }, week);
    await tell(String(newest.at));
  }

  return {
    async delivered(signature) {
      inARow = signature === "right" ? 0 : inARow + 1;
      if (inARow >= run) await tellAdmins();
    },
    async signed(error) {
      const wrong = error instanceof PlatformRefused && error.auth === "signature wrong";
      if (error !== undefined && !wrong) return;
      // What was done at the platform is recorded, whatever becomes of this.
      await find(wrong ? "rotated" : "holds").catch((failure: unknown) =>
        log.warn({ err: failure }, "The admins could not be told what became of their signing secret"),
      );
    },
    replaced: () => find("replaced"),
  };
}

function messageOf({ at, count: times, found }: Watched): Message {
  const words = `${count(times, "delivery", "deliveries")} to the supplier's address, the last one ${moment(at)}, ${times === 1 ? "was" : "were"} signed with another secret than the one that is kept here, and refused.`;
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
  open: "The secret may have been rotated in the supplier's portal, or somebody else sent them. The next change that a member makes shows which, and so does *Check now*. Nothing is lost meanwhile: the supplier sends again what was refused.",
  rotated:
    "The secret was rotated: the platform no longer takes the one that is kept here. Until an admin connects the new one, no change of what is sold on works, and no event arrives. The supplier sends again what was refused.",
  holds: "The platform takes the secret that is kept here, so these were not the supplier's.",
  replaced: "An admin has connected another secret since. The supplier sends again what was refused.",
};
