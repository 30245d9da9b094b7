import type { WakeupRun } from "../../storage/store.ts";
import type { Hearing } from "../requests/hearing.ts";
import { expectWake } from "../requests/store.ts";
import type { EventLog } from "./event-log.ts";

/** Says that an event which must come of a request has not come in its time; where the supplier never told anything here, none is missed. */
export function createOverdue({ hearing, events }: { hearing: Hearing; events: Pick<EventLog, "newest"> }): WakeupRun {
  return async (wakeId) => {
    const id = wakeId.slice(expectWake.length);
    const request = await hearing.unheard(id);
    const known = request?.expects?.awaited || (await events.newest({ source: "told", limit: 1 })).length > 0;
    if (request && known) await hearing.overdue(id);
    return hearing.close(id);
  };
}
