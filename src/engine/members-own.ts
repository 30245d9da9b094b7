import type { Foundation } from "./foundation.ts";
import { createLastCommands } from "./records/last-commands.ts";
import { createTemplates } from "./records/templates.ts";
import { createFavourites } from "./things/favourites.ts";

/** What is kept for each member, and goes with them; templates that they shared stay. */
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
