import type { CallContext } from "../../operation/call-context.ts";
import { indexedKindOf } from "../../operation/target.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import type { PlainText } from "../../process/plain-text.ts";
import { project } from "../project/project.ts";

/** The project that an order goes into, as its body names it: the chosen one, else the member's own; null leaves it to the platform. */
export function orderProject({ actor }: Pick<CallContext<"customer">, "actor">, named: string | null | undefined) {
  return named ?? actor.project?.id ?? null;
}

/**
 * The project whose own images and SSH keys the order may use, and a client that lists them. The spec leaves open if an order may use
 * those of another project. `name`: null if the key is confined to one project, which is the only one that it lists.
 */
export async function orderSources(
  call: CallContext<"customer">,
  named: string | null | undefined,
): Promise<{ client: CustomerClient; name: PlainText | null }> {
  const id = orderProject(call, named);
  const { entries } = await call.listing(indexedKindOf(project));
  const found = entries.find((one) =>
    id === null ? one.state === "default" : one.id === id || one.aliases.includes(id),
  );
  return { client: call.client.in(id ?? found?.id ?? null), name: found?.name ?? null };
}
