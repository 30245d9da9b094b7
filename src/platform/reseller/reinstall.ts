import { notShown } from "../http/data.ts";
import { path } from "../http/path.ts";
import type { ResellerClient } from "./client.ts";
import { partSecrets, type SecretField } from "./secret-fields.ts";

/**
 * What a reinstall or a password reset answers. `password` is what a dedicated server was given, and is told once; `method` is then
 * "automated" or "manual". The rest is the job, as it comes.
 */
export interface Reinstalled {
  password: string | null;
  method: string | null;
  /** Any other secret of the answer. */
  secrets: SecretField[];
  rest: unknown;
}

/**
 * POST /services/{serviceId}/reinstall: erases the disk. `osTemplate` (which the platform also knows as `osImageId`) is an image's id on
 * a VPS or a dedicated server, and a provider's name of a template elsewhere. A VPS needs a password of 8 characters; a dedicated server
 * makes its own. Reseller spec sections 4 and 4.3.
 */
export async function reinstallService(
  client: ResellerClient,
  serviceId: string,
  body: { osTemplate: string; password?: string },
): Promise<Reinstalled> {
  return told(await client.send("POST", path("/services/{serviceId}/reinstall", { serviceId }), notShown, body));
}

/**
 * POST /services/{serviceId}/password. A VPS or a plugin service needs one of 8 characters; a dedicated server takes none, is built anew
 * and tells the one that it made. Reseller spec sections 4 and 4.3.
 */
export async function resetServicePassword(
  client: ResellerClient,
  serviceId: string,
  body?: { password: string },
): Promise<Reinstalled> {
  return told(await client.send("POST", path("/services/{serviceId}/password", { serviceId }), notShown, body));
}

function told(answer: unknown): Reinstalled {
  const { secrets, rest } = partSecrets(answer);
  const own = secrets.find(({ name }) => name === "password") ?? secrets.find(({ name }) => name.endsWith(".password"));
  const method = typeof rest === "object" && rest !== null && "method" in rest ? rest.method : null;
  return {
    password: own?.value ?? null,
    method: typeof method === "string" ? method : null,
    secrets: secrets.filter((secret) => secret !== own),
    rest,
  };
}
