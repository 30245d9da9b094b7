import type { App } from "@slack/bolt";
import type { Workspace } from "../../messages/chat/people.ts";

/** A payload of another workspace arrived. The app serves one workspace, so no listener gets it. */
export class OtherWorkspace extends Error {
  override readonly name = "OtherWorkspace";
  // Bolt wraps errors without a code.
  readonly code = "rackbell_other_workspace";

  constructor() {
    super("A payload of another workspace was refused");
  }
}

/** Lets only payloads of `workspace` through to later listeners, over HTTP and socket alike. Throws OtherWorkspace for others. */
export function takeOnlyFrom(workspace: Workspace, app: App): void {
  app.use(async ({ body, next }) => {
    if (!isOf(workspace, body)) throw new OtherWorkspace();
    await next();
  });
}

/**
 * True if the payload belongs to the installation in `workspace` or its organisation. For shared channels an event names that in
 * `authorizations`, and a form in its view. Their own `team` is the acting user's, which may be another organisation's.
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

// Without a schema, which would copy the whole payload before each acknowledgement.
function partOf(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
}

function textOf(body: unknown, name: string): string | undefined {
  const text = partOf(body, name);
  return typeof text === "string" ? text : undefined;
}
