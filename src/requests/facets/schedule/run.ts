import { duration } from "../../../views/format.ts";
import type { RequestsApp } from "../../app.ts";
import { startWhenPossible } from "../../start.ts";
import { step } from "../../step.ts";
import { readRequest, scheduleTimer } from "../../store.ts";
import { latestStart } from "./record.ts";

/**
 * Runs a scheduled request when its time comes, or voids it if something changed since its decision. Resolves to the time of the next try.
 */
export async function runScheduled(app: RequestsApp, timerId: string): Promise<number | undefined> {
  const request = await readRequest(app, timerId.slice(scheduleTimer.length));
  if (request?.state !== "scheduled" || !request.schedule) return undefined;
  const due = request.schedule.at;
  const late = app.clock.now() - due;
  // The request was rescheduled, or the clock was set back.
  if (late < 0) return due;
  const end = async (why: string): Promise<void> => {
    const outcome = `Its time came, but it did not start. ${why} Nothing was done. Schedule it again if you still need it.`;
    await step(app, request, "void", { outcome });
  };
  if (late <= latestStart) return startWhenPossible(app, request, { due, end });
  await end(
    `Rackbell was ${duration(late)} late, because it was not running or its clock was wrong. No request starts more than ${duration(latestStart)} late.`,
  );
  return undefined;
}
