import { Refusal } from "../../../operation/errors.ts";
import { code } from "../../../views/text.ts";
import type { RequestsApp } from "../../app.ts";
import { admitRequester, bindRequester } from "../../checks.ts";
import { bareFact, hasEnded, type Request, wasNotDone } from "../../request.ts";
import { releaseRequest } from "../../rules.ts";
import { startWhenPossible } from "../../start.ts";
import { step, stepAgain } from "../../step.ts";
import { amend, readRequest } from "../../store.ts";
import { outcomeWords } from "../../view.ts";
import { partId } from "../part/record.ts";
import { untouched } from "./offer.ts";

/**
 * Follows the backup of a request that waits for it, with each step of the backup. Once it is proven to be there, the act begins; after any
 * other end it does not. Resolves to the time of the next look in milliseconds since the epoch.
 */
export async function followBackup(app: RequestsApp, request: Request): Promise<number | undefined> {
  const backup = await readRequest(app, partId(request.id, request.backupFirst?.name ?? ""));
  if (!backup) return stop(app, request, "void", "The backup is no longer known.");
  if (!hasEnded(backup)) return void (await storeText(app, request, outcomeWords(backup)));
  // Nothing may be destroyed on the strength of a backup whose outcome is unknown.
  if (backup.state !== "done") return void (await endWithout(app, request, backup));
  if (request.backupFirst?.step === "taking") return storeTaken(app, request, backup);
  let is: "there" | "lost" | "in doubt" = "there";
  const end = async (why: string): Promise<void> => stop(app, request, "void", why, is);
  return startWhenPossible(app, request, { due: backup.changedAt, end }, async () => {
    const found = await lookAtBackup(app, request, backup);
    is = found.is;
    if (found.is !== "there") throw new Refusal(found.why);
  });
}

/** Reads if the backup was lost since, or perhaps cannot be restored. */
async function lookAtBackup(
  app: RequestsApp,
  request: Request,
  backup: Request,
): Promise<{ is: "there" } | { is: "lost" | "in doubt"; why: string }> {
  const { target, backupFirst } = request;
  await admitRequester(app, request);
  const bound = await bindRequester(app, backup);
  const { job, createdAt } = backup;
  const call = { targetId: target?.id ?? "", since: job?.since ?? createdAt, now: app.clock.now() };
  const { state, endUnknown, text } = await bound.poll(call, job?.handle ?? null);
  const name = code(backupFirst?.name ?? "");
  if (state !== "done") return { is: "lost", why: `The backup ${name} cannot be used: ${text}` };
  return endUnknown ? { is: "in doubt", why: text } : { is: "there" };
}

/** The message of the request shows how its backup goes. */
async function storeText(app: RequestsApp, request: Request, text: string): Promise<void> {
  const { job } = request;
  if (job && job.text !== text) await amend(app, request, { job: { ...job, text } });
}

async function storeTaken(app: RequestsApp, request: Request, { outcome, next }: Request): Promise<number> {
  const { job, backupFirst } = request;
  if (job && backupFirst) {
    const text = `${outcome} Rackbell now reads the facts again.`;
    await amend(app, request, { backupFirst: { ...backupFirst, step: "taken", next }, job: { ...job, text } });
  }
  return app.clock.now();
}

/** The backup was not made, or nobody knows if it was. One that the platform refused at once may be tried again, or left out. */
async function endWithout(app: RequestsApp, request: Request, backup: Request): Promise<void> {
  const { state, outcome, looks } = backup;
  // A job that failed has cost nothing.
  if (state === "failed") await releaseRequest(app, backup);
  if (wasNotDone(backup))
    return stop(app, request, looks === 0 ? "reopen" : "void", `The backup was not made. ${outcome}`);
  if (state !== "undecided") return stop(app, request, "void", outcome);
  return stop(app, request, "void", `The outcome of the backup stays unknown: it may be there, and billed. ${outcome}`);
}

/** Ends a request between its backup and its act, or opens it again. Nothing was destroyed, and the outcome says so. */
async function stop(
  app: RequestsApp,
  request: Request,
  event: "void" | "reopen",
  why: string,
  is: "there" | "lost" | "in doubt" = "there",
): Promise<undefined> {
  const { job, backupFirst, expiresAt, requester } = request;
  const now = app.clock.now();
  const outcome = `${bareFact(why)} ${untouched(request, is)}`;
  const isOpen = event === "reopen" && now < expiresAt;
  // A requester asked for the backup, and no refusal takes that back. An approver chose it for one decision.
  const isAsked = backupFirst?.chosenBy === requester.slackUser;
  const offered = backupFirst && {
    ...backupFirst,
    name: "",
    step: isAsked ? ("chosen" as const) : ("offered" as const),
    chosenBy: isAsked ? requester.slackUser : null,
  };
  const stopped = isOpen
    ? await stepAgain(app, request, "reopen", { outcome, job: null, backupFirst: offered }, { lookAt: expiresAt })
    : await step(app, request, "void", { outcome, job: job && { ...job, endedAt: now } });
  if (stopped) await releaseRequest(app, request);
}
