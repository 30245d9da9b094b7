import type { AccessApp } from "../members/access/access.ts";
import type { BindingApp } from "../members/access/bound.ts";
import type { Reply } from "../messages/reply.ts";
import type { Registry } from "../operation/registry.ts";
import type { PasskeysApp } from "../passkeys/passkeys.ts";
import type { RequestsApp } from "../requests/app.ts";
import type { Foundation } from "../storage/foundation.ts";

/** "refused": the member was answered with a reason. "failed": something broke. */
export type CommandOutcome = "ok" | "refused" | "failed";

/** The parts of the app that a command needs on its way to the answer. */
export interface App extends AccessApp, BindingApp, PasskeysApp, Pick<Foundation, "log"> {
  requests: RequestsApp;
  reply: Reply;
  /** Called for every finished invocation, for the metrics. */
  onInvoked: (command: string, outcome: CommandOutcome) => void;
}

/** The same with the services of the app's own operations. */
export interface AppWith<C> extends App {
  registry: Registry<C>;
  context: C;
}
