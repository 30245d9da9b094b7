import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { noTarget } from "../../operation/target.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import { addSshKey, listSshKeys } from "../../platform/customer/ssh-keys.ts";
import { code } from "../../views/text.ts";
import { namedProject, projectChoices, projectOf } from "../project/project.ts";
import { publicKeyFault } from "./public-key.ts";

export const add = defineOperation({
  command: "sshkey add",
  summary: "Store a public SSH key; every server that is reinstalled from then on accepts it",
  act: addSshKey,
  reads: [listProjects],
  risk: "change",
  verb: "Add SSH key",
  target: noTarget,
  input: z.object({
    name: z.string().trim().min(1).max(255).meta({ title: "Name", description: "Such as Ana's laptop" }),
    // The input is not called "key": that name would be treated as a secret in command text, whose names are lower
    // case.
    public: z
      .string()
      .trim()
      .superRefine((text, context) => {
        const message = publicKeyFault(text);
        if (message) context.addIssue({ code: "custom", message });
      })
      .meta({
        title: "Public key",
        format: "lines",
        description: "The one line of a file that ends in .pub, such as ~/.ssh/id_ed25519.pub. Never a private key.",
      }),
    project: z.string().optional().meta({ title: "Project", description: "Left empty: the one that you work in" }),
  }),
  choices: { project: projectChoices },
  place: ({ client, input }) => namedProject(client, input.project),
  async run(call) {
    const { input } = call;
    const { client, body } = projectOf(call);
    const key = await addSshKey(client, { name: input.name, publicKey: input.public, ...body });
    const print = key.fingerprint ? ` (${code(key.fingerprint)})` : "";
    return {
      text: `The SSH key ${code(key.name)}${print} is stored. Servers that are ordered with it, and every server that is reinstalled from now on, accept it.`,
      next: [
        { label: "SSH keys", command: "sshkey list" },
        { label: "Delete…", command: "sshkey delete", target: key.id },
      ],
    };
  },
  async reconcile(call) {
    const { input } = call;
    const [kind, blob] = input.public.split(/ +/);
    const found = (await listSshKeys(projectOf(call).client)).some(
      ({ name, public_key: text }) => name === input.name && (!text || text.startsWith(`${kind} ${blob}`)),
    );
    return found ? { is: "done", text: "the key is stored." } : { is: "not done", text: "the key is not stored." };
  },
});
