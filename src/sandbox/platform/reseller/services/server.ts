import { randomBytes, randomUUID } from "node:crypto";
import { z } from "zod";
import { badField, badRequest, conflict, forbidden, notFound } from "../../http/refusal.ts";
import { ok, success } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import { panelOf, type ServerKey } from "../../programme/panel.ts";
import type { Dedicated } from "../../world/service.ts";
import { shapeOf } from "../../world/shapes.ts";
import { isPublicKey } from "../../world/ssh-key.ts";
import { refuseWithheld, serviceOf } from "../request/access.ts";
import { type Call, type Route, readBody } from "../request/call.ts";
import { underName } from "../request/envelope.ts";

const path = "/services/{serviceId}";

// Routes for dedicated servers alone: SSH keys for its next installation, and its rescue system.
export const serverRoutes: Route[] = [
  { method: "GET", path: `${path}/ssh-keys`, scope: "read", handle: listKeys },
  { method: "POST", path: `${path}/ssh-keys`, scope: "services", handle: addKey },
  { method: "DELETE", path: `${path}/ssh-keys/{keyId}`, scope: "services", handle: removeKey },
  { method: "POST", path: `${path}/rescue`, scope: "services", handle: rescue },
  { method: "POST", path: `${path}/unrescue`, scope: "services", handle: unrescue },
];

function listKeys(call: Call) {
  const server = serverOf(call);
  return underName(
    call,
    "sshKeys",
    panelOf(call.partner, server.id).sshKeys.map((key) => keyRow(call, server, key)),
  );
}

function keyRow(call: Call, server: Dedicated, { id, name, public_key }: ServerKey) {
  return shapeOf(call, server.id, 2) === 0 ? { id, name, publicKey: public_key } : { id, label: name, key: public_key };
}

const keyBody = z.union([
  z.object({ sshKeyId: z.guid("sshKeyId must be a uuid") }),
  z.object({ publicKey: z.string(), name: z.string().min(1).max(120) }),
]);

/** One that is stored, or a new one; the next reinstall applies it. */
function addKey(call: Call) {
  const server = serverOf(call);
  refuseWithheld(call, server);
  const body = readBody(call, keyBody);
  const key = "sshKeyId" in body ? storedKey(call, body.sshKeyId) : newKey(body);
  const { sshKeys } = panelOf(call.partner, server.id);
  if (sshKeys.some(({ public_key }) => public_key === key.public_key))
    throw conflict("The server already has this key");
  sshKeys.push(key);
  return success(201, { ...keyRow(call, server, key), appliedAt: "the next reinstall" });
}

function storedKey({ world, partner }: Call, id: string): ServerKey {
  const key = world.sshKeys.get(id.toLowerCase());
  if (key === undefined || key.holder !== partner.holder) throw notFound("SSH key");
  return { id: key.id, name: key.name, public_key: key.public_key };
}

function newKey({ publicKey, name }: { publicKey: string; name: string }): ServerKey {
  if (!isPublicKey(publicKey)) throw badField("publicKey", "publicKey is no OpenSSH public key");
  return { id: randomUUID(), name, public_key: publicKey };
}

function removeKey(call: Call) {
  const server = serverOf(call);
  const panel = panelOf(call.partner, server.id);
  const id = param(call, "keyId").toLowerCase();
  if (!panel.sshKeys.some((key) => key.id === id)) throw notFound("SSH key");
  panel.sshKeys = panel.sshKeys.filter((key) => key.id !== id);
  return ok({ deleted: true });
}

/** Restarts the server into a rescue system, whose password only this answer shows. */
function rescue(call: Call) {
  const server = settled(call);
  const panel = panelOf(call.partner, server.id);
  if (panel.rescue) throw conflict("The server is in its rescue system already");
  panel.rescue = true;
  restart(call, server);
  const password = randomBytes(9).toString("base64url");
  if (shapeOf(call, server.id, 2) === 0) return ok({ rescuePassword: password, user: "root" });
  return ok({ status: "rescue", credentials: { username: "root", rescue_password: password } });
}

function unrescue(call: Call) {
  const server = settled(call);
  const panel = panelOf(call.partner, server.id);
  if (!panel.rescue) throw conflict("The server is not in its rescue system");
  panel.rescue = false;
  restart(call, server);
  return ok({ status: "rebooting" });
}

/** A server that was off is on after it, too. */
function restart({ world }: Call, server: Dedicated): void {
  world.jobs.start("reboot", server.id, () => {
    server.power_state = "on";
  });
}

function settled(call: Call): Dedicated {
  const server = serverOf(call);
  refuseWithheld(call, server);
  if (!call.programme.settings.rescue) throw forbidden("The supplier does not allow the rescue system");
  if (server.provision_state !== "active") throw conflict(`The server is ${server.provision_state}`);
  return server;
}

function serverOf(call: Call): Dedicated {
  const service = serviceOf(call);
  if (service.kind !== "dedicated") throw badRequest("Only a dedicated server has this");
  return service;
}
