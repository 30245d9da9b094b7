import { createHash, randomUUID } from "node:crypto";
import { z } from "zod";
import { conflict, notFound } from "../../http/refusal.ts";
import { ok, placed, success } from "../../http/response.ts";
import { holderOf } from "../../world/users.ts";
import { isoNow, type World } from "../../world/world.ts";
import { isPublicKey } from "../orders/body.ts";
import { aliased, type Call, param, type Route, readBody } from "../request/call.ts";
import { inScope, wantedProject } from "./projects.ts";

export interface SshKey {
  id: string;
  holder: string;
  project_id: string;
  name: string;
  public_key: string;
  fingerprint: string;
  created_at: string;
}

export const sshKeyRoutes: Route[] = [
  { method: "GET", path: "/ssh-keys", scope: "read", permission: "services.view", handle: list },
  { method: "POST", path: "/ssh-keys", scope: "services", permission: "services.manage", handle: add },
  { method: "DELETE", path: "/ssh-keys/{id}", scope: "services", permission: "services.manage", handle: remove },
];

function list(call: Call) {
  return placed(call, "ssh_keys", mine(call).map(keyRow));
}

function mine(call: Call): SshKey[] {
  const holder = holderOf(call.user);
  return [...call.world.sshKeys.values()].filter((key) => key.holder === holder && inScope(call, key.project_id));
}

const body = aliased(
  { publicKey: ["public_key"], projectId: ["project_id"] },
  z.object({
    name: z.string("name is required").trim().min(1, "name is required").max(255, "name has at most 255 characters"),
    publicKey: z.string("publicKey is required").trim().refine(isPublicKey, "This is no OpenSSH public key"),
    projectId: z.string().optional(),
  }),
);

function add(call: Call) {
  const { name, publicKey, projectId } = readBody(call, body);
  const project = wantedProject(call, projectId);
  const key = newSshKey(call.world, { holder: holderOf(call.user), project_id: project.id, name, text: publicKey });
  if (mine(call).some((one) => one.fingerprint === key.fingerprint)) throw conflict("This key is already stored");
  call.world.sshKeys.set(key.id, key);
  return success(201, keyRow(key));
}

/** The comment at its end is not kept. */
export function newSshKey(
  world: World,
  { text, ...facts }: { holder: string; project_id: string; name: string; text: string },
): SshKey {
  const [kind = "", blob = ""] = text.split(" ");
  const digest = createHash("sha256").update(Buffer.from(blob, "base64")).digest("base64").replace(/=+$/, "");
  return {
    id: randomUUID(),
    ...facts,
    public_key: `${kind} ${blob}`,
    fingerprint: `SHA256:${digest}`,
    created_at: isoNow(world),
  };
}

function remove(call: Call) {
  const id = param(call, "id").toLowerCase();
  const key = mine(call).find((one) => one.id === id);
  if (key === undefined) throw notFound("SSH key");
  call.world.sshKeys.delete(key.id);
  return ok({ deleted: true });
}

function keyRow({ holder, ...row }: SshKey) {
  return row;
}
