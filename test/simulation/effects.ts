import { newestEntries } from "../../src/audit/audit.ts";
import type { StoredEffect } from "../../src/operation/effects.ts";
import type { Request } from "../../src/requests/request.ts";
import { readRequest } from "../../src/requests/store.ts";
import type { Conditions } from "../../src/sandbox/platform/controls.ts";
import type { PracticePlatform } from "../../src/sandbox/platform/practice-platform.ts";
import type { Store } from "../../src/storage/store.ts";
import type { Deployment } from "./world/deployment.ts";

/** The states that effects name, by aspect: of others, such as those of a build, nothing is claimed. */
const domains: Readonly<Record<string, readonly string[]>> = {
  power: ["running", "stopped", "paused"],
  billing: ["active", "suspended", "terminated", "provisioning_failed"],
  cancellation: ["scheduled", "none"],
  installation: ["in_progress", "completed", "failed"],
  credentials: ["changed"],
  plan: ["changed"],
  project: ["changed"],
  rescue: ["on", "off"],
  payment: ["new", "paid", "cancelled"],
  image: ["available", "error", "gone"],
};
/** Shorter than any state that the practice platform shows on the way to another. */
const sampleMs = 1_000;
/** Aspects whose values are compared, and not named. */
const compared: readonly string[] = ["credentials", "plan", "project"];

/** Commands whose work at the practice platform shows no stop or pause: it happens inside the service, or at a provider. */
const unshown = ["/service run", "/service backup", "/service restore", "/reseller service run"];

/** An act, by its request, with the effects that its operation declares, and the identity of its target's kind. */
export interface Act {
  target: string | null;
  identity: Request["identity"];
  effects: readonly StoredEffect[];
}

/** The present conditions of all resources. */
export function conditionsOf({ conditions, reseller }: PracticePlatform): Conditions {
  const rescues = reseller.rescues();
  return new Map(
    [...conditions()].map(([id, condition]) => [id, { ...condition, rescue: rescues.get(id) ? "on" : "off" }]),
  );
}

/** Notes every state that the platform shows from now on. */
export function watchConditions(deployment: Deployment) {
  const { platform } = deployment.practice;
  const before = conditionsOf(platform);
  const seen = new Map<string, Set<string>>();
  let last: Conditions = new Map();
  let sampledAt = 0;
  /** Ends no run of the world. */
  const sample = () => {
    if (deployment.schedule.time - sampledAt < sampleMs) return false;
    sampledAt = deployment.schedule.time;
    const present = conditionsOf(platform);
    for (const [id, condition] of present) {
      const known = last.get(id);
      for (const aspect in condition) {
        const state = condition[aspect];
        // Most are as they were: hundreds of resources are sampled hundreds of times.
        if (state === undefined || state === null || state === known?.[aspect]) continue;
        const key = `${id} ${aspect}`;
        seen.set(key, (seen.get(key) ?? new Set()).add(state));
      }
    }
    last = present;
    return false;
  };
  return { before, seen, sample };
}

/** The requests that were made since, as the app has stored them. */
export async function actsSince(store: Store, since: number): Promise<Act[]> {
  const entries = await newestEntries({ store }, { limit: 100, begun: true });
  const ids = [...new Set(entries.flatMap(({ entry }) => entry.request ?? []))];
  const requests = await Promise.all(ids.map((id) => readRequest({ store }, id)));
  return requests.flatMap((request) =>
    request && request.createdAt >= since
      ? [{ target: request.target?.id ?? null, identity: request.identity, effects: request.effects }]
      : [],
  );
}

/** The differences between the states that the effects of the acts name, and those that the platform shows. */
export function checkEffects(
  command: string,
  { before, seen }: Pick<ReturnType<typeof watchConditions>, "before" | "seen">,
  after: Conditions,
  { acts, elsewhere }: { acts: readonly Act[]; elsewhere: string | undefined },
): string[] {
  const found: string[] = [];
  const used = new Set<StoredEffect>();
  const effectsOn = (on: StoredEffect["on"], aspect: string, id: string | null) =>
    acts.flatMap(({ target, effects }) =>
      effects.filter((effect) => effect.on === on && effect.aspect === aspect && (on !== "target" || target === id)),
    );
  for (const id of new Set([...before.keys(), ...after.keys()]))
    for (const aspect of Object.keys(domains)) {
      const isNew = !before.has(id);
      const was = before.get(id)?.[aspect] ?? null;
      const now = after.has(id)
        ? (after.get(id)?.[aspect] ?? null)
        : aspect === "image" && was !== null
          ? "gone"
          : null;
      const covering = isNew
        ? effectsOn("made", aspect, id)
        : [...effectsOn("target", aspect, id), ...(aspect === "payment" ? effectsOn("documents", aspect, id) : [])];
      const is = compared.includes(aspect) ? (now === was ? null : "changed") : now;
      const shown = compared.includes(aspect) ? [] : [...(seen.get(`${id} ${aspect}`) ?? [])];
      const states = [...new Set([...shown, is])].flatMap((state) => (state === null || state === was ? [] : [state]));
      const isMachineOfMade = isNew && aspect !== "billing" && aspect !== "payment" && aspect !== "image";
      for (const state of states) {
        // `/project move` changes resources that its input names: they are not its target.
        if (aspect === "project" && command.startsWith("/project ")) continue;
        if (!domains[aspect]?.includes(state) || isMachineOfMade || `${aspect} ${state}` === elsewhere) continue;
        const named = covering.filter(({ to, through, failing }) => [...to, ...through, ...failing].includes(state));
        for (const effect of named) used.add(effect);
        if (named.length === 0) found.push(`${aspect} of ${id} came to be ${state}, and no effect names it`);
      }
      for (const effect of isNew ? [] : covering) {
        const { to, through, later, on } = effect;
        if (on !== "target") continue;
        if (!later && to.length > 0 && !to.includes(is ?? "")) found.push(`${aspect} of ${id} is ${is}, and not ${to}`);
        if (!later && to.length === 0 && !compared.includes(aspect) && now !== was)
          found.push(`${aspect} of ${id} is ${now}, and was ${was}`);
        const passed = through.filter((state) => !shown.includes(state) && state !== was);
        if (passed.length > 0 && !unshown.some((words) => command.startsWith(words)) && was !== null)
          found.push(`${aspect} of ${id} never showed ${passed.join(" or ")}, which an effect names`);
        used.add(effect);
      }
    }
  const unseen = acts.flatMap(({ target, effects }) =>
    effects.filter(
      (effect) => !used.has(effect) && effect.aspect in domains && (effect.on !== "target" || before.has(target ?? "")),
    ),
  );
  return [...found, ...unseen.map(({ aspect, on, to }) => `nothing shows the effect on the ${aspect} of ${on}: ${to}`)];
}
