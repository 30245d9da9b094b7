import { limits } from "../../../views/limits.ts";
import { isObject, objectsAt } from "../wire/json.ts";
import { blocksOn } from "./blocks.ts";
import { plainText } from "./composition.ts";
import { notComeYet } from "./rollout.ts";
import { flag, issuesIn, type Shape, string, typed } from "./schema.ts";

const { view } = limits;

const common = {
  private_metadata: string(view.privateMetadata),
  callback_id: string(view.callbackId),
  external_id: string(limits.id),
};

const modal: Shape = {
  required: { title: plainText(view.title), blocks: blocksOn("modal") },
  optional: {
    ...common,
    submit: plainText(view.submit),
    close: plainText(view.close),
    clear_on_close: flag,
    notify_on_close: flag,
    submit_disabled: flag,
  },
  also(object, at, report) {
    const asks = objectsAt(object, "blocks").some((block) => block.type === "input");
    if (asks && object.submit === undefined) report(at, "missing required field: submit (the view has input blocks)");
  },
};

const home: Shape = { required: { blocks: blocksOn("home") }, optional: common };

const modalView = typed({ modal });
const homeView = typed({ home });

/** Why Slack would refuse this view; nothing if it would not. */
export function refusedView(
  value: unknown,
  type: "modal" | "home",
  withoutBlocks: ReadonlySet<string> = new Set(),
): string[] {
  if (!isObject(value)) return ["[ERROR] must be an object [json-pointer:/view]"];
  const unknown = notComeYet(value.blocks, withoutBlocks, "/view/blocks");
  if (unknown.length > 0) return unknown;
  return issuesIn(type === "modal" ? modalView : homeView, value, "/view");
}

/** True for a view over the 250 kB that Slack takes. */
export function tooLarge(value: unknown): boolean {
  return JSON.stringify(value).length > 250_000;
}
