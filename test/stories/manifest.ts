import * as z from "zod";
import { registry } from "../../src/operations/index.ts";
import { manifestOf } from "../../src/slack/manifest.ts";

const Manifest = z.looseObject({ oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }) });

const manifest = Manifest.parse(manifestOf(registry));

/** The app's manifest as Slack installs it without these scopes. */
export function installedManifest(without: readonly string[]): unknown {
  const bot = manifest.oauth_config.scopes.bot.filter((scope) => !without.includes(scope));
  return { ...manifest, oauth_config: { scopes: { bot } } };
}
