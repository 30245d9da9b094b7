import type { Precondition, Preconditions } from "../../operation/answer.ts";
import type { Effect } from "../../operation/effects.ts";
import { unitsOf } from "../../platform/amounts.ts";
import { partSecrets } from "../../process/secret-parts.ts";
import { type HeldAddOn, leftOutLoss } from "./add-ons.ts";

/** The size of a machine or of a plan, as far as the platform names it: memory in MB, disk in GB. */
export interface PlanSize {
  cpu: number | null;
  memoryMb: number | null;
  diskGb: number | null;
}

/** The words of a plan's specs for each part of a size: both specs give at most example keys. */
const parts = { cpu: /cpu|core/, memory: /ram|mem/, disk: /disk|storage|ssd|nvme|hdd/ } as const;
/** Figures about a disk or a processor that are no size of it. */
const otherFigures = /iops|speed|bandwidth|type|mhz|ghz|bps|price|backup|snapshot|id$/;

/** A disk without a unit is read in GB between these: so many MB are less than the smallest disk, and fewer GB are a count. */
const smallestDiskGb = 5;
const mostWithoutUnit = 5_000;

/**
 * The size that the specs of a plan name plainly. A part that they name twice, or not as one figure, is null: a guessed disk could hide a
 * loss of data.
 */
export function sizeInSpecs(specs: unknown): PlanSize {
  const figures = figuresIn("", partSecrets(specs).rest);
  const only = (part: keyof typeof parts) => {
    const [first, ...others] = figures.filter(({ key }) => parts[part].test(key) && !otherFigures.test(key));
    return first && others.length === 0 ? first : null;
  };
  const [cpu, memory, disk] = [only("cpu"), only("memory"), only("disk")];
  return { cpu: cpu?.amount ?? null, memoryMb: memory && memoryMbIn(memory), diskGb: disk && diskGbIn(disk) };
}

/** `amount` is null if the text has figures that are not one size: "2 x 1 TB". */
interface Figure {
  key: string;
  amount: number | null;
  unit: Unit | null;
  /** Words follow the figure: "2 NVMe" may count disks. */
  worded: boolean;
}

const unitGb = { m: 1 / 1_024, g: 1, t: 1_024 } as const;
type Unit = keyof typeof unitGb;

function figuresIn(key: string, value: unknown): Figure[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => figuresIn(key, item));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([name, inner]) => figuresIn(`${key} ${name.toLowerCase()}`.trim(), inner));
  if (typeof value === "number") return [{ key, amount: value, unit: unitIn(key), worded: false }];
  if (typeof value !== "string" || !/\d/.test(value)) return [];
  // Three decimals may be thousands: "1.000 GB".
  const [whole, amount, unit, words] =
    /^(\d{1,9}(?:\.\d{1,2})?)\s*(?:([mgt])i?b?\b\s*)?([a-z][a-z ]*)?$/i.exec(value.trim()) ?? [];
  const figure = { key, unit: unitIn(unit ?? key), worded: words !== undefined };
  return [{ ...figure, amount: whole === undefined ? null : Number(amount) }];
}

/** The unit at the end of a key or after a figure: "disk_gb", "TiB". */
function unitIn(text: string): Unit | null {
  const [, letter] = /(?:^|[^a-z])([mgt])(?:i?b)?$/i.exec(text) ?? /([mgt])i?b$/i.exec(text) ?? [];
  const found = letter?.toLowerCase();
  return found === "m" || found === "g" || found === "t" ? found : null;
}

function memoryMbIn({ amount, unit, worded }: Figure): number | null {
  if (amount === null || (worded && unit === null)) return null;
  if (unit !== null) return amount * unitGb[unit] * 1_024;
  return amount >= 256 ? amount : amount * 1_024;
}

function diskGbIn({ key, amount, unit, worded }: Figure): number | null {
  if (amount === null) return null;
  if (unit !== null) return amount * unitGb[unit];
  const isCount = worded || /disks|drives|count|number|limit|max|quota/.test(key);
  return isCount || amount < smallestDiskGb || amount > mostWithoutUnit ? null : amount;
}

export const changeKinds = ["upgrade", "downgrade", "change"] as const;

/** A change to another plan or package, as far as the platform names it. */
export interface SizeChange {
  kind: (typeof changeKinds)[number];
  now: PlanSize;
  after: PlanSize;
  /** The add-ons of the service that the new plan does not offer. */
  leftOut: HeldAddOn[];
  /** A sentence for each loss; empty if it surely loses nothing. */
  losses: string[];
}

/** The change with its losses. `prices`: those of now and after, of one billing cycle; null if they do not compare. */
export function sizeChange(
  { now, after, leftOut }: Pick<SizeChange, "now" | "after" | "leftOut">,
  prices: readonly [now: string, after: string] | null,
): SizeChange {
  const losses = [diskLoss(now, after), leftOutLoss(leftOut)].filter((loss) => loss !== null);
  return { kind: kindOf(now, after, prices), now, after, leftOut, losses };
}

/** A smaller disk or a lower price is a downgrade, and a higher price an upgrade. Anything else is neither. */
function kindOf(now: PlanSize, after: PlanSize, prices: readonly [now: string, after: string] | null) {
  if (now.diskGb !== null && after.diskGb !== null && after.diskGb < now.diskGb) return "downgrade";
  if (prices === null) return "change";
  const [from, to] = prices.map(unitsOf);
  if (from === undefined || to === undefined || from === to) return "change";
  return to < from ? "downgrade" : "upgrade";
}

/** The sizes of now and after. They void the request if they change. */
export function sizePreconditions(now: PlanSize, after: PlanSize): Preconditions {
  const row = (
    label: string,
    from: number | null,
    to: number | null,
    words: (amount: number) => string,
  ): Precondition => {
    const text = (amount: number | null) => (amount === null ? notNamed : words(amount));
    return {
      value: [from, to],
      label,
      text: from !== null && from === to ? text(from) : `${text(from)} → ${text(to)}`,
    };
  };
  return {
    cpu: row("CPU", now.cpu, after.cpu, String),
    memory: row("Memory", now.memoryMb, after.memoryMb, (amount) => `${Number((amount / 1_024).toFixed(1))} GB`),
    disk: row("Disk", now.diskGb, after.diskGb, (amount) => `${amount} GB`),
  };
}

const notNamed = "not named by the platform";

/** The loss of data by a smaller disk, as a sentence; null if the disk surely keeps its size. CPU and memory hold no data. */
export function diskLoss({ diskGb: now }: PlanSize, { diskGb: after }: PlanSize): string | null {
  if (after === null) return "The platform does not name the new disk. If that is smaller, data on it will be lost.";
  if (now === null)
    return `The platform does not name the present disk. If the new disk of ${after} GB is smaller, data will be lost.`;
  return after < now
    ? `The disk will shrink from ${now} GB to ${after} GB. Data that does not fit will be lost.`
    : null;
}

/** Another plan in both APIs: the platform may restart the machine with its new size. */
export const upgradeEffects: readonly Effect[] = [
  { aspect: "plan", to: ["changed"], later: true },
  { aspect: "power", through: ["stopped"], to: [] },
];
