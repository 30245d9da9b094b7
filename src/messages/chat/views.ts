import type { WebClient } from "@slack/web-api";
import type { View } from "../../views/blocks.ts";
import { withButtonNames } from "../../views/button-names.ts";
import type { BlockSupport } from "./block-support.ts";
import type { Calling } from "./calling.ts";

/** Modals and the Home tab. */
export interface Views {
  /** Opens a modal. With `over`, stacks it on that modal, or replaces that modal if Slack's stack is full. */
  openView(trigger: string, view: View, over?: { id: string; full: boolean } | null): Promise<{ id: string }>;
  updateView(id: string, view: View, hash?: string): Promise<void>;
  /** Awaits `before` ahead of each try: Slack may put one off, and a newer Home is shown by then. */
  publishHome(user: string, view: View, before?: () => Promise<void>): Promise<void>;
}

export function createViews(deps: { client: WebClient; call: Calling["call"]; blockSupport: BlockSupport }): Views {
  const { client, call, blockSupport } = deps;

  function push(trigger: string, view: View) {
    return blockSupport.send(view, async (shown) =>
      viewRef(await call("views.push", () => client.views.push({ trigger_id: trigger, view: shown }))),
    );
  }

  async function updateView(id: string, view: View, hash?: string): Promise<void> {
    await blockSupport.send(view, (shown) =>
      call("views.update", () => client.views.update({ view_id: id, view: shown, ...(hash ? { hash } : {}) })),
    );
  }

  return {
    async openView(trigger, view, over = null) {
      if (over === null) {
        return blockSupport.send(view, async (shown) =>
          viewRef(await call("views.open", () => client.views.open({ trigger_id: trigger, view: shown }))),
        );
      }
      if (!over.full) return push(trigger, view);
      await updateView(over.id, view);
      return { id: over.id };
    },
    updateView,
    async publishHome(user, view, before) {
      const shown = withButtonNames(view);
      await call("views.publish", () => client.views.publish({ user_id: user, view: shown }), before);
    },
  };
}

function viewRef(opened: { view?: { id?: string } }): { id: string } {
  return { id: opened.view?.id ?? "" };
}
