import * as z from "zod";
import { defineAppOperation } from "../../engine/app-operation.ts";
import { type WorkspaceSecretName, workspaceSecretNames } from "../../identities/workspace.ts";
import { listing } from "../../views/text.ts";
import { noteConnection, requireAdmin, titles } from "./connecting.ts";

export const disconnect = defineAppOperation({
  command: "rackbell disconnect",
  summary: "For admins: erase the signing secret and the reading keys, all or one",
  interrupts: "It is erased here. Without the signing secret nobody can change anything of what is sold on.",
  verb: "Disconnect",
  input: z.object({
    what: z
      .enum(["all", "secret", "reseller", "customer"])
      .default("all")
      .meta({ title: "What", description: "The signing secret, one of the reading keys, or all of it" }),
  }),
  positional: "what",
  async run({ context, actor, input: { what } }) {
    await requireAdmin(context, actor);
    const erased: WorkspaceSecretName[] = [];
    for (const name of namesOf[what]) if (await context.connection.disconnect(name)) erased.push(name);
    if (erased.length === 0) return { text: "None of it was set, so nothing was erased." };
    const text = `${listing(erased.map((name) => titles[name]))} ${erased.length === 1 ? "is" : "are"} erased here.`;
    await noteConnection(context, actor, "disconnected", text);
    return {
      text: `${text}${erased.includes("signing-secret") ? portalWords : ""}`,
      next: [{ label: "Connect…", command: "rackbell connect" }],
    };
  },
});

const namesOf: Record<"all" | "secret" | "reseller" | "customer", readonly WorkspaceSecretName[]> = {
  all: workspaceSecretNames,
  secret: ["signing-secret"],
  reseller: ["reseller-reader"],
  customer: ["customer-reader"],
};

const portalWords =
  " The supplier still sends events to the address that they have: no call clears it. Take it out in the reseller portal, under API Settings, and rotate the secret there if it may have been seen.";
