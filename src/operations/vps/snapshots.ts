import * as z from "zod";
import { rowButton } from "../../notifications/answers/buttons.ts";
import type { Progress } from "../../operation/answer.ts";
import type { Choice } from "../../operation/call-context.ts";
import { defineOperation } from "../../operation/define.ts";
import { InputError } from "../../operation/errors.ts";
import type { Chooser } from "../../operation/input.ts";
import type { PollCall } from "../../operation/operation.ts";
import { listSnapshots, type Snapshot } from "../../platform/customer/snapshots.ts";
import { readVps, type Vps } from "../../platform/customer/vps.ts";
import { type Block, context, section } from "../../views/blocks.ts";
import { bytes, moment } from "../../views/format.ts";
import { code, prose, sentence } from "../../views/text.ts";
import { requireUsable, vps } from "./vps.ts";

/** Snapshots move every few seconds (spec section 6). */
export const snapshotPace = { every: 3_000, deadline: 2 * 60 * 60_000 };

/** The snapshot of a job. The name is stored for messages after the snapshot is gone. */
export const snapshotHandle = z.object({ id: z.string(), name: z.string() });

/** The snapshots of a machine, as choices. */
const snapshotChoices: Chooser<"customer", Vps> = async ({ client, target }): Promise<Choice[]> => {
  const { snapshots } = await listSnapshots(client, target.id);
  return snapshots.map(({ id, name, created_at, restorable, status }) => ({
    value: id,
    label: name,
    at: created_at,
    ...(restorable ? {} : { description: `${status}, cannot be restored now` }),
  }));
};

/** Common to acts that destroy data with a snapshot. */
export const destroysBySnapshot = {
  risk: "destroy",
  target: vps,
  input: z.object({ snapshot: z.string().meta({ title: "Snapshot" }) }),
  choices: { snapshot: snapshotChoices },
  usable: ({ target }: { target: Vps }) => requireUsable(target, "snapshots"),
} as const;

/** The snapshot with that id; undefined if it is gone. */
export async function findSnapshot(
  client: PollCall<"customer">["client"],
  vpsId: string,
  id: string,
): Promise<Snapshot | undefined> {
  return (await listSnapshots(client, vpsId)).snapshots.find((snapshot) => snapshot.id === id);
}

/** The snapshot with that id; throws an InputError if it is gone. */
export async function presentSnapshot(
  client: PollCall<"customer">["client"],
  vpsId: string,
  id: string,
): Promise<Snapshot> {
  const found = await findSnapshot(client, vpsId, id);
  if (!found) throw new InputError([{ field: "snapshot", message: "That snapshot is gone." }]);
  return found;
}

/** The progress of a snapshot's job, while its row exists. */
export function snapshotProgress(snapshot: Snapshot, doing: string, done: Progress): Progress {
  if (snapshot.status === "error")
    return {
      state: "failed",
      text: `The snapshot ${code(snapshot.name)} failed: ${failureOf(snapshot)}`,
    };
  return snapshot.in_progress ? { state: "working", text: doing } : done;
}

/** The platform's reason as a sentence. The description is the member's own text, and no reason. */
function failureOf({ error }: Snapshot): string {
  return error ? sentence(prose(error)) : "the platform gave no reason.";
}

export const snapshots = defineOperation({
  command: "vps snapshots",
  summary: "List a VPS's snapshots and what restoring each would destroy",
  act: listSnapshots,
  reads: [readVps],
  risk: "read",
  target: vps,
  input: z.object({}),
  async run({ client, target, may }) {
    const { snapshots: found, used, max } = await listSnapshots(client, target.id);
    const name = code(target.name);
    if (max === 0) return { text: `The plan of ${name} has no snapshots.` };
    const headline = `${name} has ${used} of ${max} snapshots.`;
    const operable = may("vps revert");
    const next = used < max ? [{ label: "New snapshot…", command: "vps snapshot", target: target.id }] : [];
    return {
      text: headline,
      blocks: [section(`*${headline}*`), ...found.flatMap((snapshot) => row(snapshot, target.id, operable))],
      next,
    };
  },
});

function row(snapshot: Snapshot, target: string, may: boolean): Block[] {
  const {
    id,
    name,
    status,
    size_bytes: size,
    created_at: created,
    destroys_on_restore: destroys,
    restorable,
    description,
    completed_at: completed,
  } = snapshot;
  const facts = [
    status,
    `taken ${moment(created)}`,
    completed ? `complete ${moment(completed)}` : null,
    size ? bytes(size) : null,
    snapshot.crash_consistent === true ? "crash-consistent" : null,
  ].filter((fact) => fact !== null);
  const loss =
    destroys.length > 0 ? `Reverting to it destroys ${destroys.map((newer) => code(newer, 40)).join(", ")}.` : "";
  const revert = { command: "vps revert", target, input: { snapshot: id } };
  const accessory = may && restorable ? rowButton("Revert…", revert, id) : undefined;
  const about = description ? `\n${prose(description, 300)}` : "";
  const failed = status === "error" ? `It failed: ${failureOf(snapshot)}` : "";
  const notes = [failed, loss].filter((note) => note !== "");
  return [
    section(`${code(name)} · ${facts.join(" · ")}${about}`, accessory),
    ...(notes.length > 0 ? [context(...notes)] : []),
  ];
}
