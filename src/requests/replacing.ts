import { Refusal } from "../operation/errors.ts";
import { type CartRow, otherRows, type Replacing, rowIn } from "../operation/leading.ts";
import type { Operation } from "../operation/operation.ts";
import type { RequestsApp } from "./app.ts";
import { isOpen, type MemberRef, type Request, takesMore, wasNotDone } from "./request.ts";
import { inputAgain, openedInput } from "./sealed.ts";
import { states } from "./states.ts";
import { readRequest } from "./store.ts";

/** True if another request may take its place: it waits for its decision, or ended, and cannot have had any effect. */
function isReplaceable(request: Request, { adds }: Replacing): boolean {
  const { state, part, bulk, unsettled } = request;
  if (adds) return takesMore(request);
  if (part !== null || bulk !== null || unsettled !== null) return false;
  return state === "pending" || wasNotDone(request) || states[state].again;
}

/** The request that another one takes the place of. Throws a Refusal if that is not possible any more. */
export async function requireReplaceable(
  app: RequestsApp,
  replaces: Replacing,
  { member }: Pick<MemberRef, "member">,
): Promise<Request> {
  const request = await readRequest(app, replaces.request);
  if (request?.requester.member === member && isReplaceable(request, replaces) && !hasExpired(app, request))
    return request;
  const why = replaces.adds
    ? "That order is closed: it was sent, tried or ended, so nothing can be added to it."
    : "That request cannot be corrected any more: it was sent, or ended in another way.";
  throw new Refusal(`${why} Nothing new was requested. Type the command for a new one.`);
}

/** The request that a narrower one takes the place of. Throws a Refusal if it waits no longer. */
export async function requireNarrowable(app: RequestsApp, id: string): Promise<Request> {
  const request = await readRequest(app, id);
  if (request?.state === "pending" && !hasExpired(app, request)) return request;
  throw new Refusal("That request waits no longer, so it cannot be narrowed. Nothing new was requested.");
}

function hasExpired({ clock }: RequestsApp, request: Request): boolean {
  return isOpen(request) && request.expiresAt <= clock.now();
}

/** The things of the request that stay beside the one that the new form shows. None if the operation takes one alone. */
export async function rowsBefore(
  app: RequestsApp,
  { cart }: Pick<Operation, "cart">,
  replaces: Replacing,
  who: Pick<MemberRef, "member">,
): Promise<CartRow[]> {
  if (!cart) return [];
  const request = await requireReplaceable(app, replaces, who);
  const input = request.input.sealed === null ? inputAgain(app, request) : openedInput(app, request);
  return [...otherRows(cart, input), ...(replaces.adds ? [rowIn(cart, input)] : [])];
}

/** The input with the things of the earlier request that stay. */
export async function withRowsBefore(
  app: RequestsApp,
  operation: Operation,
  { input, replaces }: { input: Record<string, unknown>; replaces?: Replacing | undefined },
  who: Pick<MemberRef, "member">,
): Promise<Record<string, unknown>> {
  const { cart } = operation;
  if (!cart || !replaces) return input;
  const rows = await rowsBefore(app, operation, replaces, who);
  const stay = rows.filter((_, at) => replaces.stay?.includes(at) ?? true);
  return { ...input, [cart.rows]: stay.length > 0 ? stay : undefined };
}
