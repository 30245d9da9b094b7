import { expect, test } from "vitest";
import { cards, passRound, read } from "../polled.ts";
import { rest } from "../rest.ts";
import { type Story, said } from "../story.ts";

const minute = 60_000;

/** From now on, the first row of these lists is off the contract. */
function breakFirstRow({ platform }: Story, path: RegExp): void {
  const rewrite = (body: unknown): unknown => {
    let isBroken = false;
    return JSON.parse(JSON.stringify(body), (_, value) => {
      if (isBroken || !Array.isArray(value) || typeof value[0]?.status !== "string") return value;
      isBroken = true;
      return [{ ...value[0], id: {}, serviceId: {} }, ...value.slice(1)];
    });
  };
  platform.faults.next({ how: { rewrite }, method: "GET", path, times: 10_000 });
}

/** Lets time pass until an admin has a direct message that says so. */
async function notice({ ana, clock }: Story, words: string): Promise<string> {
  const find = () =>
    ana
      .sees("dm")
      .map(said)
      .find((text) => text.includes(words));
  for (let times = 0; times < 25 && !find(); times += 1) {
    clock.skip(11 * minute);
    await rest(1_000);
  }
  return find() ?? "";
}

/** The lists of each API, and the number of those that have a row here. */
const lists = {
  customer: { path: /^\/(vps|custom-images|invoices|proformas|orders|services|dedicated)$/, broken: 9 },
  reseller: { path: /^\/reseller\/(services|orders)$/, broken: 4 },
};

for (const api of ["customer", "reseller"] as const)
  test(`admins are notified of the rows of each ${api} list that cannot be read, until all can`, async () => {
    const story = await read({ apis: [api] });
    const { ana, platform } = story;
    const { path, broken } = lists[api];
    breakFirstRow(story, path);
    expect(await notice(story, `Polling cannot read ${broken} rows of`)).toContain("Rackbell's log names them");
    await story.ask(ana, "/rackbell alerts", `I cannot read ${broken} rows of`);
    platform.faults.resume();
    expect(await notice(story, "again. It could not since")).toContain(":white_check_mark: Polling reads");
  });

test("a machine of which the platform does not say when it was last seen alerts as any other", async () => {
  const story = await read();
  const { platform } = story;
  const rewrite = (body: unknown): unknown =>
    JSON.parse(JSON.stringify(body), (name, value) => (name === "updated_at" ? null : value));
  platform.faults.next({ how: { rewrite }, method: "GET", path: /^\/vps$/, times: 10_000 });
  await passRound(story, { minutes: 6 });
  platform.change("web-1", { instance: { state: "error" } });
  await passRound(story, { minutes: 6 });
  await story.passes(() => cards(story, "web-1")[0], "the alert");
});
