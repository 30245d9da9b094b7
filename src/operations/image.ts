import { BlockList, isIP } from "node:net";
import * as z from "#zod";
import { everyProject, listFields } from "../messages/answers/list.ts";
import { doneIf } from "../operation/answer.ts";
import { defineOperation } from "../operation/define.ts";
import { idFact } from "../operation/identity.ts";
import { nameIs, unshownFact } from "../operation/preconditions.ts";
import { noTarget, type TargetKind } from "../operation/target.ts";
import { readBalance } from "../platform/customer/account.ts";
import {
  type CustomImage,
  CustomImageStatus,
  deleteCustomImage,
  listCustomImages,
  readCustomImage,
  registerCustomImage,
} from "../platform/customer/images.ts";
import { listProjects } from "../platform/customer/projects.ts";
import { inOnePage } from "../platform/http/pages.ts";
import { unlistedIn } from "../platform/unlisted.ts";
import { bytes, moment } from "../views/format.ts";
import { code, dotted, oneLine, prose } from "../views/text.ts";
import { balanceFact, readOwnBalance } from "./kits/balance.ts";
import { card, showCommon } from "./kits/card.ts";
import { ImagesBefore, imageMark, imageSource, imageWords } from "./kits/copies.ts";
import { maybeGone, present } from "./kits/gone.ts";
import type { KnownFacts } from "./kits/lines.ts";
import { listOperation } from "./kits/list.ts";
import { namedProject, projectChoices, projectOf } from "./project/project.ts";

/** Spec section 2.10. */
const imageStates = CustomImageStatus.options;

/** Custom images of the account. */
export const image: TargetKind<"customer", CustomImage> = {
  noun: "image",
  label: "image",
  card: "image show",
  inProjects: true,
  states: { all: imageStates, unlisted: ({ status }) => unlistedIn(CustomImageStatus, status) },
  ...inOnePage(listCustomImages),
  read: readCustomImage,
  reads: [readCustomImage],
  entry: (row) => ({
    id: row.id,
    name: row.name,
    aliases: [],
    state: row.status,
    detail: dotted([row.status, `from ${imageSource(row)}`, row.os_family, sizeOf(row)]),
    columns: { From: imageSource(row), System: row.os_family ?? "", Size: sizeOf(row) ?? "" },
    ...(row.status === "error" ? { trouble: "cannot be used" } : {}),
  }),
  identity: {
    project: "The rows of images do not name their project.",
    address: "An image has no address.",
    hostname: "An image has no host name.",
    location: "The platform does not name the node of an image.",
    apart: (row) => [
      idFact(row.id),
      { label: "From", value: prose(imageSource(row)) },
      row.created_at ? { label: "Made", value: moment(row.created_at) } : unshownFact("Made"),
    ],
  },
};

/** The billed size, which a plan's disk must have at least; null if unknown. */
function sizeOf({ virtual_size_bytes: size }: CustomImage): string | null {
  return size ? bytes(size) : null;
}

const list = listOperation({
  kind: image,
  command: "image list",
  summary: "List the custom images, the newest first",
  example: "/image list web",
  act: listCustomImages,
  input: z.object({
    text: z.string().optional().meta({ title: "Text", description: "In the name or id" }),
    status: z.enum(imageStates).optional().meta({ title: "Status" }),
    project: everyProject,
    page: listFields.page,
    export: listFields.export,
  }),
  many: "images",
  mark: imageMark,
  more: { label: "Register one…", command: "image register" },
});

const show = defineOperation({
  ...showCommon,
  command: "image show",
  summary: "Show a custom image: its state, size and origin",
  example: "/image show golden-web",
  act: readCustomImage,
  target: image,
  async run({ target, name }) {
    const text = `${name} ${imageWords(target.status)}.`;
    const refresh = { label: "Refresh", command: "image show", target: target.id, replace: true };
    const remove = { label: "Delete…", command: "image delete", target: target.id };
    return card({
      text,
      title: `${imageMark(target.status)} *${text}*`,
      lines: [target.error && `:x: ${prose(target.error)}`],
      facts: factsOf(target),
      id: `Image ${code(target.id)}`,
      next: target.status === "capturing" ? [refresh] : [refresh, remove],
    });
  },
});

function factsOf(image: CustomImage): KnownFacts {
  const { size_bytes: stored, available_at: available, created_at: created } = image;
  return [
    ["From", prose(imageSource(image))],
    ["Required and billed disk", sizeOf(image)],
    ["Made", created && moment(created)],
    ["Stored", stored ? bytes(stored) : null],
    ["System", image.os_family && prose(image.os_family, 100)],
    ["Description", image.description && prose(image.description)],
    ["Address", image.source_url && code(image.source_url, 500)],
    ["SHA-256", image.source_sha256 && code(image.source_sha256)],
    ["Available since", available && moment(available)],
  ];
}

const remove = defineOperation({
  command: "image delete",
  synonyms: ["remove", "destroy"],
  summary: "Delete a custom image; servers built from it stay as they are",
  example: "/image delete golden-web",
  act: deleteCustomImage,
  risk: "destroy",
  effects: [{ aspect: "image", to: ["gone"] }],
  verb: "Delete image",
  target: maybeGone(image),
  input: z.object({}),
  async review({ target, name }) {
    const found = present(target, "image");
    const lost =
      found.source_kind === "capture"
        ? `This will erase the stored disk ${name}. This cannot be undone.`
        : `${name} will no longer be registered. The file at its address is not changed.`;
    return {
      consequence: `${lost} No server can be ordered with it again. Servers built from it stay as they are. Billing of its storage ends, and the days until now are charged.`,
      preconditions: {
        image: nameIs("Image", found.name),
        size: { value: found.virtual_size_bytes ?? null, label: "Billed disk", text: sizeOf(found) ?? "unknown" },
      },
      shown: [{ label: "State", value: found.status }],
    };
  },
  async run({ client, target, name }) {
    present(target, "image");
    await deleteCustomImage(client, target.id);
    return { text: `The image ${name} is deleted.` };
  },
  reconcile: async ({ target: { row } }) =>
    doneIf(row === null, "the image is gone.", `the image is still there and ${imageWords(row?.status ?? "")}.`),
});

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
    return "leave out the user name and the password. Change that password: it was visible here.";
  if (isHidden(hostname)) return "its host must be reachable from the internet, not a private address.";
  return null;
}

function isHidden(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  const version = isIP(host);
  if (version === 0) return host === "localhost" || host.endsWith(".localhost");
  return hidden.check(host, version === 4 ? "ipv4" : "ipv6");
}

const register = defineOperation({
  command: "image register",
  group: "data",
  synonyms: ["add", "import", "create"],
  summary: "Register a disk image that you host, so that servers can be ordered with it",
  example:
    "/image register name=debian url=https://images.example.com/debian.qcow2 sha256=6d1f3a0c9b24e57812cd40af83be6917f5024ad8c1937e60b85df2143c9a7e06",
  act: registerCustomImage,
  reads: [listCustomImages, listProjects, readBalance],
  // The platform charges image storage by the month, and the spec does not exempt registered images.
  risk: "spend",
  effects: [{ aspect: "image", on: "made", to: ["available"] }],
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
        description: "Of the file. The platform discards a download that does not match.",
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
        description: "Such as linux or freebsd. windows is set up with cloudbase-init, other systems with cloud-init.",
      }),
    description: z.string().max(2000).optional().meta({ title: "Description", format: "lines" }),
    project: z.string().optional().meta({ title: "Project", description: "Empty: the project that you work in" }),
  }),
  choices: { project: projectChoices },
  place: ({ client, input }) => namedProject(client, input.project),
  async review(call) {
    const { client, input } = call;
    return {
      consequence: `This will register ${code(input.name)}. The platform charges its storage by disk size and month until it is deleted. The platform shows neither size nor price before.`,
      preconditions: { source: { value: input.url, label: "Taken from", text: code(oneLine(input.url), 300) } },
      personal: balanceFact(await readOwnBalance(client), null),
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
      text: `The image ${code(name)} is registered. The platform checks the file when a server is built from it.`,
      next: [
        { label: "Show", command: "image show", target: made.id },
        { label: "Delete…", command: "image delete", target: made.id },
      ],
    };
  },
  async reconcile(call, { before }) {
    const { name, sha256 } = call.input;
    // A further one with that name and digest is the registered one.
    const known = ImagesBefore.parse(before).images;
    const found = (await listCustomImages(projectOf(call).client)).find(
      (image) => image.name === name && image.source_sha256 === sha256 && !known.includes(image.id),
    );
    if (!found) return { is: "not done", text: "there is no such image." };
    return {
      is: "done",
      text: `the image ${code(found.name)} is ${found.status}.`,
      next: [{ label: "Show", command: "image show", target: found.id }],
    };
  },
});

/** In the order of the help. `/vps capture` captures an image. */
export const imageOperations = [list, show, register, remove];
