import type { PracticePlatform } from "../../src/sandbox/platform/practice-platform.ts";

/** A wish of a person: the act, its resource, and the name that distinguishes it from every other wish. */
export interface Wish {
  kind: KindName;
  who: string;
  /** The one who wanted it first, and passed it on to `who`. */
  from?: string;
  target: string;
  /** A second machine, for a wish on two at once. */
  also: string | null;
  /** A number that no other wish has. */
  mark: number;
  /** In how many minutes, where it is put off. */
  inMinutes: number | null;
}

/** A kind of wish, as the spec and the guide have it: nothing in here asks the app. */
interface Kind {
  /** True if a press must come before it. */
  pressed: boolean;
  command(wish: Wish): string;
  /** The same by a form, with what is entered by label. */
  form?(wish: Wish): Form;
  /** The resource that it makes bears the wish's own number: it can happen once, however often the person repeats the wish. */
  marked: boolean;
  /** How often it took effect on a machine, as the platform shows it; null where that cannot be seen. */
  happened(platform: PracticePlatform, wish: Wish, machine: string): number | null;
  /** True if words that Slack shows are about this wish on this machine. */
  isAbout(words: string, wish: Wish, machine: string): boolean;
}

export interface Form {
  command: string;
  values: Readonly<Record<string, string>>;
}

/** Of another form for each kind: the name alone shows the subject of a message. */
const nameOf = ({ kind, mark }: Wish) => `${kind === "capture" ? "image" : "made"}-${mark}`;
export const centsOf = ({ mark }: Wish) => 100 + mark;
/** Two documents, so that two payments can be in progress at once. */
const documentOf = ({ target }: Wish) => (/[13579]$/.test(target) ? "INV-1000" : "INV-1002");
const hostOf = ({ mark }: Wish) => `host-${mark}.example.com`;

const isAboutHost = (words: string, { mark }: Wish) => new RegExp(`\\bhost-${mark}\\b`).test(words);

const isAboutName = (words: string, wish: Wish) => new RegExp(`\\b${nameOf(wish)}\\b`).test(words);

const kinds = {
  snapshot: {
    marked: true,
    pressed: false,
    command: (wish) => `/vps snapshot ${machinesOf(wish)} name=${nameOf(wish)}`,
    form: (wish) => ({ command: "/vps snapshot", values: { VPS: wish.target, "Name of the snapshot": nameOf(wish) } }),
    happened: (platform, wish, machine) =>
      platform.findVps(machine).snapshots.filter(({ name }) => name === nameOf(wish)).length,
    isAbout: isAboutName,
  },
  capture: {
    marked: true,
    pressed: true,
    command: (wish) => `/vps capture ${wish.target} name=${nameOf(wish)}`,
    form: (wish) => ({ command: "/vps capture", values: { VPS: wish.target, "Name of the image": nameOf(wish) } }),
    happened: (platform, wish) => (hasImage(platform, nameOf(wish)) ? 1 : 0),
    isAbout: isAboutName,
  },
  cancel: {
    marked: false,
    pressed: true,
    command: (wish) => `/vps cancel ${machinesOf(wish)}`,
    form: ({ target }) => ({ command: "/vps cancel", values: { VPS: target } }),
    happened: (platform, _wish, machine) => (platform.findVps(machine).cancellation === null ? 0 : 1),
    isAbout: (words, _wish, machine) => new RegExp(`Cancel \`${machine}\`|\`${machine}\` ends`).test(words),
  },
  password: {
    marked: false,
    pressed: true,
    command: (wish) => `/vps password ${wish.target}`,
    form: ({ target }) => ({ command: "/vps password", values: { VPS: target } }),
    happened: (platform, _wish, machine) => (platform.passwordOf(machine) === undefined ? 0 : 1),
    isAbout: (words, _wish, machine) => new RegExp(`password of \`${machine}\``).test(words),
  },
  reinstall: {
    marked: false,
    pressed: true,
    command: (wish) => `/vps reinstall ${wish.target} image="Debian 13"`,
    form: ({ target }) => ({
      command: "/vps reinstall",
      values: { "Find a VPS by name, address or id": target },
    }),
    happened: (platform, _wish, machine) => (platform.passwordOf(machine) === undefined ? 0 : 1),
    isAbout: (words, _wish, machine) => words.includes(`Reinstall \`${machine}\``),
  },
  reboot: {
    marked: false,
    pressed: false,
    command: (wish) => `/vps reboot ${wish.target} force=yes`,
    // A machine does not show how often it was started.
    happened: () => null,
    isAbout: (words, _wish, machine) => words.includes(`Reboot \`${machine}\``),
  },
  pay: {
    marked: true,
    pressed: true,
    command: (wish) => `/billing pay ${documentOf(wish)} amount=${(centsOf(wish) / 100).toFixed(2)}`,
    happened: (platform, wish) =>
      platform
        .documents()
        .filter(({ cause }) => cause !== "conversion")
        .flatMap(({ payments }) => payments)
        .filter(({ amount }) => amount === centsOf(wish)).length,
    isAbout: (words, wish) => new RegExp(`(?<!\\d)${(centsOf(wish) / 100).toFixed(2)} EUR`).test(words),
  },
  order: {
    marked: true,
    pressed: true,
    command: (wish) => `/order new VPS S cycle=monthly location=Madrid hostname=${hostOf(wish)}`,
    form: (wish) => ({
      command: "/order new VPS S cycle=monthly",
      values: { Location: "Madrid", "Host name": hostOf(wish) },
    }),
    happened: (platform, wish) =>
      platform.orders().filter(({ items }) => items.some(({ hostname }) => hostname === hostOf(wish))).length,
    isAbout: isAboutHost,
  },
  sell: {
    marked: true,
    pressed: true,
    command: (wish) =>
      `/reseller order new VPS S cycle=monthly location=es-mad image="Debian 13" hostname=${hostOf(wish)} customer=acme-bakery`,
    happened: (platform, wish) => platform.reseller.sold().filter(({ hostname }) => hostname === hostOf(wish)).length,
    isAbout: isAboutHost,
  },
} as const satisfies Record<string, Kind>;

export type KindName =
  | "snapshot"
  | "capture"
  | "cancel"
  | "password"
  | "reinstall"
  | "reboot"
  | "pay"
  | "order"
  | "sell";

export function kindOf({ kind }: Wish): Kind {
  return kinds[kind];
}

export function commandOf(wish: Wish): string {
  return `${kindOf(wish).command(wish)}${wish.inMinutes === null ? "" : ` in=${wish.inMinutes}m`}`;
}

/** The form for a wish on one machine, at once. */
export function formOf(wish: Wish): Form | null {
  return wish.also === null && wish.inMinutes === null ? (kindOf(wish).form?.(wish) ?? null) : null;
}

/** The words in its answer. */
export function wordsAbout(wish: Wish): string[] {
  if (wish.kind === "pay") return [documentOf(wish), (centsOf(wish) / 100).toFixed(2)];
  return isOrder(wish) ? [`host-${wish.mark}`, "VPS S"] : [...targetsOf(wish), nameOf(wish)];
}

/** True for an order of a service, of their own or resold. */
export function isOrder({ kind }: Wish): boolean {
  return kind === "order" || kind === "sell";
}

export function targetsOf({ target, also }: Wish): string[] {
  return also === null ? [target] : [target, also];
}

function machinesOf(wish: Wish): string {
  return targetsOf(wish).join(" ");
}

/** True if there is an image of this name. */
function hasImage(platform: PracticePlatform, name: string): boolean {
  try {
    platform.changeImage(name, {});
    return true;
  } catch {
    return false;
  }
}
