import type { Logger } from "pino";
import type { Access } from "../access/access.ts";
import type { Binder, BoundOperation } from "../access/bound.ts";
import type { ReadScheduledTime } from "../access/when.ts";
import type { People } from "../chat/people.ts";
import type { Clock } from "../clock.ts";
import type { Identities } from "../identities/identities.ts";
import type { Reply } from "../notifications/reply.ts";
import type { Act } from "../operation/operation.ts";
import type { Registry } from "../operation/registry.ts";
import type { SettingsStore } from "../records/settings.ts";
import type { Store } from "../storage/store.ts";
import type { RequestChecks } from "./checks.ts";
import type { FindFor, TellState } from "./find-for.ts";
import type { NewestBackups } from "./newest-backups.ts";
import type { Repeats } from "./repeats.ts";
import type { Request } from "./request.ts";
import type { Rules } from "./rules.ts";
import type { RequestStore } from "./store.ts";
import type { Visibilities } from "./visibility.ts";

/** All that the steps of a request work with. */
export interface RequestsApp {
  store: Store;
  requests: RequestStore;
  run: { run(request: Request, act: Act, bound: BoundOperation): Promise<{ request: Request; error?: unknown }> };
  rules: Rules;
  checks: RequestChecks;
  visibilities: Visibilities;
  repeats: Repeats;
  newestBackups: NewestBackups;
  findFor: FindFor;
  say: TellState;
  registry: Registry;
  identities: Identities;
  access: Access;
  binder: Binder;
  people: People;
  settings: SettingsStore;
  reply: Reply;
  readScheduledTime: ReadScheduledTime;
  clock: Clock;
  log: Logger;
  /** Milliseconds in which a request can be decided. */
  ttl: number;
}
