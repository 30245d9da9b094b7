import { ok } from "../http/response.ts";
import { isOpen, remainingOf } from "../money/documents.ts";
import { euros } from "../money/money.ts";
import { projectRef } from "../world/project.ts";
import { holderOf, permissions } from "../world/users.ts";
import { isoNow, type World } from "../world/world.ts";
import { myServices } from "./request/access.ts";
import type { Call, Route } from "./request/call.ts";
import { type Scope, scopes } from "./request/keys.ts";

export const accountRoutes: Route[] = [
  { method: "GET", path: "/", scope: "read", handle: identity },
  { method: "GET", path: "/account", scope: "read", handle: profile },
  { method: "GET", path: "/account/balance", scope: "read", handle: balance },
  { method: "GET", path: "/account/usage", scope: "read", handle: usage },
];

function profile({ user }: Call) {
  const team = user.account === null ? null : { ...user.account, owner: user.owner };
  const inForce = user.owner ? permissions : [...user.permissions];
  return ok({
    id: user.id,
    name: user.name,
    email: user.email,
    company: user.account?.name ?? null,
    country: "ES",
    currency: "EUR",
    credit_balance: user.balance / 100,
    account: team,
    ...(team === null ? {} : { permissions: inForce }),
  });
}

function balance({ user }: Call) {
  return ok({ balance: user.balance / 100, currency: "EUR" });
}

function usage(call: Call) {
  const services = myServices(call);
  const byStatus: Record<string, number> = {};
  for (const { status } of services) byStatus[status] = (byStatus[status] ?? 0) + 1;
  const recurring = services.filter((one) => one.status === "active" && one.billing.cycle !== "hourly");
  const hourly = services.filter((one) => one.status === "active" && one.billing.cycle === "hourly");
  return ok({
    services: {
      total: services.length,
      by_status: byStatus,
      active_recurring_amount: sum(recurring.map((one) => Number(one.billing.amount))),
    },
    invoices: invoiceFigures(call.world, holderOf(call.user)),
    hourly: {
      charged_this_month: sum(hourly.map((one) => Number(one.billing.amount) * 24)),
      charges: hourly.length * 24,
    },
    credit_balance: call.user.balance / 100,
    period: { month: isoNow(call.world).slice(0, 7) },
  });
}

function invoiceFigures(world: World, holder: string) {
  const month = isoNow(world).slice(0, 7);
  const mine = [...world.documents.values()].filter((one) => one.holder === holder && one.type === "invoice");
  const unpaid = mine.filter(isOpen);
  const payments = mine.flatMap((one) => one.payments).filter((payment) => payment.created_at.startsWith(month));
  return {
    unpaid_count: unpaid.length,
    unpaid_total: sum(unpaid.map((one) => euros(remainingOf(one)))),
    paid_this_month: sum(payments.map((payment) => euros(payment.amount))),
  };
}

function sum(amounts: number[]): number {
  return Math.round(amounts.reduce((total, amount) => total + amount, 0) * 100) / 100;
}

const meanings: Record<Scope, string> = {
  read: "Look at everything",
  services: "Work with services, images, keys and projects",
  orders: "Order, buy add-ons and upgrade",
  billing: "Pay from credit and renew",
  destructive: "Cancel services and add-ons, delete projects",
};

function identity(call: Call) {
  const { world, user, key, project, rate } = call;
  const { url } = world;
  return ok({
    version: "1",
    base_url: url,
    user: { id: user.id, email: user.email, name: user.name },
    account: user.account === null ? null : { ...user.account, owner: user.owner },
    key: {
      id: key.id,
      label: key.label,
      scopes: key.scopes,
      project: key.project === null ? null : projectRef(world, key.project),
    },
    project: project === null ? null : { ...projectRef(world, project.id), bound: key.project === project.id },
    rate_limit: rate,
    scopes: scopes.map((scope) => ({ scope, description: meanings[scope] })),
    links: {
      openapi: `${url}/openapi.json`,
      guide: `${url}/guide.md`,
      account: `${url}/account`,
      services: `${url}/services`,
      vps: `${url}/vps`,
    },
  });
}
