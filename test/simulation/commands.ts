import type { Practice } from "../../src/sandbox/practice.ts";
import type { FieldValue } from "../../src/sandbox/slack/server.ts";

const webhookAddress = "/reseller webhook address url=https://rackbell.example/webhooks/reseller/x";

/** One command for every operation that writes, on machines of the practice platform on which it can be done. */
export const commands: readonly string[] = [
  "/vps start worker-2",
  "/vps stop web-1 force=yes",
  "/vps reboot web-1",
  "/vps power web-1 action=restart force=yes",
  "/vps snapshot web-2 name=made-here",
  "/vps snapshot delete web-1 snapshot=weekly-1",
  "/vps revert web-2 snapshot=clean",
  '/vps reinstall web-2 image="Debian 13"',
  "/vps password web-2",
  "/vps capture web-1 name=made-here",
  "/vps move mail project=Staging",
  "/vps cancel web-1",
  "/vps cancel web-1 web-2",
  "/vps keep db-2",
  "/service run plugin-1 action=rebuild-network force=yes",
  "/service start worker-2",
  "/service stop web-1 force=yes",
  "/service shutdown web-1 force=yes",
  "/service restart web-1 force=yes",
  "/service reboot web-1 force=yes",
  "/service power web-1 action=restart force=yes",
  '/service reinstall web-2 image="Debian 13"',
  "/service password web-2",
  "/service backup plugin-1",
  "/service restore plugin-1",
  "/service option add web-2",
  "/service option remove web-1",
  "/service options change web-1 add=Monitoring",
  '/service upgrade web-2 to="VPS L"',
  "/service upgrade cancel web-2",
  "/service renew web-1",
  "/service move mail project=Staging",
  "/service cancel mail",
  "/service keep db-2",
  "/dedicated on metal-2",
  "/dedicated off metal-1 force=yes",
  "/dedicated restart metal-1 force=yes",
  "/dedicated reinstall metal-1",
  "/dedicated password metal-1",
  "/game start arena-2",
  "/game stop arena-1 force=yes",
  "/game restart arena-1 force=yes",
  "/game kill arena-1 force=yes",
  "/order new VPS S cycle=monthly",
  "/billing pay INV-1000",
  "/image register url=https://images.example.com/a.qcow2",
  "/image delete",
  "/sshkey add",
  "/sshkey delete",
  "/project create made-here",
  "/project change Staging name=made-here",
  "/project move Staging services=mail",
  "/project delete empty",
  "/reseller order new VPS S",
  "/reseller order retry RES-1000 method=Wallet",
  "/reseller service start worker-1",
  "/reseller service stop web-2 force=yes",
  "/reseller service restart web-2 force=yes",
  "/reseller service suspend web-2 force=yes",
  "/reseller service unsuspend suspended-1",
  "/reseller service console-cast web-2",
  "/reseller service console-cast revoke web-2",
  "/reseller service console session web-2",
  "/reseller service reinstall web-2",
  "/reseller service password web-2",
  "/reseller service backup web-2",
  "/reseller service restore web-2",
  "/reseller service backup delete web-2",
  "/reseller service capture web-2 name=made-here",
  '/reseller service upgrade web-2 to="VPS L"',
  "/reseller service options set web-2 options=Monitoring",
  "/reseller service option remove web-2",
  "/reseller service sshkey add metal-1",
  "/reseller service sshkey delete metal-1",
  "/reseller service rdns metal-1 hostname=a.example.com",
  "/reseller service rescue metal-1 force=yes",
  "/reseller service unrescue metal-1 force=yes",
  "/reseller service run plugin-1 action=rebuild-network force=yes",
  "/reseller service transit transit-1 routes=default force=yes",
  "/reseller service terminate web-2",
  "/reseller game start arena-1",
  "/reseller game stop arena-1 force=yes",
  "/reseller game restart arena-1 force=yes",
  "/reseller game kill arena-1 force=yes",
  "/reseller game vars arena-1",
  "/reseller game console arena-1",
  '/reseller game file link arena-1 body="path=/server.properties"',
  "/reseller game file upload arena-1",
  '/reseller game file write arena-1 body="path=/made.txt content=x"',
  '/reseller game file mkdir arena-1 body="path=/made"',
  '/reseller game file rename arena-1 body="from=/server.properties to=/made.properties"',
  '/reseller game file compress arena-1 body="path=/server.properties"',
  '/reseller game file decompress arena-1 body="path=/archive-5.tar.gz"',
  '/reseller game file chmod arena-1 body="path=/server.properties mode=644"',
  '/reseller game file delete arena-1 body="path=/server.properties"',
  "/reseller game sftp rotate arena-1",
  "/reseller game backup create arena-1",
  '/reseller game backup change arena-1 backup=49b542cd-9a2f-423e-a25f-0eaf5234ecfb body="name=made"',
  "/reseller game backup restore arena-1",
  "/reseller game backup delete arena-1",
  '/reseller game schedule create arena-1 body=\'{"name":"made","cron":"0 5 * * *","action":"restart"}\'',
  '/reseller game schedule change arena-1 schedule=1 body="name=made"',
  "/reseller game schedule run arena-1 force=yes",
  "/reseller game schedule delete arena-1",
  '/reseller game mod install arena-1 body="project=deep-caves version=2.9.1"',
  "/reseller game mod upload arena-1",
  "/reseller game mod remove arena-1",
  "/reseller image delete",
  "/reseller customer create made-here",
  "/reseller customer change newcomer name=Made",
  "/reseller customer delete newcomer",
  "/reseller payment default Wallet",
  webhookAddress,
  "/reseller webhook test",
  "/rackbell connect",
  "/rackbell connect check",
];

/** How a command comes to write something, beyond the first choice of every menu. */
interface Preparation {
  /** How the platform is before. */
  given?(practice: Pick<Practice, "platform" | "slack">): void;
  /** Carried to their ends before it. */
  first?: readonly string[];
  /** Happens at the platform after it, where nothing went wrong. `to`: the aspect and the state that it leads to by itself. */
  afterwards?: { to: string; run: (practice: Practice) => void };
  /** Entered by label, in fields that may stay empty, too. */
  values?(practice: Pick<Practice, "platform" | "slack">): Readonly<Record<string, FieldValue>>;
}

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dsrcrF8qT simulation";

/** The newest document is paid elsewhere. */
const payNewest: Preparation["afterwards"] = {
  to: "payment paid",
  run({ platform }) {
    const document = platform.documents().findLast(({ status }) => status === "unpaid");
    if (document) platform.payByOperator(document.id);
  },
};

const preparations: Readonly<Record<string, Preparation>> = {
  '/service upgrade web-2 to="VPS L"': { afterwards: payNewest },
  "/order new VPS S cycle=monthly": { afterwards: payNewest },
  "/service upgrade cancel web-2": {
    // The change waits for its payment.
    given: ({ platform }) => platform.changeUser("ana", { balance: 0 }),
    first: ['/service upgrade web-2 to="VPS L"'],
  },
  "/reseller order retry RES-1000 method=Wallet": {
    given: ({ platform }) =>
      platform.reseller.changePaymentMethod("Company card", { refusal: "Your card was declined" }),
    first: ["/reseller order new VPS S"],
  },
  // A machine that runs already would read as started.
  "/reseller service start worker-1": { first: ["/reseller service stop worker-1 force=yes"] },
  "/reseller game start arena-1": { first: ["/reseller game stop arena-1 force=yes"] },
  "/reseller service console-cast revoke web-2": { first: ["/reseller service console-cast web-2"] },
  "/reseller service reinstall web-2": { values: () => ({ "Root password": "Made-here-2026" }) },
  "/reseller service password web-2": { values: () => ({ "New root password": "Made-here-2026" }) },
  "/reseller service option remove web-2": { first: ["/reseller service options set web-2 options=Monitoring"] },
  "/reseller service sshkey add metal-1": { values: () => ({ "Public key": publicKey, Name: "made-here" }) },
  "/reseller service sshkey delete metal-1": {
    first: ["/reseller service sshkey add metal-1"],
    values: () => ({ "Public key": publicKey, Name: "made-here" }),
  },
  "/reseller service unrescue metal-1 force=yes": { first: ["/reseller service rescue metal-1 force=yes"] },
  '/reseller game file decompress arena-1 body="path=/archive-5.tar.gz"': {
    first: ['/reseller game file compress arena-1 body="path=/server.properties"'],
  },
  "/reseller game backup delete arena-1": { first: ["/reseller game backup create arena-1"] },
  "/reseller webhook test": {
    first: ["/reseller webhook address"],
    values: ({ slack }) => ({ Address: `https://rackbell.example/webhooks/reseller/${slack.teamId}` }),
  },
  "/rackbell connect": {
    first: [webhookAddress],
    values: ({ platform }) => ({ "Signing secret": platform.reseller.signingSecret() ?? "" }),
  },
  "/rackbell connect check": { first: [webhookAddress] },
};

export function preparationOf(command: string): Preparation {
  return preparations[command] ?? {};
}

/** Commands of the reseller programme: their author has linked a key of it, too. */
export function sellsOn(command: string): boolean {
  return /^\/(?:reseller|rackbell connect)\b/.test(command);
}
