import { expect, test } from "vitest";
import { productId } from "../../../../src/sandbox/platform/world/catalogue.ts";
import { seededId } from "../../../../src/sandbox/platform/world/ids.ts";
import { images } from "../../../../src/sandbox/platform/world/os-images.ts";
import { createPractice, wholesaleOrder as order, type Practice } from "../client.ts";

type Before = (platform: Practice["platform"]) => unknown;
interface RefusedRequest {
  /** The body, or how it follows from the platform. */
  body?: unknown | ((platform: Practice["platform"]) => unknown);
  /** The text of the refusal, or a part of it. */
  words?: string | RegExp;
  before?: Before;
}
type Refused = [line: string, status: number, request?: RefusedRequest];

const password = "correct horse";
const anything = "11111111-1111-4111-8111-111111111111";
const { debian, windows } = images;

/** One request of several services. */
function each(names: string[], line: string, status: number, body?: unknown): Refused[] {
  return names.map((name) => [line.replace("{}", `{${name}}`), status, { body }]);
}

const unreachable: Before = (platform) => Object.assign(platform.plugin("acme-cloud"), { reachable: false });
const failing =
  (plugin: "acme-cloud" | "nimbus", verb: string): Before =>
  (platform) =>
    Object.assign(platform.plugin(plugin), { failing: [verb] });
const suspended =
  (name: string): Before =>
  (platform) =>
    platform.change(name, { status: "suspended" });
const without =
  (setting: "peerConnections" | "transitEditing" | "rescue"): Before =>
  ({ reseller }) =>
    Object.assign(reseller.settings, { [setting]: false });

const power: Refused[] = [
  ["POST /services/{arena-1}/power", 400, { body: { action: "start" }, words: /no backend/ }],
  ["POST /services/{start-only}/power", 403, { body: { action: "stop" }, words: /allowed: start/ }],
  ["POST /services/{metal-2}/power", 400, { body: { action: "start" }, words: /no management controller/ }],
  ["POST /services/{metal-broken-controller}/power", 424, { body: { action: "restart" }, words: /did not complete/ }],
  ["POST /services/{web-1}/power", 400, { body: { action: "kick" } }],
  ["POST /services/{plugin-1}/power", 503, { body: { action: "restart" }, before: unreachable }],
];

const figures: Refused[] = [
  ["GET /services/{arena-1}/stats", 400],
  ["GET /services/{plugin-1}/stats", 503, { before: unreachable }],
  ...each(["arena-1", "plugin-1", "rack-1"], "GET /services/{}/traffic?range=24h", 400),
  ["GET /services/{web-1}/traffic?range=2h", 400, { words: /"field":"range"/ }],
  ...each(["metal-2", "web-1"], "GET /services/{}/health", 400),
  ...each(["leased-1", "arena-1", "rack-1"], "GET /services/{}/os-templates", 400),
];

const reinstalls: Refused[] = [
  ["POST /services/{web-1}/reinstall", 400, { body: { osTemplate: "debian", password }, words: /uuid/ }],
  ["POST /services/{web-1}/reinstall", 404, { body: { osTemplate: anything, password }, words: "OS image not found" }],
  ["POST /services/{web-1}/reinstall", 409, { body: { osTemplate: windows.id, password }, words: /not offered/ }],
  ["POST /services/{web-1}/reinstall", 400, { body: { osTemplate: debian.id }, words: /password is required/ }],
  ["POST /services/{web-1}/reinstall", 400, { body: { osImageId: debian.id, password: "short" }, words: /at least 8/ }],
  ["POST /services/{no-power}/reinstall", 403, { body: { osTemplate: debian.id, password }, words: /switched off/ }],
  [
    "POST /services/{suspended-1}/reinstall",
    403,
    { body: { osTemplate: debian.id, password }, words: "The service is suspended" },
  ],
  [
    "POST /services/{gone-1}/reinstall",
    403,
    { body: { osTemplate: debian.id, password }, words: "The service is terminated" },
  ],
  ["POST /services/{moving-1}/reinstall", 409, { body: { osTemplate: debian.id, password }, words: /disk job/ }],
  ["POST /services/{metal-1}/reinstall", 404, { body: { osTemplate: windows.id }, words: "OS image not found" }],
  ["POST /services/{metal-pending}/reinstall", 409, { body: { osTemplate: debian.id }, words: /still being built/ }],
  ["POST /services/{plugin-1}/reinstall", 400, { body: { osTemplate: debian.id, password }, words: /no template/ }],
  ["POST /services/{leased-1}/reinstall", 400, { body: {}, words: "osTemplate is required" }],
  ["POST /services/{arena-1}/reinstall", 400, { body: { osTemplate: "x" }, words: /no backend/ }],
  [
    "POST /services/{plugin-2}/reinstall",
    503,
    { body: { osTemplate: "debian-13-minimal", password }, before: failing("nimbus", "reinstall") },
  ],
  ["POST /services/{web-1}/password", 400, { body: { password: "short" } }],
  ...each(["web-1", "plugin-1"], "POST /services/{}/password", 400),
  ["POST /services/{db-2}/password", 409, { body: { password }, words: "The machine is not running" }],
  ...each(["no-power", "suspended-1"], "POST /services/{}/password", 403, { password }),
];

const peers = "Peer connections are disabled on this platform";
const cast = "POST /services/{web-1}/console-cast";
const consoles: Refused[] = [
  ...["GET /services/{}/console", "POST /services/{}/console-session"].flatMap((line) => [
    ...each(["db-2", "build-2"], line, 409),
    ...each(["shared-1", "suspended-1", "gone-1"], line, 403),
    ...each(["metal-2", "arena-1"], line, 400),
  ]),
  ["POST /services/{web-1}/console-session", 403, { words: peers, before: without("peerConnections") }],
  [cast, 403, { words: peers, before: without("peerConnections") }],
  ...each(["arena-1", "plugin-1"], "POST /services/{}/console-cast", 400, {}),
  ...each(["shared-1", "suspended-1"], "POST /services/{}/console-cast", 403, {}),
  ["POST /services/{outsider-1}/console-cast", 404, { body: {} }],
  ...[
    { openTtlSeconds: 59 },
    { openTtlSeconds: 604_801 },
    { viewerTtlSeconds: 299 },
    { viewerTtlSeconds: 43_201 },
    { viewOnly: "yes" },
  ].map((body): Refused => [cast, 400, { body }]),
  // A VPS on a shared cluster has no link that only views.
  [
    cast,
    400,
    { body: { viewOnly: true }, before: (platform) => platform.change("web-1", { capabilities: { shared: true } }) },
  ],
  [`DELETE /services/{web-1}/console-cast/${anything}`, 404],
];

const copies: Refused[] = [
  ["POST /services/{metal-1}/capture", 400, { body: { name: "x" } }],
  ...each(["no-snapshots", "gone-1"], "POST /services/{}/capture", 403, { name: "x" }),
  ["POST /services/{web-1}/capture", 400, { body: {} }],
  ["POST /services/{moving-1}/capture", 409, { body: { name: "x" } }],
  ...["GET", "POST"].flatMap((method) =>
    each(["suspended-1", "gone-1", "no-snapshots", "build-1"], `${method} /services/{}/backups`, 403),
  ),
  ["POST /services/{plan-without-snapshots}/backups", 409, { body: { name: "x" } }],
  [`DELETE /services/{web-1}/backups/${anything}`, 404],
  ["POST /services/{metal-1}/backups", 400],
  ["POST /services/{plugin-1}/backups", 403, { before: suspended("plugin-1") }],
  ["POST /services/{plugin-1}/backups", 503, { before: failing("acme-cloud", "backups.create") }],
];

const transit = { customerAsn: 64_501, announcedPrefixes: ["198.51.100.0/24"] };
const networks: Refused[] = [
  ["PUT /services/{metal-1}/rdns", 404, { body: { ipAddressId: anything, hostname: null } }],
  ["PUT /services/{web-1}/rdns", 400, { body: { ipAddressId: anything, hostname: null } }],
  ["PUT /services/{transit-1}/transit-config", 400, { body: { announcedPrefixes: ["everything"] } }],
  ["PUT /services/{web-1}/transit-config", 400, { body: transit }],
  ["PUT /services/{transit-1}/transit-config", 403, { body: transit, before: without("transitEditing") }],
  ["POST /services/{metal-1}/ssh-keys", 400, { body: { publicKey: "nonsense", name: "laptop" } }],
  ["POST /services/{metal-1}/ssh-keys", 400, { body: {} }],
  ["POST /services/{metal-1}/ssh-keys", 404, { body: { sshKeyId: anything } }],
  ["GET /services/{web-1}/ssh-keys", 400],
  ["POST /services/{metal-1}/unrescue", 409],
  ["POST /services/{metal-1}/rescue", 403, { before: without("rescue") }],
  [
    "POST /services/{metal-1}/rescue",
    409,
    { words: /deploying/, before: (platform) => platform.change("metal-1", { provision_state: "deploying" }) },
  ],
  ["POST /services/{web-1}/rescue", 400],
];

const plugins: Refused[] = [
  ["POST /services/{plugin-1}/ui-action/no-such", 404, { body: {} }],
  ["POST /services/{plugin-1}/ui-action/wipe-host", 403, { body: {} }],
  ["POST /services/{web-1}/ui-action/rebuild-network", 400, { body: {} }],
  ["POST /services/{plugin-1}/ui-action/rebuild-network", 400, { body: { params: 4 } }],
  ["POST /services/{plugin-1}/ui-action/rebuild-network", 503, { body: {}, before: unreachable }],
];

const game = "/services/{arena-1}/game";
const files: Refused[] = [
  [`POST ${game}/files/write`, 400, { body: { path: "../etc/passwd", content: "x" } }],
  [`POST ${game}/files/write`, 400, { body: { path: "/a/../../b", content: "x" } }],
  [`POST ${game}/files/write`, 400, { body: { content: "x" } }],
  [`POST ${game}/files/chmod`, 400, { body: { path: "/server.properties", mode: "999" } }],
  [`POST ${game}/files/decompress`, 400, { body: { path: "/server.properties" } }],
  [`POST ${game}/files/upload`, 400, { body: { path: "/", name: "a/b", content: "" } }],
  [`POST ${game}/files/upload`, 400, { body: { path: "/", name: "a", content: "***" } }],
  [`POST ${game}/files/defragment`, 404, { body: {} }],
  [`GET ${game}/files/read`, 400],
  [`GET ${game}/files/read?path=/none`, 404],
  [`GET ${game}/files/download?path=/world/`, 404],
];
const games: Refused[] = [
  ...files,
  [`POST ${game}/power/dance`, 400],
  ...["power/start", "console", "backups"].map((path): Refused => [`POST /services/{arena-stubbed}/game/${path}`, 409]),
  ...each(["web-1", "arena-unlinked"], "GET /services/{}/game", 404),
  [`GET ${game}/files`, 403, { before: ({ settings }) => Object.assign(settings.modules, { game: false }) }],
  ...["POST /power/start", "POST /files/mkdir", "POST /backups", "PATCH /vars", "POST /sftp/rotate", "POST /mods"].map(
    (line): Refused => [line.replace(" ", ` ${game}`), 403, { before: suspended("arena-1") }],
  ),
  [`PATCH ${game}/vars`, 400, { body: { MOTD: "No", NOPE: "x" } }],
  [`PATCH ${game}/vars`, 400, { body: { MOTD: 4 } }],
  [`PATCH ${game}/backups`, 400, { body: { name: "whose" } }],
  [`PATCH ${game}/schedules`, 400, { body: { name: "Whose" } }],
  [`POST ${game}/schedules`, 400, { body: { name: "Weekly", cron: "monday", action: "backup" } }],
  [`POST ${game}/schedules/99/run`, 404],
  [`POST ${game}/mods`, 404, { body: { project: "deep-caves", version: "9" } }],
  [`POST ${game}/mods`, 404, { body: { project: "none" } }],
  [`GET ${game}/mods/versions`, 400],
];

const option = (optionId: string, quantity = 1) => [{ optionId, quantity }];
const changes: Refused[] = [
  ["PUT /services/{web-1}/options", 400, { body: { options: option(anything) }, words: /11111111/ }],
  ["PUT /services/{web-1}/options", 400, { body: { options: option("backup") }, words: /optionId/ }],
  [
    "PUT /services/{web-1}/options",
    400,
    { body: { options: [], externalReference: "x".repeat(91) }, words: /externalReference/ },
  ],
  ["PUT /services/{rack-1}/options", 400, { body: { options: option(anything) } }],
  ...(
    [
      ["web-2", "Metal 1", 409, "No upgrade path"],
      ["web-2", "VPS withdrawn", 404, "Product not found"],
      ["cache-1", "VPS M plus", 400, "Product is not sold on the 'hourly' billing cycle"],
      ["suspended-1", "VPS L", 403, "The service is suspended"],
      ["waiting-1", "VPS L", 409, "The service is pending_payment, not active"],
    ] as const
  ).map(
    ([name, to, status, words]): Refused => [
      `POST /services/{${name}}/change-package`,
      status,
      { body: { productId: productId(to) }, words },
    ],
  ),
];

const badField = (field: string) => new RegExp(`"field":"${field}"`);
/** An order of an image of the team. */
const ofImage =
  (name: string, configuration: object = {}) =>
  (platform: Practice["platform"]) =>
    order({}, { custom_image_id: seededId("custom-image", platform.find("web-1").holder, name), ...configuration });
const backup = seededId("option", "backup");
const failedOrders: Refused[] = (
  [
    [404, order({ productId: anything }), "Product not found"],
    [400, order({ productId: "vps-m" }), badField("productId")],
    [
      400,
      order({ productId: productId("VPS M plus"), billingCycle: "hourly" }),
      /not sold on the 'hourly' billing cycle/,
    ],
    [400, order({ billingCycle: "daily" }), badField("billingCycle")],
    [400, order({}, { location: undefined }), "A datacentre must be selected"],
    [400, order({}, { location: "xx-nowhere" }), /not sold in the datacentre/],
    [409, order({}, { location: "fi-hel" }), /sold out/],
    [400, order({}, { hostname: "web" }), badField("configuration.hostname")],
    [404, order({}, { osImageId: anything }), "OS image not found"],
    [400, order({ options: option(anything) }), /11111111-1111/],
    [400, order({ options: option(backup, 2) }), /at most 1 times/],
    [400, order({ options: Array.from({ length: 51 }, () => ({ optionId: backup })) }), badField("options")],
    [400, order({ quantity: 101 }), badField("quantity")],
    [400, order({ externalOrderId: "x".repeat(101) }), badField("externalOrderId")],
    // A plugin's form asks for it.
    [400, order({ productId: productId("Mail hosting") }), badField("configuration.domain")],
    [409, ofImage("crowded-node"), /node-7/],
    [400, ofImage("huge-disk"), /smaller than the image/],
    [400, order({ paymentMethodId: "none" }), "There is no such payment method"],
  ] as const
).map(([status, body, words]): Refused => ["POST /orders", status, { body, words }]);
const limitedOrders: Refused[] = [
  [
    "POST /orders",
    409,
    {
      body: ofImage("golden-web"),
      words: "The image is capturing",
      before: (platform) => platform.changeImage("golden-web", { status: "capturing" }),
    },
  ],
  ["POST /orders", 409, { body: ofImage("golden-web", { node: "node-1" }), words: "The image is on the node node-7" }],
  [
    "POST /orders",
    400,
    {
      body: order(),
      words: "The minimum order amount is 50.00; this order is 8.00",
      before: ({ reseller }) => Object.assign(reseller.settings, { minimumOrder: 5000 }),
    },
  ],
  [
    "POST /orders",
    409,
    {
      body: order(),
      words: "Quantity limit reached",
      before: ({ reseller }) => reseller.settings.caps.set(productId("VPS M"), 1),
    },
  ],
];

const customer = { externalCustomerId: "x" };
const account: Refused[] = [
  ["POST /customers", 400, { body: {}, words: /"field":"externalCustomerId"/ }],
  ["POST /customers", 400, { body: { externalCustomerId: "x".repeat(101) }, words: /"field":"externalCustomerId"/ }],
  [
    "POST /customers",
    400,
    { body: { ...customer, externalCustomerName: "x".repeat(256) }, words: /"field":"externalCustomerName"/ },
  ],
  [
    "POST /customers",
    400,
    { body: { ...customer, externalCustomerEmail: "nobody" }, words: /"field":"externalCustomerEmail"/ },
  ],
  ["PUT /payment-methods/none/default", 404],
  ["GET /orders?limit=none", 400],
  ["GET /services/web-1", 400, { words: /"field":"serviceId"/ }],
  ...[
    "rackbell.example/hook",
    "ftp://rackbell.example",
    "http://127.0.0.1:3000/",
    "https://10.1.2.3/",
    "https://192.168.1.1/hook",
    "https://[::1]/hook",
    "https://[fd00::1]/hook",
    "https://localhost/hook",
    "https://intranet/hook",
  ].map((webhookUrl): Refused => ["PUT /account/webhook", 400, { body: { webhookUrl } }]),
  ["POST /webhooks/test", 400, { words: "No webhook URL configured" }],
];

test.each([
  ...[...power, ...figures, ...reinstalls, ...consoles, ...copies, ...networks, ...plugins],
  ...[...games, ...changes, ...failedOrders, ...limitedOrders, ...account],
])("%s is refused with %i, and charges nothing (%#)", async (line, status, { body, words, before } = {}) => {
  const { resell, platform } = await createPractice();
  before?.(platform);
  const refused = await resell(line, { body: typeof body === "function" ? body(platform) : body });
  expect(refused).toMatchObject({ status, body: { success: false } });
  if (typeof words === "string") expect(refused).toMatchObject({ body: { error: words } });
  else if (words) expect(JSON.stringify(refused.body)).toMatch(words);
  expect(platform.reseller.webhookUrl()).toBeNull();
  expect(platform.reseller.orders()).toEqual([]);
});
