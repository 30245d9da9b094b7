import { expect, test } from "vitest";
import { newPublicKey } from "../public-keys.ts";
import type { Story } from "../story.ts";
import { resellerWrites, startResellerStory } from "./selling.ts";

/** Acts that the spec does not list among those that a suspended service refuses (reseller spec section 4.3), and their first answer. */
const accepted: [service: string, words: string, answer: string][] = [
  ["metal-1", "rescue BOR-002", "Everything on the server stops"],
  ["metal-1", "unrescue BOR-002", "Everything in the rescue system stops"],
  ["metal-1", "rdns BOR-002 address=192.0.2.42 hostname=metal.example.com", "is `metal.example.com`"],
  ["metal-1", `sshkey add BOR-002 name=laptop public="${newPublicKey()}"`, "The SSH key is added"],
  ["transit-1", "transit transit-1 asn=64500", "The announced routes change"],
  ["web-2", "capture ACME-001 name=golden", "will be stored as `golden`"],
  ["plugin-1", "run BOR-004 action=rebuild-network", "asks to"],
  ["plugin-1", "backup delete BOR-004", "Backup"],
  ["plugin-1", "restore BOR-004", "Backup"],
];

const refused: [status: "pending" | "pending_payment" | "fraud", sentence: string][] = [
  ["pending", "the platform has not built it yet. Nothing was sent"],
  ["pending_payment", "awaiting payment: the platform has not built it yet. Nothing was sent"],
  ["fraud", "is withheld by the platform. Nothing was sent"],
];

const isForm = (answer: string) => answer === "Backup";

test("a suspended service accepts each of these, as its spec has it", async () => {
  const story = await startResellerStory();
  for (const [service, words, answer] of accepted) {
    story.platform.change(service, { status: "suspended" });
    if (!isForm(answer)) await story.ask(story.ana, `/reseller service ${words}`, answer);
    else {
      await story.ana.type(`/reseller service ${words}`);
      await story.modal(story.ana, answer, '"submit":{');
      await story.ana.closeModal();
    }
  }
});

test("a service without a machine refuses each of them before a form or a question, with its state", async () => {
  const story = await startResellerStory();
  const onMachines = accepted.filter(([service]) => service !== "transit-1");
  for (const [status, sentence] of refused)
    for (const [service, words, answer] of onMachines) {
      setState(story, service, status);
      if (!isForm(answer)) await story.ask(story.ana, `/reseller service ${words}`, sentence);
      else {
        await story.ana.type(`/reseller service ${words}`);
        await story.modal(story.ana, sentence);
        await story.ana.closeModal();
      }
    }
  expect(resellerWrites(story)).toEqual([]);
});

function setState({ platform }: Story, service: string, status: "pending" | "pending_payment" | "fraud"): void {
  if (status === "fraud") platform.reseller.withhold(platform.find(service).id);
  else platform.change(service, { status });
}

test("a suspended VPS refuses a start, and all that concerns its backups, before a question", async () => {
  const story = await startResellerStory();
  story.platform.change("web-2", { status: "suspended" });
  const words = [
    "backup delete ACME-001 backup=clean",
    "restore ACME-001 backup=clean",
    "backup ACME-001",
    "start ACME-001",
  ];
  for (const one of words) await story.ask(story.ana, `/reseller service ${one}`, /is suspended\b/);
  expect(resellerWrites(story)).toEqual([]);
});
