import { passHours } from "../admins.ts";
import { type Actor, type Story, said } from "../story.ts";
import { createAuthenticator } from "./authenticator.ts";
import { addressIn, confirm, keyOf, linkOf, makeWith, pressForLink, protectedStory, register } from "./passkeys.ts";

/** The file that a member exports, as text. `choice`: further words of the command. */
export async function exportedFile({ slack }: Story, actor: Actor, choice = "everyone=yes"): Promise<string> {
  const before = slack.state().files.length;
  await actor.type(`/rackbell audit ${choice} export=yes format=json`);
  const file = await slack.until(
    () =>
      slack
        .state()
        .files.slice(before)
        .find(({ content }) => content.length > 0),
    "the export",
  );
  return Buffer.from(file.content).toString();
}

/**
 * A story with each kind of entry that a passkey signs: first, further, removed and recovered passkeys, an approval, one for a later time,
 * an override, and a rule that is proposed and agreed with.
 */
export async function signedStory() {
  const { story, devices } = await protectedStory();
  const { ana, ben, caro, platform } = story;
  // `since=` takes whole seconds: a file can begin between the first passkeys and what they decide.
  story.clock.skip(2_000);
  const approve = async (command: string, target?: object) => {
    const card = await story.ask(ana, command, "This needs a passkey");
    return confirm(story, await pressForLink(story, caro, card, target), devices.caro);
  };
  await approve("/vps cancel web-2");
  await story.sees(ana, ":white_check_mark:", "`web-2` ends");
  await approve("/vps cancel db-1 in=2h");
  const further = createAuthenticator();
  await makeWith(story, await linkOf(story, caro, "/rackbell passkey"), {}, further, { name: "key", by: devices.caro });
  await confirm(story, await linkOf(story, caro, "/rackbell passkey remove key"), devices.caro);
  const lost = await register(story, ben);
  const found = createAuthenticator();
  const losing = await linkOf(story, ben, "/rackbell passkey lost");
  await makeWith(story, losing, { key: keyOf(story, ben) }, found, { name: "new" });
  await confirm(story, await linkOf(story, caro, `/rackbell passkey recover <@${ben.user.id}>`), devices.caro);
  await story.ask(ana, "/rackbell policy add demand=two-approvals risk=spend", "In effect now");
  const rules = await story.ask(ana, "/rackbell policy", "with a passkey");
  const id = /`([0-9a-f]{8})`/.exec(said(rules))?.[1] ?? "";
  await confirm(story, await linkOf(story, ana, `/rackbell policy remove ${id}`), devices.ana);
  await passHours(story, 30);
  await story.seesIn("dm", ben, "is in effect");
  await story.passes(
    () => ana.sees("dm").some((message) => said(message).includes("Nobody stopped the looser rule")),
    "the proven proposal to take effect",
    60 * 60_000,
  );
  return { story, devices: { ...devices, lost, found }, platform, addressIn };
}
