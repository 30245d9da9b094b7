import { withoutSecrets } from "../../../operation/fields.ts";
import type { PlatformOperation } from "../../../operation/operation.ts";
import type { RequestsApp } from "../../app.ts";
import { type Request, timeToDecide } from "../../request.ts";
import { approvalLevel, type Ruling } from "../../rules.ts";
import { openedInput, sealInput } from "../../sealed.ts";
import { step } from "../../step.ts";

/**
 * Asks the owner about what a rule let their agent schedule, once the agent or the rule is gone. Resolves to false where it was decided by
 * a person, or where the rules want another one. `why` is a sentence.
 */
export async function askOwner(
  app: RequestsApp,
  request: Request,
  operation: PlatformOperation,
  { why, ruling }: { why: string; ruling: Pick<Ruling, "demand"> },
): Promise<boolean> {
  const { id, agent, decidedBy, schedule, requester } = request;
  if (agent === null || decidedBy !== null || ruling.demand === "not-allowed") return false;
  if (approvalLevel(ruling.demand).mode !== "self") return false;
  const now = app.clock.now();
  const isAhead = schedule !== null && schedule.at > now;
  const latest = now + timeToDecide(app, request);
  const expiresAt = isAhead ? Math.min(latest, schedule.at) : latest;
  const outcome = `${why} Nobody had decided this, so <@${requester.slackUser}> does.`;
  const again = sealInput(app, id, withoutSecrets(operation.input, openedInput(app, request)));
  await step(
    app,
    request,
    "askOwner",
    {
      mode: "self",
      schedule: isAhead ? { ...schedule, since: null } : null,
      expiresAt,
      input: { ...request.input, again },
      outcome,
    },
    { lookAt: expiresAt },
  );
  return true;
}
