import { z } from "zod";
import { conflict, notFound } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import { isPublicKey, newSshKey, type SshKey } from "../../world/ssh-key.ts";
import { holderOf } from "../../world/users.ts";
import { isoNow } from "../../world/world.ts";
import { inScope, wantedProject } from "../request/access.ts";
import { aliased, type Call, managing, type Route, readBody, viewing } from "../request/call.ts";
import { placedList, underName } from "../request/envelope.ts";

export const sshKeyRoutes: Route[] = [
  { ...viewing, path: "/ssh-keys", handle: list },
  { ...managing, path: "/ssh-keys", handle: add },
  { ...managing, method: "DELETE", path: "/ssh-keys/{id}", handle: remove },
];

function list(call: Call) {
  return placedList(call, "ssh_keys", mine(call).map(keyRow));
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
  const key = newSshKey({
    holder: holderOf(call.user),
    project_id: project.id,
    name,
    text: publicKey,
    created_at: isoNow(call.world),
  });
  if (mine(call).some((one) => one.fingerprint === key.fingerprint)) throw conflict("This key is already stored");
  call.world.sshKeys.set(key.id, key);
  return underName(call, "ssh_key", keyRow(key), 201);
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
