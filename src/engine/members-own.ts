import { createLastCommands } from "../records/last-commands.ts";
import { createTemplates } from "../records/templates.ts";
import { createFavourites } from "../resources/favourites.ts";
import type { Foundation } from "../storage/foundation.ts";

/** The data stored for each member and erased with them; templates that they shared stay. */
export function createMembersOwn(foundation: Foundation) {
  const favourites = createFavourites(foundation);
  const lastCommands = createLastCommands(foundation);
  const templates = createTemplates(foundation);
  return {
    ...{ favourites, lastCommands, templates },
    async forget(member: string): Promise<void> {
      await Promise.all([favourites.erase(member), lastCommands.forget(member), templates.forget(member)]);
    },
  };
}
