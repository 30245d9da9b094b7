import type { KnownRefusal, PlatformRefused } from "../platform/http/errors.ts";

const known: Record<KnownRefusal, string> = {
  "cycle not sold": "`/reseller product show` names the cycles of this product: choose one of them.",
  "location missing": "This product needs a datacentre: order again, and choose one.",
  "quantity cap":
    "You have reached the platform's limit for this product. Terminate one that nobody needs, or ask the platform's operator for more.",
  "no upgrade path":
    "The platform offers no change from the present product to that one. Choose another, or ask the platform's operator.",
  "no webhook address": "The platform has no webhook address: `/reseller webhook address` sets one.",
  "peer connections off":
    "The platform's operator has switched this off for everybody: only the operator can switch it on.",
};

const notThere = "It does not exist, or belongs to somebody else: the platform does not say which.";
/** The reasons that one status can have, each with the words by which the platform's own sentence tells it from the others. */
type Reasons = readonly [word: RegExp, meaning: string][];

const suspended: Reasons[number] = [
  /suspend/i,
  "A suspended service cannot be started, opened, reinstalled or backed up.",
];
const terminated: Reasons[number] = [/terminat/i, "A terminated service accepts no actions."];
const suspendedOrOver: Reasons = [
  suspended,
  terminated,
  [/switched off|disabled|not allow|not offer/i, "The platform's operator has switched this off for its product."],
];
const noBackend: Reasons = [
  [/controller/i, "A dedicated server without a management controller cannot be reached. Ask the platform's operator."],
  [
    /backend|runs? (it|this)/i,
    "If no backend that Rackbell can reach runs the service, Rackbell cannot do this. Ask the platform's operator.",
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
        "The image is on one node, which is full or in another datacentre. Leave the datacentre to the platform, or order with one of the platform's systems.",
      ],
    ],
  ],
  [/^POST \/orders$/, 400, "Correct the order and order again: the same order is not sent twice."],
  [
    /^POST \/orders\/[^/]+\/retry$/,
    409,
    [
      [/attempt|flight|progress|under way|concurrent/i, "Another attempt is under way."],
      [/panel/i, "The order was placed in the panel, and is paid there."],
    ],
  ],
  [
    /^POST \/orders\/[^/]+\/retry$/,
    400,
    [
      [/declin|card|gateway|fail|fund/i, "The charge failed again: check the payment method."],
      [/paid/i, "A paid order is not charged again."],
      [/invoice/i, "An order that awaits its invoice is not charged."],
    ],
  ],
  [/^POST \/services\/[^/]+\/suspend$/, 409, "Only an active service can be suspended."],
  [/^POST \/services\/[^/]+\/unsuspend$/, 409, "Only a suspended service can be unsuspended."],
  [/^POST \/services\/[^/]+\/power$/, 403, suspendedOrOver],
  [/^POST \/services\/[^/]+\/power$/, 400, noBackend],
  [
    /^POST \/services\/[^/]+\/power$/,
    424,
    "The server's management controller did not do it. Check the server's state before you try again.",
  ],
  [
    /^POST \/services\/[^/]+\/change-package$/,
    409,
    [
      [/active|suspend|terminat/i, "The service must be active."],
      [/progress|under way|pending/i, "Another change is under way. Wait until it has ended."],
      [/path|way to/i, "The platform must offer a change to that product."],
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
      [/view|shared|cluster/i, "On a shared cluster such a link cannot be view-only."],
      [/vps|dedicated|kind|only/i, "Only a VPS and a dedicated server have such a link."],
    ],
  ],
  [/^(GET|POST) \/services\/[^/]+\/console/, 400, noBackend],
  [/^(GET|POST) \/services\/[^/]+\/console/, 403, suspendedOrOver],
  [
    /^[A-Z]+ \/services\/[^/]+\/backups/,
    403,
    [suspended, terminated, [/snapshot|backup/i, "The product has no snapshots."]],
  ],
  [/^[A-Z]+ \/services\/[^/]+\/backups/, 409, "Another job is using the machine's disk. Wait until it has ended."],
  [
    /^[A-Z]+ \/services\/[^/]+\/backups/,
    400,
    [
      [/dedicated/i, "A dedicated server takes no backups."],
      [/confirm|name/i, "A snapshot is restored by its exact name."],
    ],
  ],
  [
    /^POST \/services\/[^/]+\/(rescue|unrescue)$/,
    403,
    "The platform's operator does not allow the rescue system for this server.",
  ],
  [/^POST \/services\/[^/]+\/(rescue|unrescue)$/, 409, "No other job may run on the server. Wait until it has ended."],
  [
    /^PUT \/services\/[^/]+\/transit-config$/,
    403,
    "Only the platform's operator can change this setting: ask the operator.",
  ],
  [/^PUT \/services\/[^/]+\/options$/, 409, "Another change is under way on this service. Wait until it has ended."],
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
    [
      suspended,
      terminated,
      [/switched off|disabled|not enabled/i, "The platform's operator has switched game servers off."],
    ],
  ],
  [/^[A-Z]+ \/services\/[^/]+\/game/, 404, "The service has no game server, or the named item is not on it."],
  [
    /^[A-Z]+ \/services\/[^/]+\/game/,
    409,
    "If nothing runs behind the game server, only the platform's operator can set that up. Otherwise the item exists already, is locked or is one too many.",
  ],
  [
    /^[A-Z]+ \/services\/[^/]+\/game/,
    400,
    "Only the platform's game module knows the fields: ask the platform's operator for them.",
  ],
  [
    /^DELETE \/customers\//,
    400,
    "Terminate this customer's remaining services first; `/reseller service list customer=…` names it.",
  ],
  [/ /, 404, notThere],
];

/** Explains a refusal of the reseller API; null when the platform's own words must do. */
export function resellerMeaning(error: PlatformRefused): string | null {
  if (error.known) return known[error.known];
  const act = `${error.method} ${error.path.replace(/^\/reseller(?=\/)/, "")}`;
  const fits = meanings.find(([pattern, status]) => status === error.status && pattern.test(act));
  return fits === undefined ? null : meaningOf(fits[2], error.reason);
}

/** Of several reasons the one that the platform's sentence names; all of them if it names none or more than one of them. */
function meaningOf(meaning: string | Reasons, reason: string): string {
  if (typeof meaning === "string") return meaning;
  const [named, another] = meaning.filter(([word]) => word.test(reason));
  if (named && !another) return named[1];
  return meaning.map(([, text]) => text).join(" ");
}
