import { randomUUID } from "node:crypto";
import type { BoundOperation } from "../../../members/access/bound.ts";
import { whoseKey } from "../../../messages/answers/error-text.ts";
import { filterEntries, isAll } from "../../../messages/answers/filters.ts";
import type { Origin } from "../../../messages/origin.ts";
import { asksBackup } from "../../../operation/backup.ts";
import type { ListFilter } from "../../../operation/bulk.ts";
import { InputError, Refusal } from "../../../operation/errors.ts";
import { sameName } from "../../../operation/matching.ts";
import type { PlatformOperation } from "../../../operation/operation.ts";
import type { Entry } from "../../../operation/target.ts";
import type { PlainText } from "../../../process/plain-text.ts";
import { capital, code, count, listingOf } from "../../../views/text.ts";
import type { RequestsApp } from "../../app.ts";
import { openRequest, startAct } from "../../ask.ts";
import type { Proposal } from "../../create.ts";
import { oneAtATime } from "../backup-first/offer.ts";
import { protectedAlone } from "../protection/record.ts";
import { protectedAmong } from "../protection/steps.ts";
import { bulkAct, targetNames } from "./act.ts";
import { type ApprovedTarget, type Bulk, digestTargets, mostShown } from "./record.ts";
import { enterSeries } from "./series.ts";
import { keepTargets } from "./targets.ts";

/** A resource that the member chose. `name` is its name at that moment, null if it was chosen by its id. */
interface ChosenResource {
  id: string;
  name: PlainText | null;
}

/**
 * Targets of an earlier request. Nobody typed them, so one that is gone or was renamed is left out, and is no reason to refuse the others.
 * `anyName`: the act leads back, and goes by the id alone.
 */
interface EarlierTargets {
  earlier: readonly Pick<ApprovedTarget, "id" | "name">[];
  /** The id of the first request of its series. */
  series: string;
  anyName?: boolean;
}

export interface BulkProposal {
  bound: BoundOperation;
  origin: Origin;
  input: Record<string, unknown>;
  chosen: ChosenResource[] | EarlierTargets | { where: ListFilter };
  stopAfter?: number | undefined;
  /** The member confirmed the interruption already, so no question follows. */
  confirmed?: boolean | undefined;
  originator?: string | undefined;
  delegation?: string | undefined;
  when?: Proposal["when"];
  /** The member's agent that proposes it, and the id of the request then. */
  agent?: Proposal["agent"];
  id?: string | undefined;
  narrows?: Proposal["narrows"];
}

/** The most targets in one request, by risk. The price of each takes a call of its own. */
const limits = {
  change: { most: 2_000, of: "One request" },
  spend: { most: 100, of: "One request that costs something" },
  destroy: { most: 100, of: "One destructive request" },
};
/** Above this number, the member sees the list first and types the number. */
const mostUncounted = 10;
const usualStopAfter = 3;
/** A filter without a state leaves these out: nobody means a resource that has ended. */
const endedStates = new Set(["terminated", "cancelled"]);

/** Asks for one act on several resources, named one by one or chosen by filters. */
export async function proposeBulk(app: RequestsApp, bulkProposal: BulkProposal): Promise<void> {
  const {
    bound,
    origin,
    chosen,
    stopAfter = usualStopAfter,
    originator,
    delegation,
    when,
    agent,
    narrows,
    id = randomUUID(),
  } = bulkProposal;
  const { operation } = bound;
  if (asksBackup(bulkProposal.input)) throw new Refusal(`${oneAtATime} Nothing was requested.`);
  const ids = await readOneByOne(bound, chosen);
  let parted: PartedTargets = { left: [], notFound: [], spared: [] };
  const pick = async (entries: Entry[]) => {
    parted = await partTargets(app, bound, entries, chosen);
    refuseTooMany(operation, parted.left.length);
    return parted.left;
  };
  const read = await bound.readBulk({ input: bulkProposal.input, ids, pick });
  const byState = "where" in chosen && chosen.where.status !== undefined;
  const { spared, notFound } = parted;
  const series = "earlier" in chosen ? chosen.series : id;
  const counted = read.targets.length > mostUncounted || ((read.all || spared.length > 0) && read.targets.length > 1);
  const bulk = bulkOf(operation, read.targets, { byState, counted, stopAfter, series });
  const act = bulkAct(id, operation, read, bulk, leftOutWords(parted));
  // Store the targets before the request: a crash in between must not leave a request without targets.
  await keepTargets(app, id, read.targets);
  await enterSeries(app, series, id);
  const proposal = { bound, act, origin, generated: [], originator, delegation, bulk, when, agent, narrows };
  // A member who takes it from a colleague typed none of the names.
  const isTyped = !("where" in chosen) && delegation === undefined;
  const isSeen = isTyped && !counted && notFound.length + read.leftOut.length === 0;
  const isHarmless = bulkProposal.confirmed || read.harmless;
  // A member who named a few resources saw them while typing. The result of a filter, and what is left out, is shown before anything runs.
  await (narrows === undefined && (operation.risk !== "change" || (isSeen && isHarmless))
    ? startAct(app, proposal, async (conflict) => {
        if (conflict === null || bulkProposal.confirmed) return false;
        await openRequest(app, proposal);
        return true;
      })
    : openRequest(app, proposal));
}

function bulkOf(
  { target }: PlatformOperation,
  targets: ApprovedTarget[],
  how: Pick<Bulk, "byState" | "counted" | "stopAfter" | "series">,
): Bulk {
  return {
    ...how,
    nouns: count(targets.length, target?.label ?? "resource", target?.plural),
    digest: digestTargets(targets),
    projects: distinctProjects(targets),
    outcomes: targets.map(() => "waiting"),
    delayed: {},
    interrupted: [],
    followers: [],
    doneLater: [],
    takenBack: [],
    canGoBack: {},
    stopped: null,
  };
}

function distinctProjects(targets: readonly ApprovedTarget[]): Bulk["projects"] {
  const known = new Map(targets.flatMap(({ project }) => (project?.id ? [[project.id, project.name]] : [])));
  const projects = [...known].map(([id, name]) => ({ id, name }));
  return targets.some(({ project }) => !project?.id) ? [...projects, null] : projects;
}

/** Returns the ids to read one by one when that takes fewer calls than the pages of the list; else null. */
async function readOneByOne(
  { operation, listing }: BoundOperation,
  chosen: BulkProposal["chosen"],
): Promise<string[] | null> {
  if ("where" in chosen) return null;
  const ids = ("earlier" in chosen ? chosen.earlier : chosen).map(({ id }) => id);
  const { entries } = await listing();
  const pages = Math.ceil(entries.length / (operation.target?.pageSize ?? 1));
  return ids.length < pages ? ids : null;
}

/** The chosen entries: those that remain, and those that are left out, each kind with its reason. */
interface PartedTargets {
  left: Entry[];
  /** Of an earlier request, as sentences without a full stop. */
  notFound: string[];
  /** The names of the protected ones. */
  spared: PlainText[];
}

async function partTargets(
  app: RequestsApp,
  bound: BoundOperation,
  entries: Entry[],
  chosen: BulkProposal["chosen"],
): Promise<PartedTargets> {
  const { operation, actor } = bound;
  const isNamed = Array.isArray(chosen);
  const { picked, notFound } =
    "earlier" in chosen
      ? earlierEntries(entries, chosen, whoseKey(actor.slackUser).key)
      : {
          picked: isNamed
            ? chosenEntries(entries, chosen, operation)
            : await filteredEntries(entries, chosen.where, bound),
          notFound: [],
        };
  const parted = { ...(await partProtected(app, operation, picked)), notFound };
  if (parted.left.length === 0 || (isNamed && parted.spared.length > 0))
    throw new Refusal([...leftOutWords(parted).map((one) => capital(one)), "Nothing was requested."].join(" "));
  return parted;
}

/** A sentence for each kind of targets that are left out, to follow a lead. */
function leftOutWords({ spared, notFound }: PartedTargets): string[] {
  return [...notFound.map((sentence) => `${sentence}.`), ...(spared.length === 0 ? [] : [protectedAlone(spared)])];
}

function earlierEntries(
  entries: Entry[],
  { earlier, anyName = false }: EarlierTargets,
  key: string,
): { picked: Entry[]; notFound: string[] } {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const found = earlier.map(({ id, name }) => ({ name, entry: byId.get(id) }));
  const isSame = (entry: Entry, name: PlainText) => anyName || sameName(entry.name, name);
  const renamed = found.flatMap(({ name, entry }) =>
    entry && !isSame(entry, name) ? [`${code(name, 60)} is called ${code(entry.name, 60)} now`] : [],
  );
  const gone = found.filter(({ entry }) => entry === undefined);
  return {
    picked: found.flatMap(({ name, entry }) => (entry && isSame(entry, name) ? [entry] : [])),
    notFound: [
      ...(renamed.length === 0 ? [] : [listingOf(renamed, mostShown, "other")]),
      ...(gone.length === 0 ? [] : [`${key} does not list ${targetNames(gone, mostShown)} any more`]),
    ],
  };
}

function chosenEntries(entries: Entry[], chosen: ChosenResource[], { target }: PlatformOperation): Entry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return chosen.map(({ id, name }) => {
    const entry = byId.get(id);
    if (!entry)
      throw new Refusal(
        `There is no ${target?.label ?? "such thing"} ${code(name ?? id)} any more that your key can see. Nothing was requested.`,
      );
    // The resource may have been renamed since the member chose it, and another one may have the old name now.
    if (name !== null && !sameName(entry.name, name))
      throw new Refusal(
        `${code(name)} is now called ${code(entry.name)}, so nothing was done. Ask again with the name that you mean.`,
      );
    return entry;
  });
}

async function filteredEntries(entries: Entry[], where: ListFilter, bound: BoundOperation): Promise<Entry[]> {
  const { target } = bound.operation;
  const project = isAll(where.project) ? undefined : where.project;
  if (project !== undefined && entries.every(({ project }) => project === ""))
    throw new InputError(
      `The list of ${target?.plural ?? "these"} does not name their projects. Narrow it by status= or text=, or name them.`,
    );
  const states = target?.states ?? [];
  const found = await filterEntries(entries, { ...where, project }, { states, projects: () => bound.projects() });
  const chosen = where.status === undefined ? found.filter(({ state }) => !endedStates.has(state)) : found;
  if (chosen.length > 0) return chosen;
  throw new Refusal(`No ${target?.label ?? "such thing"} of yours fits that, so nothing was requested.`);
}

/** Takes protected resources out of what a request for several would destroy: nobody types a name for one of many. */
async function partProtected(
  app: RequestsApp,
  { risk }: PlatformOperation,
  picked: readonly Entry[],
): Promise<Pick<PartedTargets, "left" | "spared">> {
  const ids = risk === "destroy" ? picked.map(({ id }) => id) : [];
  const known = await protectedAmong(app, ids);
  return {
    left: picked.filter(({ id }) => !known.has(id)),
    spared: picked.filter(({ id }) => known.has(id)).map(({ name }) => name),
  };
}

function refuseTooMany({ risk, target }: PlatformOperation, amount: number): void {
  if (risk === "read" || amount <= limits[risk].most) return;
  const { most, of } = limits[risk];
  throw new Refusal(
    `${of} takes at most ${count(most, target?.label ?? "resource", target?.plural)}, and these are ${amount.toLocaleString("en")}. Nothing was requested. Narrow it, or name them.`,
  );
}
