import type { Clock } from "../../../../process/clock.ts";
import { Refusal } from "../../http/refusal.ts";
import type { ApiResponse } from "../../http/response.ts";
import type { Shapes } from "../../world/shapes.ts";
import type { User } from "../../world/users.ts";

const minute = 60_000;

/** Spec section 8. */
const rules = {
  power: { times: 10, window: minute },
  dedicatedPower: { times: "open", window: minute },
  reinstall: { times: 1, window: 5 * minute },
  password: { times: 1, window: 10 * minute },
  renew: { times: 1, window: 10 * minute },
  cancel: { times: 5, window: minute },
  orders: { times: 30, window: 15 * minute },
  pay: { times: 10, window: minute },
} as const;

type CooldownName = keyof typeof rules;

export interface Cooldowns {
  /** Throws 429 while the window is full. */
  check(name: CooldownName, user: string, id: string): void;
  count(name: CooldownName, user: string, id: string): void;
}

/** `pace` shortens the windows, so that a visitor of the demo is not stuck; the seconds in a refusal are always true. */
export function createCooldowns(clock: Clock, pace: number, shapes: Shapes): Cooldowns {
  const accepted = new Map<string, number[]>();

  function limitOf(name: CooldownName): number {
    const { times } = rules[name];
    return times === "open" ? shapes.dedicatedPower : times;
  }

  function recent(name: CooldownName, key: string): number[] {
    const since = clock.now() - rules[name].window / pace;
    const times = (accepted.get(key) ?? []).filter((time) => time > since);
    accepted.set(key, times);
    return times;
  }

  return {
    check(name, user, id) {
      // The one whose going makes room.
      const oldest = recent(name, `${name} ${user} ${id}`).at(-limitOf(name));
      if (oldest === undefined) return;
      const seconds = Math.max(1, Math.ceil((oldest + rules[name].window / pace - clock.now()) / 1000));
      throw new Refusal(429, "ACTION_RATE_LIMITED", `Too many of these in a short time. Try again in ${seconds} s.`, {
        retry_after_seconds: seconds,
      });
    },
    count(name, user, id) {
      const key = `${name} ${user} ${id}`;
      recent(name, key).push(clock.now());
    },
  };
}

/** Runs `act` under a cool-down: by user and id, and only what was accepted counts. */
export function cooled(
  call: { cooldowns: Cooldowns; user: User },
  name: CooldownName,
  id: string,
  act: () => ApiResponse,
): ApiResponse {
  const { cooldowns } = call;
  cooldowns.check(name, call.user.id, id);
  const answer = act();
  if (answer.status < 300) cooldowns.count(name, call.user.id, id);
  return answer;
}
