import type { Clock } from "../../../process/clock.ts";
import { setBounded } from "../wire/bounded.ts";
import { newSecret } from "../wire/ids.ts";

const lifetime = 3_000;

interface Trigger {
  user: string;
  /** The modal from which it came. */
  view: string | undefined;
  window: string | undefined;
  expires: number;
  used: boolean;
}

export interface Triggers {
  issue(user: string, view?: string): string;
  /** The same for one of a person's windows: what opens by such a trigger opens there. */
  from(window: string | undefined): Triggers;
  /** Uses a trigger up; what is wrong with it, in Slack's word, if it cannot be used. */
  exchange(id: string): Exchanged | { error: string };
}

export type Exchanged = Pick<Trigger, "user" | "view" | "window">;

/** Triggers live 3 seconds by the clock and open one modal each. */
export function createTriggers(clock: Clock): Triggers {
  const issued = new Map<string, Trigger>();

  function exchange(id: string): Exchanged | { error: string } {
    const trigger = issued.get(id);
    if (!trigger) return { error: "invalid_trigger_id" };
    if (trigger.used) return { error: "exchanged_trigger_id" };
    if (clock.now() > trigger.expires) return { error: "expired_trigger_id" };
    trigger.used = true;
    const { user, view, window } = trigger;
    return { user, view, window };
  }

  function from(window: string | undefined): Triggers {
    return {
      issue(user, view) {
        const id = `${issued.size + 1}.${newSecret(5)}.${newSecret(16)}`;
        setBounded(issued, id, { user, view, window, expires: clock.now() + lifetime, used: false });
        return id;
      },
      from,
      exchange,
    };
  }

  return from(undefined);
}
