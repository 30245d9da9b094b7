import { Refusal, wrongInput } from "../../operation/errors.ts";
import { readProduct } from "../../platform/customer/catalog.ts";
import { type CustomImage, listCustomImages } from "../../platform/customer/images.ts";
import { listSshKeys } from "../../platform/customer/ssh-keys.ts";
import { actions, type Block, button, context, section } from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";
import { code, count } from "../../views/text.ts";
import { fileField, imageField, severalField, textField } from "../kits/order-form.ts";
import type { OrderPage } from "../kits/order-pages.ts";
import { publicKeyField } from "../kits/public-key.ts";
import { type Draft, orderLimits, pastedKeys, userDataOf, withCurrent } from "./draft.ts";
import { orderSources } from "./where.ts";

/** The third page: the system, the SSH keys, and the user data. */
export const systemPage: OrderPage<"customer", Draft> = {
  async view(call, draft) {
    const { current } = draft;
    const sources = await orderSources(call, draft.project);
    const [found, own, keys] = await Promise.all([
      readProduct(call.client, current?.product ?? ""),
      listCustomImages(sources.client),
      listSshKeys(sources.client),
    ]);
    const preset = found.default_os_image_id ? `os:${found.default_os_image_id}` : null;
    const ready = own.filter(({ status }) => status === "available");
    return {
      title: "Order: the system",
      submit: "Next",
      blocks: [
        section(`*${code(current?.name ?? "")}*`),
        imageField(
          { id: "image", label: "System" },
          found.os_images,
          { label: "Your own images", images: ready },
          current?.image ?? preset,
        ),
        ...imageNotes(own, ready),
        ...(keys.length > 0
          ? [
              severalField(
                {
                  id: "keys",
                  label: "Stored SSH keys",
                  hint: "These keys can log in as root. For a VPS only.",
                  optional: true,
                },
                keys.map(({ id, name, fingerprint }) => ({
                  value: id,
                  label: name,
                  ...(fingerprint ? { description: fingerprint } : {}),
                })),
                current?.keys ?? [],
                orderLimits.keys,
              ),
              ...leftOut(keys.length, "keys"),
            ]
          : []),
        textField(
          {
            id: "pasted",
            label: "More SSH public keys",
            hint: "One on each line, for this order only. For a VPS only.",
            optional: true,
          },
          current?.pasted ?? "",
          { multiline: true },
        ),
        textField(
          {
            id: "user_data",
            label: "User data",
            hint: "A script that begins with #!, or a #cloud-config document; it runs at the first start. For a VPS only, not on Windows.",
            optional: true,
          },
          current?.userData ?? "",
          { multiline: true },
        ),
        fileField({
          id: "user_data_file",
          label: "User data as a file",
          hint: "For more than 3,000 characters. Slack keeps the file until you delete it there.",
          optional: true,
        }),
        ...fileNote(draft),
        ...(sources.name === null
          ? []
          : [context(`The own images and SSH keys are those of ${code(sources.name, 60)}, where the order goes.`)]),
        ...actions([button("Back to the plan", "page:back", "plan")]),
      ],
    };
  },
  check(given) {
    const errors: Record<string, string> = {};
    const keys = typeof given.pasted === "string" ? pastedKeys(given.pasted) : [];
    const faults = keys.map((key) => publicKeyField.safeParse(key).error?.issues[0]?.message);
    const wrong = faults.findIndex((fault) => fault !== undefined);
    if (keys.length > orderLimits.keys) errors.pasted = `At most ${orderLimits.keys} keys can be given.`;
    else if (wrong >= 0) errors.pasted = `Line ${wrong + 1} is no OpenSSH public key: ${faults[wrong]}`;
    if (given.user_data && given.user_data_file) errors.user_data = "Give the user data here or as a file, not both.";
    return errors;
  },
  keep(draft, given) {
    const { current } = draft;
    if (!current || !("image" in given)) return draft;
    const { image, keys, pasted, user_data: text, user_data_file: file } = given;
    const upload = typeof file === "object" && file !== null && !Array.isArray(file) ? file : null;
    const userData = typeof text === "string" ? text : "";
    return {
      ...draft,
      current: {
        ...current,
        image: typeof image === "string" ? image : null,
        keys: Array.isArray(keys) ? keys : [],
        pasted: typeof pasted === "string" ? pasted : "",
        userData,
        // Typed user data replaces a file from before.
        file: upload?.content ? upload : userData ? null : current.file,
      },
    };
  },
  async next(_, draft, pressed) {
    const { current } = draft;
    if (pressed?.verb === "back") return { page: "plan", draft };
    if (pressed?.verb === "unfile" && current)
      return { page: "system", draft: { ...draft, current: { ...current, file: null } } };
    if (current?.image === null) throw wrongInput("image", "Choose a system.");
    const length = current ? userDataOf(current).length : 0;
    if (length > orderLimits.userData)
      throw new Refusal(
        `The user data has ${length.toLocaleString("en")} characters; at most ${orderLimits.userData.toLocaleString("en")} can be sent. Give a shorter one.`,
      );
    return { page: "order", draft: withCurrent(draft) };
  },
};

function imageNotes(own: CustomImage[], ready: CustomImage[]): Block[] {
  const capturing = own.filter(({ status }) => status === "capturing").map(({ name }) => code(name, 60));
  return [
    ...(capturing.length > 0
      ? [context(`Still being captured, so not available yet: ${capturing.slice(0, 10).join(", ")}.`)]
      : []),
    ...leftOut(ready.length, "images"),
  ];
}

function leftOut(amount: number, what: string): Block[] {
  const left = amount - limits.select.options;
  return left > 0 ? [context(`Of the ${what}, ${left} more cannot be listed here.`)] : [];
}

function fileNote({ current }: Draft): Block[] {
  if (!current?.file) return [];
  const { name, content } = current.file;
  return [
    context(`:paperclip: ${code(name)} with ${count(content.length, "character")} is attached.`),
    ...actions([button("Remove the file", "page:unfile", "file")]),
  ];
}
