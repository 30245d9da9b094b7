import { expect, test } from "vitest";
import { carry } from "../carry.ts";
import { newPublicKey } from "../public-keys.ts";
import { askToReinstall } from "../reinstalling.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { goAhead, type Message, said, startStory } from "../story.ts";

// A warning is on the card and in its dialog, and never a fact that waits behind *Details…*.

const crashed = "Files may be incomplete, as after a power cut.";

/** The texts of the dialogs of a message's buttons. */
function dialogsOf({ blocks }: Message): string {
  const elements = blocks.flatMap(({ elements: all }) => (Array.isArray(all) ? all : []));
  return elements.map(({ confirm }) => String(confirm?.text?.text)).join("\n");
}

test("a revert to a snapshot of a system that could not be frozen warns on the card and in the dialog", async () => {
  const { ana, ask } = await startStory({ linked: ["ana"] });
  const request = await ask(ana, "/vps revert web-1 snapshot=weekly-1", "asks to", crashed);
  expect(dialogsOf(request)).toContain(crashed);
});

test("a revert to a snapshot of which its host did not say if the system was frozen says so on the card, and the list does", async () => {
  const { ana, ask } = await startStory({ linked: ["ana"] });
  await ask(ana, "/vps snapshots web-1", "weekly-2", "maybe crash-consistent", "crash-consistent");
  await ask(ana, "/vps revert web-1 snapshot=weekly-2", "asks to", "System frozen", "unknown: files may be incomplete");
});

test("a reinstall says on its card that every SSH key of the account gets root", async () => {
  const story = await startStory({ linked: ["ana"] });
  const request = await askToReinstall(story, "web-2", "Every SSH key of the account will be authorised for root.");
  expect(dialogsOf(request)).toContain("authorised for root");
});

const system = 'image="Debian 13"';

/** All acts that install a server anew with the keys that are stored, or may do so. */
test.each([
  [`/vps reinstall web-2 ${system}`, "Every SSH key of the account will be authorised for root."],
  [`/service reinstall metal-1 ${system}`, "Every SSH key of the account will be authorised for root."],
  [`/dedicated reinstall metal-1 ${system}`, "Every SSH key of the account will be authorised for root."],
  ["/dedicated password metal-1", "(the platform does not say if this authorises them)"],
  ["/service password metal-1", "(the platform does not say if this authorises them)"],
  [`/reseller service reinstall BOR-002 ${system.replace("image", "system")}`, "server will be authorised on it."],
  ["/reseller service password BOR-002", "(the platform does not say if this authorises them)"],
])("%s names the SSH keys that it may authorise, and is void once there is another one", async (command, words) => {
  const story = await startResellerStory({ linked: ["ana"] });
  const { ana } = story;
  const addKey = (name: string) => {
    const add = command.startsWith("/reseller") ? "/reseller service sshkey add BOR-002" : "/sshkey add";
    return story.ask(ana, `${add} name=${name} public="${newPublicKey()}"`, /is (added|stored)/);
  };
  await addKey("first-key");
  const request = await carry(story, ana, command, goAhead, {});
  expect(said(request)).toContain(words);
  expect(said(request)).toMatch(/(keys?: |^).*`first-key`/m);
  await addKey("second-key");
  await story.pressing(ana, request, goAhead, "*SSH keys* changed", "`second-key`", "Nothing was done");
});

test.each(["reinstall BOR-002 system='Debian 13'", "password BOR-002"])(
  "/reseller service %s of a server whose keys the platform does not show says so, and goes on",
  async (words) => {
    const story = await startResellerStory();
    const how = { status: 403, body: { success: false, error: "SSH keys are switched off" } };
    story.platform.faults.next({ how, method: "GET", path: /ssh-keys$/, times: 10 });
    const request = await carry(story, story.ana, `/reseller service ${words}`, goAhead, {});
    expect(said(request)).toMatch(/The platform does not show them\.|SSH keys\*\nnot shown by the platform/);
    await story.pressing(story.ana, request, goAhead, "The server made its own root password");
  },
);

test.each([
  ["/vps reinstall web-2", true],
  ["/service reinstall web-2", true],
  ["/service reinstall plugin-1 template=debian", true],
  ["/dedicated reinstall metal-1", false],
  ["/service reinstall metal-1", false],
])("the card of %s says that the keys and user data of the order are applied again: %s", async (command, applies) => {
  const story = await startStory({ linked: ["ana"] });
  const typed = command.includes("template=") ? command : `${command} image="Debian 13"`;
  const card = said(await carry(story, story.ana, typed, goAhead, {}));
  expect(card).toContain("authorised for root");
  expect(card.includes("Keys and user data of its order")).toBe(applies);
  expect(card.includes("applied again; the platform does not show them")).toBe(applies);
});

test.each(
  ["/vps cancel", "/service cancel"].flatMap((verb) =>
    ["web-1", "web-1 web-2"].flatMap((names) => ["", " immediate=yes"].map((when) => `${verb} ${names}${when}`)),
  ),
)("the snapshots, add-ons and addresses of a VPS are among the losses of %s", async (command) => {
  const { ana, ask } = await startStory({ linked: ["ana"] });
  expect(said(await ask(ana, command, "asks to"))).toMatch(/snapshots,.* add-ons and addresses.* will be lost/);
});

const cancelled = /is cancelled and ends <!date[^>]*>\. This does not keep it\./;

test.each([
  "/service renew db-2",
  "/service renew metal-1",
  "/service option add db-2 option=Monitoring",
  "/service options change db-2 add=Monitoring",
  '/service upgrade worker-2 to="VPS L"',
  '/service upgrade worker-2 to="VPS S"',
])(
  "the card of %s says that the service is cancelled and ends all the same, and is void once that changes",
  async (command) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    const scheduled_date = new Date(Date.now() + 5 * 86_400_000).toISOString();
    for (const name of ["worker-2", "metal-1"]) platform.change(name, { cancellation: { scheduled_date } });
    const card = await story.ask(ana, command, cancelled);
    platform.change(command.split(" ").find((word) => /-\d$/.test(word)) ?? "", { cancellation: null });
    await ana.press(card, goAhead);
    await story.sees(ana, "*Ends* changed");
  },
);

test("a renewal of several services names those that are cancelled and end all the same", async () => {
  const { ana, ask } = await startStory({ linked: ["ana"] });
  const card = await ask(ana, "/service renew db-1 db-2", "Cancelled, and not kept by this: `db-2`.");
  expect(dialogsOf(card)).toContain("not kept by this");
});

test("an upgrade says on its card that open invoices get the new price, and reinstalls the systems of the new plan", async () => {
  const { ana, ask } = await startStory({ linked: ["ana"] });
  const words = "Open unpaid invoices of `web-2`, if there are any, will get the new price when the change completes.";
  const systems = "From then on, a reinstall offers the systems of the new plan alone.";
  await ask(ana, '/service upgrade web-2 to="VPS L"', words, systems);
});
