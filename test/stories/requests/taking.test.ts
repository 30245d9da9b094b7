import { expect, test } from "vitest";
import { ownRedis } from "../../storage/redis/opened.ts";
import { hasRedis } from "../../storage/redis/server.ts";
import { startAlertStory, supplierSuspends } from "../reseller/alerting.ts";
import { type Actor, everybody, fileStore, goAhead, peer, said, startStory } from "../story.ts";
import { withOther } from "../two-instances.ts";

test("one member at a time takes a request: all see who, nobody else can, and a press or an hour ends it", async () => {
  const url = fileStore();
  const story = await startStory({
    linked: ["ana", "ben", "caro"],
    environment: { APPROVALS: "peer", APPROVAL_TTL: "5h", STORE_URL: url },
  });
  const { ana, ben, caro, clock } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  const looking = `<@${ben.user.id}> took this`;
  const taken = await story.pressing(ben, request, "Take", looking);
  expect(taken.ts).toBe(request.ts);
  expect(said(await story.sees(caro, looking))).toContain("Release");
  // A client may still show the message as it was.
  await story.pressing(caro, request, "Take", "Only they can release it before");
  await story.pressing(caro, taken, "Release", "Only they can release it before");
  await story.pressing(ana, request, "Take", "only a teammate can take it");
  await story.restart();
  await story.sees(caro, looking);
  const free = await story.pressing(ben, taken, "Release", "asks to", /^(?![\s\S]*took this)/);
  const again = await story.pressing(caro, free, "Take", `<@${caro.user.id}> took this`, "It goes back");
  clock.skip(60 * 60_000 + 1_000);
  const over = await story.sees(
    ben,
    `<@${caro.user.id}> took this`,
    "No act through Rackbell followed, so nobody has it since",
  );
  expect(over.ts).toBe(again.ts);
  await story.pressing(ben, over, "Take", looking, /^(?![\s\S]*No act through)/);
  await story.pressing(caro, over, goAhead, "approved by");
  const entries = said(await story.ask(ana, "/rackbell audit", "approved"));
  expect(entries).toContain(`<@${ben.user.id}> took it.`);
  expect(entries).toContain(`<@${ben.user.id}> released it.`);
  expect(entries.split(`<@${caro.user.id}> took it. No act through Rackbell followed`)).toHaveLength(2);
});

test("a request that was taken goes back while it still waits, and the others are reminded before it expires", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], environment: peer });
  const { ana, ben, caro, clock } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  clock.skip(5 * 60_000);
  const taken = said(await story.pressing(ben, request, "Take", `<@${ben.user.id}> took this`));
  const momentAfter = (words: string) => Number(taken.split(words)[1]?.match(/<!date\^(\d+)/)?.[1]) * 1000;
  const [back, reminder, end] = [
    momentAfter("It goes back"),
    momentAfter("Next: a reminder"),
    momentAfter("It expires"),
  ];
  expect(back).toBeLessThanOrEqual(reminder);
  expect(reminder).toBeLessThan(end);
  clock.skip(reminder + 1_000 - clock.now());
  await story.sees(caro, "still awaits");
});

test("a member who takes a request and acts on it keeps it for an hour from then", async () => {
  const story = await startStory({ linked: everybody, environment: { ...peer, APPROVAL_TTL: "5h" } });
  const { ana, ben, caro, clock } = story;
  await story.ask(ana, "/rackbell policy add demand=two-approvals risk=destroy", "In effect now");
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  const taken = await story.pressing(ben, request, "Take", `<@${ben.user.id}> took this`);
  clock.skip(50 * 60_000);
  await story.pressing(ben, taken, goAhead, "1 of 2");
  clock.skip(20 * 60_000);
  await story.pressing(caro, request, "Take", "Only they can release it before");
  clock.skip(45 * 60_000);
  await story.sees(caro, "No act through Rackbell followed, so nobody has it since");
});

test.skipIf(!hasRedis)("of two members who take it at once, each by another instance, one has it", async () => {
  const redis = await ownRedis();
  const environment = { STORE_URL: redis.url, APPROVALS: "peer" };
  const story = await withOther(await startStory({ linked: ["ana", "ben", "caro"], mode: "http", environment }));
  const { ana, ben, caro } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  story.toOther();
  const first = ben.press(request, "Take");
  story.toOne();
  await Promise.all([first, caro.press(request, "Take")]);
  const taken = await story.sees(ana, "took this");
  const late = said(taken).includes(`<@${ben.user.id}> took this`) ? caro : ben;
  await story.sees(late, "Only they can release it before");
  expect(said(taken).match(/took this/g)).toHaveLength(1);
});

test("one member at a time takes an alert, and it is muted from there for an hour or until a picked time", async () => {
  const story = await startAlertStory("", { environment: { STORE_URL: fileStore() } });
  const { ana, ben, clock } = story;
  await supplierSuspends(story, "mail.example.test");
  const alert = await story.sees(ana, "is suspended");
  const buttons = alert.blocks.flatMap(({ elements }) => (Array.isArray(elements) ? elements : []));
  expect(buttons.filter(({ type }) => type === "button").length).toBeLessThanOrEqual(4);
  const taken = await story.pressing(ben, alert, "Take", `<@${ben.user.id}> took this`);
  expect(taken.ts).toBe(alert.ts);
  await story.pressing(ana, alert, "Take", "Only they can release it before");
  await story.restart();
  await story.sees(ana, "is suspended", `<@${ben.user.id}> took this`);
  clock.skip(60 * 60_000 + 1_000);
  expect((await story.sees(ana, "is suspended", "No act through Rackbell followed, so nobody has it since")).ts).toBe(
    alert.ts,
  );
  await story.ask(ben, "/rackbell audit", `<@${ben.user.id}> took it.`);
  await ana.choose(alert, "More…", "Mute for 4 hours");
  await story.sees(ana, "are muted in all channels until");
  await ana.choose(alert, "More…", "Mute until tomorrow 08:00");
  const until = await story.slack.until(() => mutedUntil(ana)[1], "the second mute");
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: ana.user.tz, hour: "2-digit", minute: "2-digit" });
  expect(format.format(until)).toBe("08:00");
  expect(until).toBeGreaterThan(clock.now());
  await ana.choose(alert, "More…", "Mute until…");
  await story.modal(ana, "Until", "In place of hours");
  await ana.fill({ Until: Math.floor((clock.now() + 30 * 60_000) / 1000) });
  await ana.submit();
  await story.ask(ana, "/rackbell alerts", "are muted in all channels until");
});

/** The ends of the mutes in the member's messages, in milliseconds since the epoch. */
function mutedUntil(actor: Actor): number[] {
  const texts = actor.sees().map(said).join("\n");
  return [...texts.matchAll(/are muted in all channels until <!date\^(\d+)/g)].map(
    ([, seconds]) => Number(seconds) * 1000,
  );
}

test("a called approver reads why, and a rule that demands more calls the approvers once more", async () => {
  const story = await startStory({ linked: everybody, environment: peer });
  const { ana, ben, caro } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  const [first, second] = [ben.user.id, caro.user.id].toSorted();
  expect(said(request)).toContain(`<@${first}> and <@${second}> (their keys allow \`destructive\`), please decide.`);
  await story.ask(ana, "/rackbell policy add demand=two-approvals risk=destroy", "In effect now");
  const call = await story.sees(ben, "a stricter rule is in effect", "needs 2 approvals");
  expect(said(call)).toContain(`<@${second}>`);
  await story.pressing(ben, request, goAhead, "1 of 2");
  await story.pressing(caro, request, goAhead, ":white_check_mark:");
});
