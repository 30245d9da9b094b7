import type { App } from "@slack/bolt";
import type { Workspace } from "../../chat/people.ts";

/** A payload of another workspace's came in: the app acts for one alone, and it is given to no listener. */
export class OtherWorkspace extends Error {
  override readonly name = "OtherWorkspace";
  // Bolt wraps what has no code.
  readonly code = "rackbell_other_workspace";

  constructor() {
    super("A payload of another workspace was refused");
  }
}

/**
 * Lets only payloads of `workspace` through to what is registered after it, whichever way they came; throws OtherWorkspace at all others.
 */
export function takeOnlyFrom(workspace: Workspace, app: App): void {
  app.use(async ({ body, next }) => {
    if (!isOf(workspace, body)) throw new OtherWorkspace();
    await next();
  });
}

/**
 * Whether the app was reached as it is installed in `workspace`, or in its organisation. Where a channel is shared, an event tells that in
 * its authorizations, and a form in its view; their own team is then that of who acted, who may be somebody else's.
 */
function isOf({ team, enterprise }: Workspace, body: unknown): boolean {
  const isInstalled = (by: Installation) => by.team === team || (enterprise !== null && by.enterprise === enterprise);
  const authorizations = partOf(body, "authorizations");
  if (Array.isArray(authorizations) && authorizations.length > 0)
    return authorizations.map(authorized).some(isInstalled);
  const viaView = textOf(partOf(body, "view"), "app_installed_team_id");
  return isInstalled(viaView ? { team: viaView, enterprise: undefined } : outer(body));
}

interface Installation {
  team: string | undefined;
  enterprise: string | undefined;
}

function authorized(by: unknown): Installation {
  return { team: textOf(by, "team_id"), enterprise: textOf(by, "enterprise_id") };
}

function outer(body: unknown): Installation {
  const own = partOf(body, "team");
  const { team, enterprise } = authorized(body);
  return {
    team: textOf(own, "id") ?? team,
    enterprise: textOf(partOf(body, "enterprise"), "id") ?? textOf(own, "enterprise_id") ?? enterprise,
  };
}

// Read by hand: every payload goes through here before it is acknowledged, and a schema would copy all of it.
function partOf(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
}

function textOf(body: unknown, name: string): string | undefined {
  const text = partOf(body, name);
  return typeof text === "string" ? text : undefined;
}
