import { describe, expect, test } from "vitest";
import { errorText } from "../../../src/messages/answers/error-text.ts";
import { PlatformRefused } from "../../../src/platform/http/errors.ts";
import { anyRoute } from "../../../src/platform/reseller/refusals.ts";
import { endpoints } from "../../platform/endpoints.ts";
import { type FailedCall, failedCalls } from "../../platform/failed-calls.ts";

const now = Date.parse("2026-11-22T00:00:00Z");

async function calls(): Promise<FailedCall[]> {
  return (await failedCalls()).filter(({ api }) => api === "reseller");
}

async function refusal(route: string, status: number, more: object = {}): Promise<PlatformRefused> {
  const call = (await calls()).find((one) => one.route === route);
  if (!call) throw new Error(`No call of ${route}`);
  return new PlatformRefused(call, { status, reason: "It said no", ...more });
}

const service = (method: string, rest: string) => `${method} /services/{serviceId}/${rest}`;
const orders = "POST /orders";
const retry = "POST /orders/{orderId}/retry";
const change = service("POST", "change-package");
const options = service("PUT", "options");
const power = service("POST", "power");
const reinstall = service("POST", "reinstall");
const password = service("POST", "password");
const rescue = [service("POST", "rescue"), service("POST", "unrescue")];
const consoles = [service("GET", "console"), service("POST", "console-session")];
const casts = [service("GET", "console-cast"), service("POST", "console-cast")];
const restores = [
  service("POST", "backups/{backupId}/restore"),
  service("DELETE", "backups/{backupId}"),
  service("POST", "backups"),
];
const backups = [service("GET", "backups"), ...restores];
const game = [...new Set(endpoints.reseller.map(({ route }) => route))].filter((route) => route.includes("}/game"));
const controls = [power, reinstall, password, ...consoles, ...casts];

/** The sentences of the platform, by route and status, and the reason that Rackbell states for it. Reseller spec sections 1.1, 4.1 to 4.3, 6 and 7. */
const rows: [routes: string | string[], status: number, sentence: string, states: RegExp][] = [
  [[orders, change], 404, "It said no", /not in your catalogue/],
  [[orders, change], 400, "Product is not sold on the 'annually' billing cycle", /names the cycles/],
  [orders, 400, "A datacentre must be selected", /needs a datacentre/],
  [[orders, retry, change, options], 400, "Insufficient credit balance: 4.60 needed, 1.00 available", /Add credit/],
  [[orders, retry, change, options], 400, "4,60 EUR is more than the 1,00 EUR that you have", /Add credit/],
  [orders, 400, "The minimum order amount is 50.00", /order more/],
  [orders, 400, "These options are not sold with this product", /Correct the order/],
  [orders, 409, "Quantity limit reached", /limit for this product/],
  [orders, 409, "The image is capturing", /still being captured/],
  [orders, 409, "The node node-7 that holds the image has no room", /on one node, which is full/],
  [orders, 409, "The image is on another node than the location asks for", /in another datacentre/],
  [retry, 409, "Another attempt is in flight", /Another attempt is under way/],
  [retry, 409, "The order was placed in the panel", /is paid there/],
  [retry, 400, "The card was declined", /check the payment method/],
  [retry, 400, "Insufficient funds", /check the payment method/],
  [retry, 400, "The order is already paid", /A paid order is not charged again/],
  [retry, 400, "It awaits its invoice", /awaits its invoice/],
  [change, 409, "The service is not active", /must be active/],
  [change, 409, "An upgrade is already in progress", /Another change is under way/],
  [change, 409, "No upgrade path", /offers no change/],
  [service("POST", "capture"), 409, "Another capture is running", /Another capture is under way/],
  [service("POST", "capture"), 409, "The machine is busy", /machine is busy/],
  [options, 409, "A change is in progress", /Another change is under way/],
  [service("POST", "suspend"), 409, "It said no", /Only an active service/],
  [service("POST", "unsuspend"), 409, "It said no", /Only a suspended service/],
  [controls, 403, "The service is suspended", /suspended service cannot be started/],
  [controls, 403, "The service is terminated", /terminated service/],
  [controls, 403, "The control is switched off", /has switched this off for its product/],
  [[power, ...consoles], 400, "This server has no management controller", /without a management controller/],
  [[power, ...consoles], 400, "No backend", /No backend that Rackbell can reach/],
  [power, 424, "It said no", /management controller did not do it/],
  [reinstall, 404, "Unknown image", /no such system/],
  [[reinstall, password], 409, "Debian 13 is not offered for this product", /cannot be installed/],
  [[reinstall, password], 409, "A reinstall is in progress", /Another reinstall is under way/],
  [[reinstall, password], 409, "The machine is not running", /the machine must run/],
  [[reinstall, password], 400, "A password is required", /8 characters/],
  [[reinstall, password], 400, "Not a uuid", /by its id/],
  [[reinstall, password], 400, "No such template", /by its name/],
  [consoles, 409, "The machine has no display yet", /display is not up yet/],
  [consoles, 409, "The machine is stopped", /machine that runs/],
  [casts, 400, "A link on a shared cluster has full access", /cannot be view-only/],
  [casts, 400, "This is no dedicated server", /Only a VPS and a dedicated server/],
  [backups, 403, "The service is suspended", /suspended service/],
  [backups, 403, "The service is terminated", /terminated service/],
  [backups, 403, "This product has no snapshots", /no snapshots/],
  [backups, 409, "Another disk job runs", /using the machine's disk/],
  [backups, 400, "This is a dedicated server", /takes no backups/],
  [backups, 400, "confirm must be equal", /exact name/],
  [rescue, 403, "The rescue system is off", /does not allow the rescue system/],
  [rescue, 409, "The server is in another state", /No other job may run/],
  [service("PUT", "transit-config"), 403, "Self-service editing is off", /can change this setting/],
  ["DELETE /images/{imageId}", 409, "The image is capturing", /still being captured/],
  ["DELETE /images/{imageId}", 409, "The image is in use", /is in use/],
  ["DELETE /customers/{customerId}", 400, "2 services remain", /Terminate this customer's remaining services/],
  ["POST /webhooks/test", 400, "No webhook URL configured", /has no webhook address/],
  [game, 403, "The service is suspended", /suspended service/],
  [game, 403, "The service is terminated", /terminated service/],
  [game, 403, "Game servers are not enabled", /switched game servers off/],
  [game, 404, "It said no", /has no game server, or the named item/],
  [game, 409, "No runtime is attached", /Nothing runs behind the game server/],
  [game, 409, "It exists", /exists already/],
  [game, 409, "The backup is locked", /is locked/],
  [game, 409, "Too many schedules", /one too many/],
  [game, 400, "It said no", /Only the platform's game module knows the fields/],
  [
    [service("GET", "network"), ...controls],
    403,
    "Peer connections are disabled on this platform",
    /switched this off for everybody/,
  ],
  [service("GET", "network"), 404, "It said no", /belongs to somebody else/],
];

const single = rows.flatMap(([routes, ...row]) => [routes].flat().map((route) => [route, ...row] as const));

describe("a refusal of the reseller API", () => {
  test.each(single)("%s with %i and “%s” states that reason, what was said, and what it left", async (...row) => {
    const [route, status, reason, states] = row;
    const { text } = errorText(await refusal(route, status, { reason }), now);
    expect(text).toContain(`The platform said no: ${reason}.`);
    expect(text).toMatch(states);
    expect(text).not.toContain("Perhaps");
    expect(/Nothing (changed|was charged)\./.test(text)).toBe(!route.startsWith("GET "));
  });

  test("has no declared reason that no row above proves for its route; one that any route may have, for any", async () => {
    const stated = await Promise.all(
      single.map(async ([route, status, reason]) => ({
        route,
        text: errorText(await refusal(route, status, { reason }), now).text,
      })),
    );
    for (const { route, facts } of await calls())
      for (const declared of facts?.refusals ?? []) {
        const { status, means = "", spec } = declared;
        const texts = stated.filter((one) => one.route === route || anyRoute.includes(declared));
        expect(spec, `the section of ${route} ${status}`).toMatch(/^\d+(\.\d+)?$/);
        expect(texts.map(({ text }) => text).join("\n"), `${route} ${status}: add a row to this test`).toContain(means);
      }
  });

  test("in words that name none of several reasons is explained by guesses, which are called guesses", async () => {
    for (const { route, facts } of await calls())
      for (const status of new Set(facts?.refusals.map((one) => one.status))) {
        const { text } = errorText(await refusal(route, status, { reason: "Nobody knows why" }), now);
        const declared = facts?.refusals.filter((one) => one.status === status) ?? [];
        const certain = declared.find(({ says, means }) => says === undefined && means !== undefined);
        const [facts_, guesses = ""] = text.split("Perhaps");
        for (const { means, says } of declared) {
          if (means === undefined) continue;
          expect(facts_?.includes(means), `${route} ${status}: ${means}`).toBe(means === certain?.means);
          // A sentence that the spec fixes was not said, nor the figures of a balance, so they are no guesses either.
          expect(guesses.includes(means), `${route} ${status}: ${means}`).toBe(!certain && says instanceof RegExp);
        }
      }
  });

  test("whose words fit two reasons is explained by these two alone", async () => {
    const reason = "The order of 3.80 is below the minimum of 50.00";
    const { text } = errorText(await refusal(orders, 400, { reason }), now);
    const [, ...guesses] = text.split("\n• ");
    expect(guesses).toEqual([expect.stringContaining("Add credit"), expect.stringContaining("order more")]);
  });

  test("of an order without an image says nothing of an image that the platform did not say", async () => {
    const { text } = errorText(await refusal(orders, 409, { reason: "Sold out" }), now);
    expect(text.split("Perhaps")[0]).not.toMatch(/image|node|datacentre/);
  });

  test("a provider that refuses or is switched off is reported as that, and not as a fault of the platform", async () => {
    const { text } = errorText(await refusal(service("POST", "ui-action/{action}"), 503), now);
    expect(text).toContain("A provider behind the platform refused, or is switched off");
    expect(text).toContain("Nothing changed.");
  });

  test("offers the way to a missing webhook address", async () => {
    const error = await refusal("POST /webhooks/test", 400, { reason: "No webhook URL configured" });
    expect(errorText(error, now).next).toMatchObject([{ command: "reseller webhook address" }]);
  });

  test("only a rejected key is offered to be linked anew: a signature is nobody's own", async () => {
    expect(errorText(await refusal(orders, 401, { auth: "signature wrong" }), now).next).toEqual([]);
    expect(errorText(await refusal(orders, 401, { auth: "key rejected" }), now).next).toHaveLength(1);
  });
});
