import { BlockList, isIP } from "node:net";
import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { noTarget } from "../../operation/target.ts";
import { readBalance } from "../../platform/customer/account.ts";
import { listCustomImages, registerCustomImage } from "../../platform/customer/images.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import { money } from "../../views/format.ts";
import { code, oneLine } from "../../views/text.ts";
import { namedProject, projectChoices, projectOf } from "../project/project.ts";

const hidden = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const) {
  hidden.addSubnet(net, prefix, "ipv4");
}
hidden.addAddress("::1", "ipv6");
hidden.addSubnet("fc00::", 7, "ipv6");
hidden.addSubnet("fe80::", 10, "ipv6");

/**
 * The fault in an image's address, as the end of a sentence; null if there is none. The platform itself checks the address that
 * the name resolves to.
 */
function sourceUrlFault(text: string): string | null {
  if (!URL.canParse(text)) return "it must be a whole address, such as https://images.example.com/debian.qcow2.";
  const { protocol, username, password, hostname } = new URL(text);
  if (protocol !== "https:") return "it must begin with https://.";
  if (username !== "" || password !== "")
    return "it must hold no user name and no password. Change that password: it was seen here.";
  if (isHidden(hostname)) return "its host must be one that can be reached from the internet, not a private one.";
  return null;
}

function isHidden(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  const version = isIP(host);
  if (version === 0) return host === "localhost" || host.endsWith(".localhost");
  return hidden.check(host, version === 4 ? "ipv4" : "ipv6");
}

/** The images before the call: a further one with that name and digest is the registered one. */
const Before = z.object({ images: z.array(z.string()) });

export const register = defineOperation({
  command: "image register",
  summary: "Register a disk image that you host, so that servers can be ordered with it",
  act: registerCustomImage,
  reads: [listCustomImages, listProjects, readBalance],
  // The platform charges image storage by the month, and the spec does not exempt registered images.
  risk: "spend",
  verb: "Register image",
  target: noTarget,
  input: z.object({
    name: z.string().trim().min(1).max(120).meta({ title: "Name", description: "Unique in its project" }),
    url: z
      .string()
      .trim()
      .max(2000)
      .superRefine((text, context) => {
        const message = sourceUrlFault(text);
        if (message) context.addIssue({ code: "custom", message });
      })
      .meta({
        title: "Address",
        description: "https, of a qcow2 or raw disk image on a host that is publicly reachable",
      }),
    sha256: z
      .string()
      .trim()
      .regex(/^[0-9a-f]{64}$/, "it must be 64 digits and lowercase letters from a to f, as sha256sum prints them.")
      .meta({
        title: "SHA-256",
        description: "Of the file. The download is thrown away if it does not match.",
        format: "sha256",
      }),
    os: z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^[a-z0-9._-]{1,40}$/, "one word, such as linux, freebsd or windows.")
      .default("linux")
      .meta({
        title: "System family",
        description: "Such as linux or freebsd. windows is set up with cloudbase-init, all others with cloud-init.",
      }),
    description: z.string().max(2000).optional().meta({ title: "Description", format: "lines" }),
    project: z.string().optional().meta({ title: "Project", description: "Left empty: the one that you work in" }),
  }),
  choices: { project: projectChoices },
  place: ({ client, input }) => namedProject(client, input.project),
  async review(call) {
    const { client, input } = call;
    const { balance, currency } = await readBalance(client);
    return {
      consequence: `${code(input.name)} is registered. Storing an image is charged by its disk size and month until it is deleted; the platform tells neither the size nor the price before.`,
      preconditions: { source: { value: input.url, label: "Taken from", text: code(oneLine(input.url), 300) } },
      personal: [{ label: "Your balance", value: money(balance, currency) }],
      price: "unknown",
      before: { images: (await listCustomImages(projectOf(call).client)).map(({ id }) => id) },
    };
  },
  async run(call) {
    const { name, url: sourceUrl, sha256, os: osFamily, description } = call.input;
    const { client, body } = projectOf(call);
    const made = await registerCustomImage(client, {
      name,
      sourceUrl,
      sha256,
      osFamily,
      ...(description ? { description } : {}),
      ...body,
    });
    return {
      text: `The image ${code(made.name)} is registered. Its bytes are checked when a server is built from it.`,
      next: [
        { label: "Show", command: "image show", target: made.id },
        { label: "Delete…", command: "image delete", target: made.id },
      ],
    };
  },
  async reconcile(call, { before }) {
    const { name, sha256 } = call.input;
    const known = Before.parse(before).images;
    const found = (await listCustomImages(projectOf(call).client)).find(
      (image) => image.name === name && image.source_sha256 === sha256 && !known.includes(image.id),
    );
    if (!found) return { is: "not done", text: "there is no such image." };
    const next = [{ label: "Show", command: "image show", target: found.id }];
    return { is: "done", text: `the image ${code(found.name)} is ${found.status}.`, next };
  },
});
