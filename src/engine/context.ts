import type { ReadScheduledTime } from "../access/when.ts";
import type { Windows } from "../policy/maintenance-windows/windows.ts";
import type { ChannelDefaults } from "../records/channel-defaults.ts";
import type { LastCommands } from "../records/last-commands.ts";
import type { Requests } from "../requests/requests.ts";
import type { Favourites } from "../resources/favourites.ts";
import type { Watches } from "../resources/watches/watches.ts";

/** The parts of the app that a command needs on its way to the answer. */
export interface InvokeContext {
  requests: Requests;
  /** Default project and filters of channels. */
  channelDefaults: Pick<ChannelDefaults, "read">;
  lastCommands: LastCommands;
  /** Reads the scheduled time from a member's input. */
  putOff: ReadScheduledTime;
  windows: Windows;
  favourites: Favourites;
  watches: Watches;
  /** The panel's page of a service, with `{id}`, where its address is known. */
  panel: { serviceUrl?: string };
}
