import * as z from "zod";
import type { Choice } from "../../operation/asking.ts";
import { defineOperation } from "../../operation/define.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { readDedicated, readDedicatedPart, reinstallDedicated } from "../../platform/customer/dedicated.ts";
import { code, prose } from "../../views/text.ts";
import { authorisedKeys } from "../sshkey/sshkey.ts";
import { dedicated, modelOf, nameOf, stateOf } from "./dedicated.ts";
import { installationOf, installationPace, installationProgress, traceOf } from "./installation.ts";

export const reinstall = defineOperation({
  api: "customer",
  command: "dedicated reinstall",
  summary: "Erase a dedicated server and install an operating system",
  routes: ["POST /dedicated/{id}/reinstall", "GET /dedicated/{id}/os-images", "GET /ssh-keys", "GET /dedicated/{id}"],
  scope: "services",
  risk: "destroy",
  target: dedicated,
  input: z.object({
    image: z.string().meta({ title: "Operating system", description: "What is offered for this server" }),
  }),
  choices: { image: ({ client, target }) => imagesOf(client, target.id) },
  async review({ client, target, input }) {
    const image = (await imagesOf(client, target.id)).find(({ value }) => value === input.image);
    return {
      consequence: `Everything on the disks of ${code(nameOf(target))} is erased. This cannot be undone.`,
      material: [
        { label: "New system", value: image ? prose(image.label, 100) : `${code(input.image)}, which is not offered` },
        { label: "Machine", value: prose(modelOf(target) ?? "none yet", 100) },
      ],
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

/** Whatever the list holds that has an id: how it is laid out, the spec does not show. */
async function imagesOf(client: CustomerClient, id: string): Promise<Choice[]> {
  return choicesIn(await readDedicatedPart(client, id, "os-images"));
}

function choicesIn(value: unknown): Choice[] {
  if (typeof value !== "object" || value === null) return [];
  const image = Image.safeParse(value);
  if (image.success) return [{ value: image.data.id, label: image.data.name ?? image.data.id }];
  return Object.values(value).flatMap(choicesIn);
}

const Image = z.looseObject({ id: z.string().min(1).max(150), name: z.string().nullish() });
