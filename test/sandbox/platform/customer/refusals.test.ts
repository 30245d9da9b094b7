import { expect, test } from "vitest";
import type { KeyLabel } from "../../../../src/sandbox/platform/practice-platform.ts";
import { productId } from "../../../../src/sandbox/platform/world/catalogue.ts";
import { images } from "../../../../src/sandbox/platform/world/os-images.ts";
import { createPractice, type Practice, refusal } from "../client.ts";

type Before = (platform: Practice["platform"]) => unknown;
type Refused = [line: string, expected: object, request?: { body?: unknown; as?: KeyLabel; before?: Before }];

const password = "long enough";
const missing = "00000000-0000-4000-a000-000000000000";
const { debian, ubuntu, windows } = images;
const reinstall = { image_id: debian.id, password };

const badRequest = refusal(400, "BAD_REQUEST");
const forbidden = refusal(403, "FORBIDDEN");
const conflict = refusal(409, "CONFLICT");
const notFound = refusal(404, "NOT_FOUND");
const otherProject = refusal(403, "PROJECT_SCOPE_MISMATCH");
const badField = (field: string) => refusal(400, "BAD_REQUEST", { details: [{ field }] });
const because = (status: number, code: string, error: string) => refusal(status, code, { error });

const noMachine = because(404, "NOT_FOUND", "No VPS instance is linked to this service yet");
const withoutVps: Before = ({ settings }) => Object.assign(settings.modules, { native_vps: false });
const withoutMetal: Before = ({ settings }) => Object.assign(settings.modules, { inventory: false });
const withoutGames: Before = ({ settings }) => Object.assign(settings.modules, { game: false });
const viewsOnly: Before = (platform) => platform.changeUser("ben", { permissions: new Set(["services.view"]) });
const suspended =
  (name: string): Before =>
  (platform) =>
    platform.change(name, { status: "suspended" });

const machines: Refused[] = [
  ["GET /vps?page=0", badField("page")],
  ["POST /vps/{build-1}/reboot", noMachine],
  ["POST /vps/{build-1}/reinstall", noMachine, { body: reinstall }],
  ["POST /vps/{build-1}/password", noMachine, { body: { password } }],
  ["POST /vps/{web-1}/reinstall", badField("password"), { body: { ...reinstall, password: "short" } }],
  ["POST /vps/{web-1}/reinstall", badField("image_id"), { body: { image_id: windows.id, password } }],
  ["POST /vps/{web-1}/reinstall", badField("image_id"), { body: { password } }],
  ["POST /vps/{web-1}/reinstall", refusal(400, "INVALID_JSON"), { body: "{half" }],
  ["POST /vps/{web-1}/reinstall", badRequest, { body: [1] }],
  ...["build-2", "orphan-1", "wiping-1"].map((name): Refused => [`POST /vps/{${name}}/start`, conflict]),
  ...["suspended-1", "gone-1", "frozen-1", "shared-1", "no-power"].map(
    (name): Refused => [`POST /vps/{${name}}/start`, forbidden],
  ),
  ["POST /vps/{start-only}/reboot", forbidden],
  ["POST /vps/{start-only}/power/hibernate", badRequest],
  [
    "POST /vps/{plugin-2}/restart",
    refusal(403, "ACTION_NOT_ALLOWED"),
    { before: (platform) => platform.change("plugin-2", { instance: { state: "running" } }) },
  ],
  ["POST /vps/{plugin-2}/reinstall", refusal(400, "ACTION_UNKNOWN"), { body: { template: debian.id, password } }],
  ["POST /vps/{web-1}/start", forbidden, { before: withoutVps }],
  ["GET /vps/{web-1}/stats", because(403, "FORBIDDEN", "The VPS module is not available"), { before: withoutVps }],
  ["GET /vps/{web-1}/snapshots", refusal(403, "FEATURE_DISABLED"), { before: withoutVps }],
  [
    "POST /vps/{web-1}/start",
    refusal(503, "PROVIDER_UNAVAILABLE"),
    { before: ({ settings }) => Object.assign(settings, { hypervisorDown: true }) },
  ],
  ["PATCH /vps/{web-1}", badRequest, { body: { project: "nowhere" } }],
  ["PATCH /vps/{web-1}", otherProject, { body: { project: "staging" }, as: "bound" }],
  ["POST /dedicated/{metal-1}/power", badRequest, { body: { action: "spin" } }],
  ["POST /dedicated/{metal-pending}/power/on", conflict],
  ["POST /dedicated/{metal-suspended}/power/on", forbidden],
  ...["", "/{metal-1}", "/{metal-1}/traffic"].map(
    (path): Refused => [`GET /dedicated${path}`, refusal(403, "FEATURE_DISABLED"), { before: withoutMetal }],
  ),
  ...["ips", "power-status", "provision-status", "os-images", "stats", "traffic"].map(
    (part): Refused => [`GET /dedicated/{web-1}/${part}`, notFound],
  ),
];

const servicesOfAnyKind: Refused[] = [
  ["POST /services/{plugin-1}/actions/wipe-host", refusal(403, "ACTION_NOT_ALLOWED"), { body: {} }],
  ["POST /services/{plugin-1}/actions/dance", refusal(400, "ACTION_UNKNOWN"), { body: {} }],
  ["POST /services/{web-1}/actions/rebuild-network", refusal(400, "ACTION_UNKNOWN")],
  [
    "POST /services/{plugin-1}/actions/rebuild-network",
    refusal(503, "PROVIDER_ERROR"),
    { body: {}, before: (platform) => Object.assign(platform.plugin("acme-cloud"), { failing: ["rebuild-network"] }) },
  ],
  [
    "POST /services/{plugin-1}/actions/rebuild-network",
    refusal(503, "PROVIDER_UNAVAILABLE"),
    { body: {}, before: (platform) => Object.assign(platform.plugin("acme-cloud"), { reachable: false }) },
  ],
  // Only the route for actions has a code of its own for a member's missing permission.
  [
    "POST /services/{plugin-1}/actions/rebuild-network",
    refusal(403, "PERMISSION_DENIED"),
    { body: {}, as: "ben", before: viewsOnly },
  ],
  [
    "POST /services/{plugin-1}/power/start",
    because(403, "FORBIDDEN", "Insufficient permissions"),
    { body: {}, as: "ben", before: viewsOnly },
  ],
  ["POST /services/{mailboxes}/actions/purge", forbidden, { before: suspended("mailboxes") }],
  ["POST /services/{mailboxes}/password", badRequest, { body: { password } }],
  ["POST /services/{arena-1}/reinstall", badRequest, { body: { image_id: ubuntu.id, password } }],
  ["POST /services/{web-1}/backups", refusal(400, "ACTION_UNKNOWN")],
  [`POST /services/{plugin-1}/backups/${missing}/restore`, notFound],
  ["PATCH /services/{web-1}", otherProject, { body: { projectId: null }, as: "bound" }],
  ["POST /services/{arena-1}/game/power/dance", refusal(400, "game.power_action_unknown")],
  ["POST /services/{arena-1}/game/power/start", forbidden, { before: suspended("arena-1") }],
  ["POST /services/{arena-stubbed}/game/power/start", refusal(409, "game.capability.runtime_stubbed")],
  ["POST /services/{arena-unlinked}/game/power/start", refusal(404, "game.server_not_found")],
  ["GET /services/{web-1}/game", refusal(404, "game.server_not_found")],
  ["GET /services/{arena-1}/game", refusal(403, "game.module_disabled"), { before: withoutGames }],
  ...["build-1", "build-2", "cancelled-1", "gone-1", "suspended-1"].map(
    (name): Refused => [`POST /services/{${name}}/cancel`, badRequest],
  ),
  // A reason has at least two words. Cancelling needs a scope of its own, keeping another; and there is nothing to keep.
  ["POST /services/{web-1}/cancel", badField("reason"), { body: { reason: "because" } }],
  [
    "POST /services/{web-1}/cancel",
    refusal(403, "SCOPE_REQUIRED", { scope: "destructive" }),
    { as: "ben", before: (platform) => platform.setScopes(platform.keys.ben, ["read", "services"]) },
  ],
  ["DELETE /services/{web-1}/cancel", badRequest],
  ["DELETE /services/{web-1}/cancel", refusal(403, "SCOPE_REQUIRED", { scope: "services" }), { as: "dave" }],
];

const snapshotsAndImages: Refused[] = [
  ...["-leading", "with space", "ümlaut", "x".repeat(121), "", "auto-1"].map(
    (name): Refused => ["POST /vps/{web-2}/snapshots", badField("name"), { body: { name } }],
  ),
  ["POST /vps/{web-2}/snapshots", conflict, { body: { name: "clean" } }],
  [
    "POST /vps/{worker-3}/snapshots",
    because(409, "CONFLICT", "The maximum number of snapshots is reached"),
    { body: { name: "more" } },
  ],
  // A suspended server does not even show its snapshots.
  ["GET /vps/{suspended-1}/snapshots", because(403, "FORBIDDEN", "The service is suspended")],
  ["GET /vps/{no-snapshots}/snapshots", forbidden],
  ...["no-snapshots", "suspended-1"].map(
    (name): Refused => [`POST /vps/{${name}}/capture`, forbidden, { body: { name: "golden" } }],
  ),
  ...["build-2", "moving-1"].map(
    (name): Refused => [`POST /vps/{${name}}/capture`, conflict, { body: { name: "golden" } }],
  ),
  ["POST /vps/{web-2}/capture", conflict, { body: { name: "golden-web" } }],
  [
    "POST /vps/{web-2}/capture",
    conflict,
    { body: { name: "one-more" }, before: ({ settings }) => Object.assign(settings, { customImagesMax: 1 }) },
  ],
];

const publicKey = `ssh-ed25519 ${Buffer.from("a practice key that opens nothing at all").toString("base64")}`;
const image = { name: "mine", sourceUrl: "https://images.example.test/a.qcow2", sha256: "0a".repeat(32) };

const projectsKeysAndImages: Refused[] = [
  ["POST /ssh-keys", badField("name"), { body: { name: "", publicKey } }],
  ["POST /ssh-keys", badField("name"), { body: { name: "n".repeat(256), publicKey } }],
  ["POST /ssh-keys", badField("publicKey"), { body: { name: "laptop", publicKey: "not a key" } }],
  ["POST /ssh-keys", badField("publicKey"), { body: { name: "laptop" } }],
  ...[
    "http://images.example.test/a",
    "https://user:word@images.example.test/a",
    "https://192.168.1.9/a",
    "https://[::1]/a",
    "https://localhost/a",
    "nonsense",
  ].map((sourceUrl): Refused => ["POST /custom-images", badField("sourceUrl"), { body: { ...image, sourceUrl } }]),
  ["POST /custom-images", badField("sha256"), { body: { ...image, sha256: "0A".repeat(32) } }],
  [
    "POST /custom-images",
    conflict,
    { body: image, before: ({ settings }) => Object.assign(settings, { customImagesMax: 5 }) },
  ],
  ["POST /projects", badField("slug"), { body: { name: "x", slug: "Not A Slug" } }],
  ["POST /projects/staging/move", badRequest, { body: {} }],
  ["PATCH /projects/production", conflict, { body: { slug: "staging" } }],
  ["DELETE /projects/production?reassignTo=nowhere", badRequest],
  ["DELETE /projects/default", badRequest],
  ...[
    "POST /projects",
    "PATCH /projects/production",
    "DELETE /projects/production",
    "POST /projects/production/move",
  ].map((line): Refused => [line, otherProject, { body: { name: "new" }, as: "bound" }]),
];

const vpsM = { productId: productId("VPS M"), billingCycle: "monthly", location: "es-mad" };
const of = (product: string) => ({ ...vpsM, productId: productId(product) });
const configured = (configOptions: object, product = "VPS M") => ({ ...of(product), configOptions });

const twoImages = refusal(400, "BAD_REQUEST", {
  details: [{ field: "custom_image_id", message: "Not together with os_image_id" }],
});
const refusedOrders = (
  [
    [badField("productId"), of("none")],
    [badField("productId"), { billingCycle: "monthly" }],
    [badField("billingCycle"), { ...of("VPS M plus"), billingCycle: "hourly" }],
    [badField("billingCycle"), { ...vpsM, billingCycle: "weekly" }],
    [badField("location"), { productId: vpsM.productId, billingCycle: "monthly" }],
    [badField("hostname"), { ...vpsM, hostname: "not a host" }],
    [badField("projectId"), { ...vpsM, projectId: "nowhere" }],
    [badField("discountCode"), { ...vpsM, discountCode: "FREE" }],
    [badField("items.0.quantity"), { items: [{ ...vpsM, quantity: 0 }] }],
    [badField("items"), { items: Array.from({ length: 51 }, () => vpsM) }],
    [badField("idempotencyKey"), { ...vpsM, idempotencyKey: "k".repeat(256) }],
    [refusal(400, "LOCATION_UNAVAILABLE"), { ...vpsM, location: "mars" }],
    [refusal(409, "LOCATION_SOLD_OUT"), { ...vpsM, location: "fi-hel" }],
    [refusal(409, "PRODUCT_UNAVAILABLE"), of("VPS without images")],
    [refusal(409, "PRODUCT_UNAVAILABLE"), of("VPS withdrawn")],
    [refusal(409, "NO_CAPACITY"), of("VPS full")],
    [twoImages, configured({ os_image_id: debian.id, custom_image_id: ubuntu.id })],
    [badField("os_image_id"), configured({ os_image_id: images.retired.id })],
    [badField("configOptions.user_data"), configured({ user_data: "echo hi" })],
    [badField("configOptions.user_data"), configured({ user_data: `#!${"x".repeat(65_536)}` })],
    [badField("configOptions.ssh_keys.0"), configured({ ssh_keys: ["ssh-nothing"] })],
    [badField("configOptions.ssh_key_ids"), configured({ ssh_key_ids: Array(21).fill(debian.id) })],
    [badField("ssh_key_ids"), configured({ ssh_key_ids: [debian.id] })],
    // Neither metal nor Windows takes user data.
    [badRequest, configured({ user_data: "#cloud-config\npackages: [git]" }, "Metal 1")],
    [badRequest, configured({ user_data: "#!/bin/sh" }, "VPS Windows")],
  ] as const
).map(([expected, body]): Refused => ["POST /orders", expected, { body }]);

test.each([...machines, ...servicesOfAnyKind, ...snapshotsAndImages, ...projectsKeysAndImages, ...refusedOrders])(
  "%s is refused as the spec has it, and charges nothing (%#)",
  async (line, expected, { before, ...request } = {}) => {
    const { ask, platform } = await createPractice();
    before?.(platform);
    const documents = platform.documents().length;
    expect(await ask(line, request)).toMatchObject(expected);
    expect(platform.documents()).toHaveLength(documents);
  },
);
