import { ruleWords } from "../policy/words.ts";
import type { Request } from "./request.ts";
import { aboutOf, lackingNow, levelOf, type Rules } from "./rules.ts";
import type { RequestStore } from "./store.ts";

const pageSize = 200;

/** Holds what is asked or planned to rules that became stricter. */
export async function tightenAll(requests: RequestStore, rules: Rules): Promise<void> {
  await tightenPending(requests, rules);
  await tightenPlanned(requests, rules);
}

/** Holds what waits already to rules that became stricter: it needs more people, or is void. What loosens changes nothing of what waits. */
async function tightenPending(requests: RequestStore, rules: Rules): Promise<void> {
  let after: string | undefined;
  do {
    const page = await requests.open({ limit: pageSize, after });
    for (const request of page.requests) if (request.state === "pending") await tighten(requests, rules, request);
    after = page.next;
  } while (after !== undefined);
}

/** What is decided and waits for its time was decided by the rules of then: what they would not allow now, or want more people for, is void. */
async function tightenPlanned(requests: RequestStore, rules: Rules): Promise<void> {
  let after: string | undefined;
  do {
    const page = await requests.planned({ limit: pageSize, after });
    for (const request of page.requests) await tightenDecided(requests, rules, request);
    after = page.next;
  } while (after !== undefined);
}

async function tightenDecided(requests: RequestStore, rules: Rules, request: Request): Promise<void> {
  const { demand, rule } = await rules.verdict(aboutOf(request));
  const words = rule ? ` The rule: ${ruleWords(rule)}` : "";
  if (demand === "never") return end(requests, request, `A rule of this workspace no longer allows it.${words}`);
  const lacking = lackingNow(demand, request);
  if (lacking) await end(requests, request, `${lacking} Ask again if it is still wanted.${words}`);
}

async function tighten(requests: RequestStore, rules: Rules, request: Request): Promise<void> {
  const { demand, rule } = await rules.verdict(aboutOf(request));
  const { needed, mode } = levelOf(demand);
  const words = rule ? ` The rule: ${ruleWords(rule)}` : "";
  if (demand === "never") return end(requests, request, `A rule of this workspace no longer allows it.${words}`);
  if (needed <= request.needed) return;
  // What its asker alone was shown has no place where others could decide it.
  if (request.mode !== mode)
    return end(requests, request, `Others must approve it now; ask again if it is still wanted.${words}`);
  await requests.advance(request, { needed, rule: rule && ruleWords(rule) });
}

async function end(requests: RequestStore, request: Request, why: string): Promise<void> {
  const outcome = `The rules of this workspace changed, and nothing was done. ${why}`;
  await requests.advance(request, { state: "void", outcome, sealed: null }, { note: { what: "void" } });
}
