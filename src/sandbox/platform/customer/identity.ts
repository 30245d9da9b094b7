import { projectRef } from "../world/project.ts";
import type { Call, Route } from "./request/call.ts";
import { ok } from "./request/envelope.ts";
import { type Scope, scopes } from "./request/keys.ts";

const meanings: Record<Scope, string> = {
  read: "Look at everything",
  services: "Work with services, images, keys and projects",
  orders: "Order, buy add-ons and upgrade",
  billing: "Pay from credit and renew",
  destructive: "Cancel services and add-ons, delete projects",
};

export const identityRoutes: Route[] = [{ method: "GET", path: "/", scope: "read", handle: identity }];

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
