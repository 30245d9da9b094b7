import type { KnownRefusal, PlatformRefused } from "../platform/http/errors.ts";

const known: Record<KnownRefusal, string> = {
  "cycle not sold": "`/reseller product show` names the cycles that the product is sold on; choose one of those.",
  "location missing": "This product needs a datacentre: order again, and choose one.",
  "quantity cap":
    "You hold as many of this product as the supplier lets you. Terminate one that nobody needs, or ask the supplier for more.",
  "no upgrade path":
    "The supplier has made no way from its present product to that one. Choose another, or ask the supplier.",
  "no webhook address": "The supplier has no address to send events to: `/reseller webhook address` sets one.",
  "peer connections off": "The supplier has switched this off for everybody: only they can switch it on.",
};

const notThere = "It is not there, or belongs to somebody else: the platform does not tell the one from the other.";
/** The reasons that one status can have, each with the words by which the platform's own sentence tells it from the others. */
type Reasons = readonly [word: RegExp, meaning: string][];

const suspended: Reasons[number] = [
  /suspend/i,
  "A suspended service cannot be started, entered, reinstalled or backed up.",
];
const terminated: Reasons[number] = [/terminat/i, "A terminated service takes nothing."];
const suspendedOrOver: Reasons = [
  suspended,
  terminated,
  [/switched off|disabled|not allow|not offer/i, "The supplier has switched this off for its product."],
];
const noBackend: Reasons = [
  [/controller/i, "A dedicated server without a management controller cannot be reached from here. Ask the supplier."],
  [
    /backend|runs? (it|this)/i,
    "Where nothing that Rackbell can reach runs it, this cannot be done from here. Ask the supplier.",
  ],
];

/** Explains a refusal by route and status, since it has no code. The first match wins. Reseller spec sections 4.1 to 4.3 and 7. */
const meanings: [act: RegExp, status: number, meaning: string | Reasons][] = [
  [
    /^POST \/(orders|services\/[^/]+\/change-package)$/,
    404,
    "This product is not in your catalogue: it does not exist, or is not sold to you.",
  ],
  [
    /^POST \/orders$/,
    409,
    [
      [/captur/i, "While the image is still being captured, it cannot be ordered from. Wait until it is available."],
      [
        /node|room|full|location/i,
        "The image is on one node, and that is full or not where you ordered. Leave the datacentre to the platform, or order from a system of the supplier's.",
      ],
    ],
  ],
  [/^POST \/orders$/, 400, "Put it right and order again: the same order is not sent twice."],
  [
    /^POST \/orders\/[^/]+\/retry$/,
    409,
    [
      [/attempt|flight|progress|under way|concurrent/i, "Another attempt is under way."],
      [/panel/i, "It was placed in the panel, and is paid there."],
    ],
  ],
  [
    /^POST \/orders\/[^/]+\/retry$/,
    400,
    [
      [/declin|card|gateway|fail|fund/i, "The charge failed again: look at the payment method."],
      [/paid/i, "An order that is paid is not charged again."],
      [/invoice/i, "An order that waits for its invoice is not charged."],
    ],
  ],
  [/^POST \/services\/[^/]+\/suspend$/, 409, "Only an active service can be suspended."],
  [/^POST \/services\/[^/]+\/unsuspend$/, 409, "Only a suspended service can be let run again."],
  [/^POST \/services\/[^/]+\/power$/, 403, suspendedOrOver],
  [/^POST \/services\/[^/]+\/power$/, 400, noBackend],
  [
    /^POST \/services\/[^/]+\/power$/,
    424,
    "The server's management controller did not do it. Look at its state before you try again.",
  ],
  [
    /^POST \/services\/[^/]+\/change-package$/,
    409,
    [
      [/active|suspend|terminat/i, "The service must be active."],
      [/progress|under way|pending/i, "Another change is under way. Wait until it has ended."],
      [/path|way to/i, "The supplier must have a way to that product."],
    ],
  ],
  [
    /^POST \/services\/[^/]+\/(reinstall|password)$/,
    409,
    [
      [/offer|disabled|source/i, "An image that is not offered cannot be installed."],
      [/progress|under way/i, "Another reinstall is under way. Wait until it has ended."],
      [/run|stopped/i, "For a new password the machine must run."],
    ],
  ],
  [
    /^POST \/services\/[^/]+\/reinstall$/,
    404,
    "There is no such system for this service. `/reseller service templates` lists them.",
  ],
  [
    /^POST \/services\/[^/]+\/(reinstall|password)$/,
    400,
    [
      [/password/i, "It needs a password of 8 characters or more."],
      [/uuid|image/i, "A VPS takes a system by its id."],
      [/template/i, "A provider's service takes a system by its name."],
    ],
  ],
  [/^POST \/services\/[^/]+\/(reinstall|password)$/, 403, suspendedOrOver],
  [
    /^(GET|POST) \/services\/[^/]+\/console/,
    409,
    [
      [/display/i, "Its display is not up yet. Try again in a minute."],
      [/run|stop|paus/i, "A console needs a machine that runs."],
    ],
  ],
  [
    /^(GET|POST) \/services\/[^/]+\/console-cast$/,
    400,
    [
      [/view|shared|cluster/i, "On a shared cluster such a link cannot be for looking alone."],
      [/vps|dedicated|kind|only/i, "Only a VPS and a dedicated server have such a link."],
    ],
  ],
  [/^(GET|POST) \/services\/[^/]+\/console/, 400, noBackend],
  [/^(GET|POST) \/services\/[^/]+\/console/, 403, suspendedOrOver],
  [
    /^[A-Z]+ \/services\/[^/]+\/backups/,
    403,
    [suspended, terminated, [/snapshot|backup/i, "The supplier's product has no snapshots."]],
  ],
  [/^[A-Z]+ \/services\/[^/]+\/backups/, 409, "Another job has the machine's disk in hand. Wait until it has ended."],
  [
    /^[A-Z]+ \/services\/[^/]+\/backups/,
    400,
    [
      [/dedicated/i, "A dedicated server takes no backups."],
      [/confirm|name/i, "A snapshot is restored by its exact name."],
    ],
  ],
  [/^POST \/services\/[^/]+\/(rescue|unrescue)$/, 403, "The supplier does not allow the rescue system here."],
  [
    /^POST \/services\/[^/]+\/(rescue|unrescue)$/,
    409,
    "The server must be settled first: nothing may be under way on it.",
  ],
  [/^PUT \/services\/[^/]+\/transit-config$/, 403, "The supplier keeps this setting to itself: ask them."],
  [/^PUT \/services\/[^/]+\/options$/, 409, "Something else is under way on this service. Wait until it has ended."],
  [
    /^POST \/services\/[^/]+\/capture$/,
    409,
    [
      [/captur/i, "Another capture is under way. Wait until it has ended."],
      [/busy|job|disk/i, "The machine is busy. Wait until that has ended."],
    ],
  ],
  [
    /^DELETE \/images\//,
    409,
    [
      [/captur/i, "The image is still being captured. Wait until that has ended."],
      [/use/i, "The image is in use."],
    ],
  ],
  [
    /^[A-Z]+ \/services\/[^/]+\/game/,
    403,
    [suspended, terminated, [/switched off|disabled|not enabled/i, "The supplier has switched game servers off."]],
  ],
  [
    /^[A-Z]+ \/services\/[^/]+\/game/,
    404,
    "Either the service has no game server, or what you named is not on it. `/reseller game show` tells which.",
  ],
  [
    /^[A-Z]+ \/services\/[^/]+\/game/,
    409,
    "Where nothing runs behind the game server, only its supplier can set that up; otherwise what you asked for is there already, is locked or is one too many.",
  ],
  [
    /^[A-Z]+ \/services\/[^/]+\/game/,
    400,
    "What may be sent, only the supplier's game module knows: ask the supplier for its fields.",
  ],
  [
    /^DELETE \/customers\//,
    400,
    "Terminate what this customer still has first; `/reseller service list customer=…` names it.",
  ],
  [/ /, 404, notThere],
];

/** Explains a refusal of the reseller API; null when the platform's own words must do. */
export function resellerMeaning(error: PlatformRefused): string | null {
  const act = `${error.method} ${error.path.replace(/^\/reseller(?=\/)/, "")}`;
  const fits = meanings.find(([pattern, status]) => status === error.status && pattern.test(act));
  if (error.known) return known[error.known];
  return fits === undefined ? null : meaningOf(fits[2], error.reason);
}

/** Of several reasons the one that the platform's sentence names; all of them if it names none or more than one of them. */
function meaningOf(meaning: string | Reasons, reason: string): string {
  if (typeof meaning === "string") return meaning;
  const [named, another] = meaning.filter(([word]) => word.test(reason));
  if (named && !another) return named[1];
  return meaning.map(([, text]) => text).join(" ");
}
