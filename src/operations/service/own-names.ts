import type { CallContext } from "../../operation/call-context.ts";
import { listServices } from "../../platform/customer/services.ts";
import { largestPage, readAllPages } from "../../platform/http/pages.ts";
import { characters, type PlainText } from "../../process/plain-text.ts";
import { mentions } from "../kits/mentions.ts";
import { isEndState } from "../kits/service-states.ts";

type Account = Pick<CallContext<"customer">, "client" | "confinedTo">;
type Names = readonly (PlainText | null | undefined)[];

/** `fresh`: all that is searched is newer than the act that it may come from. */
interface NameSearch {
  fresh: boolean;
}

/**
 * The names that belong to no service but these `ids`: the spec promises no unique name or host name, and documents are of the whole account.
 * None for a key of one project, which does not see the other services. An ended service, whose name its successor often takes, gets no new
 * document, though an old one of it may still be open.
 */
export async function ownNames(
  { client, confinedTo }: Account,
  ids: readonly string[],
  names: Names,
  { fresh }: NameSearch,
) {
  const telling = names.filter(isTelling);
  if (telling.length === 0 || confinedTo !== null) return [];
  const account = client.in(null);
  // Services that cannot be read may have the name.
  const pages = await readAllPages(account, (page) => listServices(account, { page, limit: largestPage })).catch(
    () => null,
  );
  if (pages === null) return [];
  const others = pages.flat().filter(({ id, status }) => !ids.includes(id) && !(fresh && isEndState(status)));
  return telling.filter((word) =>
    others.every(({ name, hostname }) => !mentions([name ?? null, hostname ?? null], [word])),
  );
}

/** The documents or orders that surely name a service: by its id, or by a name that no other service has. */
export async function naming<T>(
  account: Account,
  { id, name, hostname }: { id: string; name?: PlainText | null | undefined; hostname?: PlainText | null | undefined },
  found: readonly T[],
  search: NameSearch,
): Promise<T[]> {
  const byId = found.filter((one) => mentions(one, [id]));
  if (byId.length > 0 || !found.some((one) => mentions(one, [name, hostname]))) return byId;
  const own = await ownNames(account, [id], [name, hostname], search);
  return found.filter((one) => mentions(one, own));
}

/** False for a name that is a plain word ("mail"), which may appear in any document. */
function isTelling(name: PlainText | null | undefined): name is PlainText {
  return /[\d._-]/.test(characters(name ?? ""));
}
