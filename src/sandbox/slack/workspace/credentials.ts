import { newId, newSecret } from "../wire/ids.ts";

/** The ids and secrets of one workspace and the app in it; made anew each time. */
export function newCredentials() {
  const appId = newId("A");
  return {
    teamId: newId("T"),
    otherTeamId: newId("T"),
    teamName: "Rackbell Practice",
    teamDomain: "rackbell-practice",
    appId,
    botId: newId("B"),
    botUserId: newId("U"),
    botToken: `xoxb-${newSecret(6)}-${newSecret(6)}-${newSecret(12)}`,
    appToken: `xapp-1-${appId}-${newSecret(6)}-${newSecret(32)}`,
    signingSecret: newSecret(16),
    verificationToken: newSecret(12),
  };
}

export type Credentials = ReturnType<typeof newCredentials>;
