import { randomBytes } from "node:crypto";
import type { Call, Route } from "../request/call.ts";
import { ok } from "../request/envelope.ts";
import { shapeOf } from "../request/shapes.ts";
import { acted, gameOf, path, stateOf } from "./server.ts";

export const sftpRoutes: Route[] = [
  { method: "GET", path: `${path}/sftp`, scope: "read", handle: show },
  { method: "POST", path: `${path}/sftp/rotate`, scope: "services", handle: rotate },
];

/** The password is told where it is asked for, or only when it is new. */
function show(call: Call) {
  const { id } = gameOf(call);
  const address = { host: "sftp.practice.example", port: 2022 };
  if (shapeOf(call, id, 2) === 0) return ok({ ...address, username: `game-${id.slice(0, 8)}` });
  const { sftpPassword } = stateOf(call, gameOf(call));
  return ok({ sftp: { ...address, credentials: { user: `game-${id.slice(0, 8)}`, password: sftpPassword } } });
}

function rotate(call: Call) {
  const service = acted(call);
  const server = stateOf(call, service);
  server.sftpPassword = randomBytes(12).toString("hex");
  const { sftpPassword: password } = server;
  return ok(shapeOf(call, service.id, 2) === 0 ? { password } : { sftp_password: password, username: service.name });
}
