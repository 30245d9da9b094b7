import type { Operation } from "../../src/operation/operation.ts";
import type { AppContext } from "../../src/operations/app-context.ts";
import type { Conditions } from "../../src/sandbox/platform/controls.ts";
import { routes as customer, matchRoute as matchCustomer } from "../../src/sandbox/platform/customer/routes.ts";
import type { LoggedCall } from "../../src/sandbox/platform/http/call-log.ts";
import type { PracticePlatform } from "../../src/sandbox/platform/practice-platform.ts";
import { matchRoute as matchReseller, routes as reseller } from "../../src/sandbox/platform/reseller/routes.ts";
import type { Act } from "./effects.ts";

/** The routes of the practice platform that no example calls, each with the reason. */
const uncalled: Readonly<Record<string, string>> = {
  "customer POST /vps/{id}/shutdown": "a second name of stop",
  "customer POST /vps/{id}/restart": "a second name of reboot",
  "customer POST /dedicated/{id}/power/{action}": "a second name of the other route for power",
  "customer POST /proformas/{id}/pay": "the documents of the practice estate are invoices",
  "reseller PATCH /services/{id}/game/backups": "the example names its row in the path",
  "reseller PATCH /services/{id}/game/schedules": "the example names its row in the path",
  "reseller DELETE /services/{id}/game/schedules": "the example names its row in the path",
};

/** The things on the practice platform that an act can add or take away. */
export interface Possessions {
  ids: ReadonlySet<string>;
  charges: ReadonlySet<string>;
}

export function possessionsOf(platform: PracticePlatform): Possessions {
  const orders = platform.reseller.orders().map(({ id, paymentStatus }) => `${id} ${paymentStatus}`);
  return {
    ids: new Set([...platform.ids(), ...platform.reseller.ids()]),
    charges: new Set([...platform.charges(), ...orders]),
  };
}

/** The route of a call that the platform accepted, with its API; none of a call that it refused. */
export function acceptedRoute({ method, path, status }: LoggedCall): string[] {
  if (status === null || status >= 300) return [];
  const isOfReseller = path.startsWith("/reseller/");
  const found = isOfReseller ? matchReseller(method, path.slice("/reseller".length)) : matchCustomer(method, path);
  return found ? [`${isOfReseller ? "reseller" : "customer"} ${method} ${found.route.path}`] : [];
}

/** The differences between an operation and what its example did, as sentences. */
export function checkFacts(
  operation: Operation<AppContext>,
  { accepted, before, after }: { accepted: readonly string[]; before: Possessions; after: Possessions },
): string[] {
  const { command, api, routes } = operation;
  const own = accepted.filter((route) => api === "app" || route.startsWith(`${api} `));
  const called = own.map((route) => route.slice(route.indexOf(" ") + 1));
  const writes = called.filter((route) => !route.startsWith("GET "));
  const named = operation.api === "app" ? [] : [operation.act, ...(operation.writes ?? [])];
  // A form of a route that the spec leaves open is an endpoint, and none of the routes.
  const undeclared = writes.filter((route) => ![...routes, ...named.map((one) => one.route)].includes(route));
  const found = undeclared.map(
    (route) => `it called ${route}, which it does not declare: name it as \`act\` or in \`writes\``,
  );
  if (operation.api === "app") return found;
  const { act } = operation;
  const acts = named.flatMap(({ route, serves }) => [route, ...serves]);
  if (!called.some((route) => acts.includes(route)))
    found.push(`the platform did not accept ${act.route}: correct the example, or prepare it in test/examples.ts`);
  const done = named.filter(({ route }) => called.includes(route));
  const charged = [...after.charges].filter((one) => !before.charges.has(one));
  const declared = done.find(({ charges }) => charges);
  if (charged.length > 0 && !declared)
    found.push(`something was charged, and ${act.route} does not declare \`charges\``);
  if (charged.length === 0 && declared) found.push(`nothing was charged, and ${declared.route} declares \`charges\``);
  const gone = [...before.ids].filter((id) => !after.ids.has(id));
  if (gone.length > 0 && !done.some(({ removes, scope }) => removes || scope === "destructive"))
    found.push(`something is gone, and ${act.route} does not declare \`removes\``);
  return found.map((finding) => `${finding} (${command})`);
}

/** The facts of a machine by which people know it, and which the request about it leaves out or has otherwise. */
export function checkIdentity(
  acts: readonly Act[],
  platform: PracticePlatform,
  { before, isOfReseller }: { before: Conditions; isOfReseller: boolean },
): string[] {
  return acts.flatMap(({ target, identity }) => {
    const service = before.get(target ?? "")?.power ? platform.find(target ?? "") : null;
    if (service?.kind !== "vps" && service?.kind !== "dedicated") return [];
    const shown: [fact: string, is: unknown, declared: unknown][] = [
      ["host name", service.hostname, identity.hostname],
      ["address", service.ip_addresses[0]?.address, identity.address],
      ["location", service.location, identity.location],
      ["project", isOfReseller ? undefined : before.get(service.id)?.project, identity.project?.id],
    ];
    // Facts that lie elsewhere are read for a decision alone.
    const own = identity.addressIs === "unread" ? shown.slice(0, 1) : shown;
    const wrong = own.filter(([, is, declared]) => is !== undefined && is !== null && is !== declared);
    return wrong.map(
      ([fact, is, declared]) => `its ${fact} is ${is}, and the \`identity\` of its kind says ${declared}`,
    );
  });
}

/** Each route of the practice platform that no example called. */
export function missingCalls(accepted: ReadonlySet<string>): string[] {
  const served = [
    ...customer.map(({ method, path }) => `customer ${method} ${path}`),
    ...reseller.map(({ method, path }) => `reseller ${method} ${path}`),
  ];
  const missing = served.filter((route) => !accepted.has(route) && !(route in uncalled));
  const stale = Object.keys(uncalled).filter((route) => accepted.has(route) || !served.includes(route));
  return [
    ...missing.map(
      (route) =>
        `${route}: no example calls it. Declare its operation, or give the reason in \`uncalled\` of test/simulation/facts.ts`,
    ),
    ...stale.map((route) => `${route} does not belong into \`uncalled\` of test/simulation/facts.ts`),
  ];
}
