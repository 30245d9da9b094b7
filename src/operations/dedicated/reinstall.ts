import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { dedicatedParts, readDedicated, reinstallDedicated } from "../../platform/customer/dedicated.ts";
import { listSshKeys } from "../../platform/customer/ssh-keys.ts";
import { code, oneLine, prose } from "../../views/text.ts";
import { authorisedKeys } from "../sshkey/sshkey.ts";
import { dedicated, modelOf, nameOf, stateOf } from "./dedicated.ts";
import { listDedicatedImages } from "./images.ts";
import { installationOf, installationPace, installationProgress, traceOf } from "./installation.ts";

export const reinstall = defineOperation({
  command: "dedicated reinstall",
  summary: "Erase a dedicated server and install an operating system",
  act: reinstallDedicated,
  reads: [dedicatedParts["os-images"], listSshKeys, readDedicated],
  risk: "destroy",
  target: dedicated,
  input: z.object({
    image: z.string().meta({ title: "Operating system", description: "What is offered for this server" }),
  }),
  typed: ["image"],
  choices: { image: ({ client, target }) => listDedicatedImages(client, target.id) },
  async review({ client, target, input }) {
    const image = (await listDedicatedImages(client, target.id)).find(({ value }) => value === input.image);
    return {
      press: `Erase ${oneLine(nameOf(target))}`,
      consequence: `Everything on the disks of ${code(nameOf(target))} is erased. This cannot be undone.`,
      preconditions: {
        system: {
          value: image?.label ?? null,
          label: "New system",
          text: image ? prose(image.label, 100) : `${code(input.image)}, which its list does not hold`,
        },
        machine: { value: modelOf(target), label: "Machine", text: prose(modelOf(target) ?? "none yet", 100) },
      },
      shown: [{ label: "State", value: stateOf(target) }, await authorisedKeys(client)],
      before: traceOf(target),
    };
  },
  async run({ client, target, input }) {
    await reinstallDedicated(client, target.id, { osImageId: input.image });
    return { text: `Installing ${code(nameOf(target))} anew.`, handle: {} };
  },
  async reconcile({ target }, { before }) {
    if (installationOf(target) === "in_progress")
      return { is: "done", text: "the installation is under way.", handle: {} };
    if (JSON.stringify(traceOf(target)) !== JSON.stringify(before))
      return { is: "done", text: "its installation reads otherwise than before.", handle: {} };
    return { is: "unsure", text: "Its installation reads as it did before." };
  },
  follow: {
    ...installationPace,
    poll: async ({ client, targetId, since, now }) =>
      installationProgress(await readDedicated(client, targetId), since, now),
  },
});
