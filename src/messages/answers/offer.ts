import { mayBeOffered } from "../../members/access/access.ts";
import type { Links } from "../../members/identities/link.ts";
import type { Step } from "../../operation/answer.ts";
import { asksAdmin, formAsksAdmin } from "../../operation/app-operation.ts";
import type { Operation } from "../../operation/operation.ts";
import type { Registry } from "../../operation/registry.ts";

/** The operation of a command if the member's keys allow it. It decides which buttons a member gets; `registry.find` offers all. */
export type Offer = (command: string) => Operation | null | undefined;

/** The steps of an answer without those of admins, for anybody else. Slack is asked only about an answer that has such a step. */
export async function stepsInRole(steps: Step[], registry: Registry, isAdmin: () => Promise<boolean>): Promise<Step[]> {
  const isForAdmins = ({ command, input = {}, form }: Step) => {
    const operation = registry.find(command);
    return operation?.api === "app" && (form ? formAsksAdmin : asksAdmin)(operation, input);
  };
  return steps.some(isForAdmins) && !(await isAdmin()) ? steps.filter((step) => !isForAdmins(step)) : steps;
}

export function offerTo(links: Links, registry: Registry): Offer {
  return (command) => {
    const operation = registry.find(command);
    return operation && mayBeOffered(links, operation) ? operation : null;
  };
}
