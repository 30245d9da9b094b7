import { partSecrets, type SecretField } from "../../process/secret-parts.ts";
import { parted, unspecified } from "../http/data.ts";
import { endpoint } from "./client.ts";
import { passwordRefusals, reinstallRefusals, rescueRefusals } from "./refusals.ts";

/**
 * The answer to a reinstall or a password reset. `password` is the one that a dedicated server generated; only this answer has it.
 * `method` is then "automated" or "manual". `rest` is the job, unchanged.
 */
export interface Reinstalled {
  password: string | null;
  method: string | null;
  /** All other secrets in the answer. */
  secrets: SecretField[];
  rest: unknown;
}

const installed = unspecified.transform((answer): Reinstalled => {
  const { secrets, rest } = partSecrets(answer);
  const own = secrets.find(({ name }) => name === "password") ?? secrets.find(({ name }) => name.endsWith(".password"));
  const method = typeof rest === "object" && rest !== null && "method" in rest ? rest.method : null;
  return {
    password: own?.value ?? null,
    method: typeof method === "string" ? method : null,
    secrets: secrets.filter((secret) => secret !== own),
    rest,
  };
});

/**
 * Erases the disk. `osTemplate` (also called `osImageId`) is an image's id on a VPS or a dedicated server. Elsewhere it is a provider's
 * template name. A VPS needs a password of 8 characters; a dedicated server generates its own.
 */
export const reinstallService = endpoint("POST /services/{serviceId}/reinstall", "destructive", "4, 4.3", installed, {
  sends: (body: { osTemplate: string; password?: string }) => ({ body }),
  refusals: reinstallRefusals,
});

/**
 * A VPS or a plugin service needs a password of 8 characters. A dedicated server takes none: it is rebuilt, and the answer has its new
 * password.
 */
export const resetServicePassword = endpoint(
  "POST /services/{serviceId}/password",
  "destructive",
  "4, 4.3",
  installed,
  {
    sends: (body?: { password: string }) => ({ body }),
    refusals: passwordRefusals,
  },
);

/**
 * For a dedicated server in a settled state, where the supplier allows it. The one-time rescue password is among the secrets.
 */
export const startRescue = endpoint("POST /services/{serviceId}/rescue", "services", "4", parted, {
  refusals: rescueRefusals,
});

/** Boots the installed system again. Gives what the platform answered. */
export const endRescue = endpoint("POST /services/{serviceId}/unrescue", "services", "4", parted, {
  refusals: rescueRefusals,
});
