import type { Clock } from "../../../clock.ts";
import { setBounded } from "../wire/bounded.ts";
import { newSecret } from "../wire/ids.ts";

const lifetime = 3_000;

interface Trigger {
  user: string;
  /** The modal from which it came. */
  view: string | undefined;
  expires: number;
  used: boolean;
}

export interface Triggers {
  issue(user: string, view?: string): string;
  /** Uses a trigger up; what is wrong with it, in Slack's word, if it cannot be used. */
  exchange(id: string): { user: string; view: string | undefined } | { error: string };
}

/** Triggers live 3 seconds by the clock and open one modal each. */
export function createTriggers(clock: Clock): Triggers {
  const issued = new Map<string, Trigger>();
  return {
    issue(user, view) {
      const id = `${issued.size + 1}.${newSecret(5)}.${newSecret(16)}`;
      setBounded(issued, id, { user, view, expires: clock.now() + lifetime, used: false });
      return id;
    },
    exchange(id) {
      const trigger = issued.get(id);
      if (!trigger) return { error: "invalid_trigger_id" };
      if (trigger.used) return { error: "exchanged_trigger_id" };
      if (clock.now() > trigger.expires) return { error: "expired_trigger_id" };
      trigger.used = true;
      return { user: trigger.user, view: trigger.view };
    },
  };
}
