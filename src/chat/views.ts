import type { WebClient } from "@slack/web-api";
import type { View } from "../views/blocks.ts";
import type { BlockSupport } from "./block-support.ts";
import type { Calling } from "./calling.ts";

/** Modals and the Home tab. */
export interface Views {
  openView(trigger: string, view: View): Promise<{ id: string; hash: string }>;
  pushView(trigger: string, view: View): Promise<{ id: string; hash: string }>;
  updateView(id: string, view: View, hash?: string): Promise<void>;
  publishHome(user: string, view: View): Promise<void>;
}

export function createViews(deps: { client: WebClient; call: Calling["call"]; blockSupport: BlockSupport }): Views {
  const { client, call, blockSupport } = deps;
  return {
    openView: (trigger, view) =>
      blockSupport.send(view, async (shown) =>
        viewRef(await call("views.open", () => client.views.open({ trigger_id: trigger, view: shown }))),
      ),
    pushView: (trigger, view) =>
      blockSupport.send(view, async (shown) =>
        viewRef(await call("views.push", () => client.views.push({ trigger_id: trigger, view: shown }))),
      ),
    async updateView(id, view, hash) {
      await blockSupport.send(view, (shown) =>
        call("views.update", () => client.views.update({ view_id: id, view: shown, ...(hash ? { hash } : {}) })),
      );
    },
    async publishHome(user, view) {
      await call("views.publish", () => client.views.publish({ user_id: user, view }));
    },
  };
}

function viewRef(opened: { view?: { id?: string; hash?: string } }): { id: string; hash: string } {
  return { id: opened.view?.id ?? "", hash: opened.view?.hash ?? "" };
}
