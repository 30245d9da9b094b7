import type { People } from "../../chat/people.ts";
import type { Identities } from "../../identities/identities.ts";
import { areTwoPeople, type Links, slackUserOf } from "../../identities/link.ts";
import type { Operation, PlatformOperation } from "../../operation/operation.ts";
import { code } from "../../views/text.ts";
import { may } from "../access.ts";
import type { SettingsStore } from "../records/settings.ts";

/** Who is called to decide a request: mentions, and what is to be said where too few could. */
export interface Called {
  mention: string | null;
  notice: string | null;
}

/** Finds who could decide or do something, as far as that is known without asking the platform: each press is checked live. */
export interface Approvers {
  /** Those who are called to approve what a member asks; `needed` is how many of them it takes. */
  toApprove(asker: Links, operation: PlatformOperation, needed: number, originator?: string): Promise<Called>;
  /** Those who are called to do what a member cannot: mentions, or null where nobody could. */
  toDo(asker: string, operation: Operation): Promise<string | null>;
}

/** More mentions than this are noise. */
const mostCalled = 5;

export function createApprovers(deps: { identities: Identities; people: People; settings: SettingsStore }): Approvers {
  const { identities, people, settings } = deps;

  async function isHere({ slackUser }: { slackUser: string }): Promise<boolean> {
    // Whom Slack does not tell about is called all the same: the press is what counts.
    const person = await people.person(slackUser).catch(() => null);
    return person === null || (!person.deleted && person.outsider === null);
  }

  /** As many of them as are called and are needed, in an order that stays. */
  async function here(candidates: Links[]): Promise<string[]> {
    const found: string[] = [];
    const users = candidates.map(slackUserOf).filter((user) => user !== null);
    for (const slackUser of users.toSorted()) {
      if (found.length === mostCalled) break;
      if (await isHere({ slackUser })) found.push(slackUser);
    }
    return found;
  }

  async function groupMention(): Promise<string | null> {
    const { approverGroup } = await settings.read();
    return approverGroup && `<!subteam^${approverGroup}>`;
  }

  return {
    async toApprove(asker, operation, needed, originator) {
      const able = await here(
        (await identities.all()).filter(
          (other) =>
            areTwoPeople(asker, other) &&
            slackUserOf(other) !== originator &&
            isOfAccount(asker, other) &&
            may(other, operation),
        ),
      );
      const notice = able.length < needed ? tooFew(operation, needed, able.length) : null;
      return { mention: (await groupMention()) ?? mentions(able), notice };
    },
    async toDo(asker, operation) {
      const able = await here(
        (await identities.all()).filter((other) => slackUserOf(other) !== asker && may(other, operation)),
      );
      return able.length === 0 ? null : ((await groupMention()) ?? mentions(able));
    },
  };
}

/** Whose keys are of two accounts see two estates; where one of them is not told, the press finds out. */
function isOfAccount(asker: Links, other: Links): boolean {
  const [own, theirs] = [asker.customer?.account?.id, other.customer?.account?.id];
  return own === undefined || theirs === undefined || own === theirs;
}

function mentions(users: string[]): string | null {
  return users.length === 0 ? null : users.map((user) => `<@${user}>`).join(" ");
}

function tooFew(operation: PlatformOperation, needed: number, able: number): string {
  const keys = operation.api === "reseller" ? "a customer key and a reseller key of their own" : "a key of their own";
  const scope = `the scope ${code(operation.scope)}`;
  if (needed === 1)
    return `Nobody else who is linked could approve this: a member with ${keys} and ${scope} is needed.`;
  return `Two others must approve this, and of those who are linked ${able === 0 ? "nobody" : "only one"} could: members with ${keys} and ${scope} are needed.`;
}
