import type { App } from "@slack/bolt";
import * as z from "zod";
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

/** Lets only payloads of `workspace` through to the listeners, whichever way they came; throws OtherWorkspace at all others. */
export function takeOnlyFrom(workspace: Workspace, app: App): void {
  app.use(async ({ body, next }) => {
    if (!isOf(workspace, body)) throw new OtherWorkspace();
    await next();
  });
}

const Id = z.string().nullish().catch(null);

const Installed = z.looseObject({
  team_id: Id,
  enterprise_id: Id,
  team: z.looseObject({ id: Id, enterprise_id: Id }).nullish().catch(null),
  enterprise: z.looseObject({ id: Id }).nullish().catch(null),
  view: z.looseObject({ app_installed_team_id: Id }).nullish().catch(null),
  authorizations: z
    .array(z.looseObject({ team_id: Id, enterprise_id: Id }))
    .nullish()
    .catch(null),
});

/**
 * Whether the app was reached as it is installed in `workspace`, or in its organisation. Where a channel is shared, an event tells that in
 * its authorizations, and a form in its view; their own team is then that of who acted, who may be somebody else's.
 */
function isOf({ team, enterprise }: Workspace, body: unknown): boolean {
  const read = Installed.safeParse(body);
  if (!read.success) return false;
  const { authorizations, view } = read.data;
  const told = authorizations?.length ? authorizations : [viaView(view) ?? outer(read.data)];
  return told.some((by) => by.team_id === team || (enterprise !== null && by.enterprise_id === enterprise));
}

interface Installation {
  team_id?: string | null | undefined;
  enterprise_id?: string | null | undefined;
}

function viaView(view: z.infer<typeof Installed>["view"]): Installation | null {
  return view?.app_installed_team_id ? { team_id: view.app_installed_team_id } : null;
}

function outer({ team, enterprise, team_id, enterprise_id }: z.infer<typeof Installed>): Installation {
  return {
    team_id: team?.id ?? team_id,
    enterprise_id: enterprise?.id ?? team?.enterprise_id ?? enterprise_id,
  };
}
