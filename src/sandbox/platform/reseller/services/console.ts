import { randomBytes, randomUUID } from "node:crypto";
import { z } from "zod";
import { badRequest, conflict, forbidden, notFound } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import { type Cast, panelOf } from "../../programme/panel.ts";
import type { Service, Vps } from "../../world/service.ts";
import { refuseOutOfService, serviceOf } from "../request/access.ts";
import { type Call, type Route, readBody } from "../request/call.ts";
import { underName } from "../request/envelope.ts";
import { refuseUnlessProviderAnswers, refuseWithoutController } from "./power.ts";
import { controlled } from "./reinstall.ts";

const path = "/services/{serviceId}";
const scope = "services";

export const consoleRoutes: Route[] = [
  { method: "GET", path: `${path}/console`, scope, handle: open },
  { method: "POST", path: `${path}/console-session`, scope, handle: openSession },
  { method: "GET", path: `${path}/console-cast`, scope, handle: listCasts },
  { method: "POST", path: `${path}/console-cast`, scope, handle: createCast },
  { method: "DELETE", path: `${path}/console-cast/{castId}`, scope, handle: revokeCast },
];

const supplier = "console.practice.example";
const sessionMs = 300_000;

/** Opens a session in the shape of the backend (spec 2.7). */
function open(call: Call) {
  const service = opened(call);
  const { sessionId, token, wsPath, viewerKind } = newSession();
  if (service.kind === "dedicated") {
    const available = !service.controller_broken;
    return ok({
      type: "kvm",
      available,
      launch_endpoint: `/api/v1/reseller/services/${service.id}/console-session`,
      agent_online: available,
      ...(available ? {} : { reason: "The console agent does not answer" }),
    });
  }
  if (service.kind !== "vps" || service.provider !== "native") {
    refuseUnlessProviderAnswers(call, service, "console");
    return ok({
      provider: service.provider,
      url: `https://${supplier}/p/${service.id}?ticket=${token}`,
      expires_in: 300,
    });
  }
  return ok({
    type: "novnc",
    sessionId,
    token,
    wsPath,
    expiresAt: new Date(call.world.clock.now() + sessionMs).toISOString(),
    mode: "vnc",
    viewerKind,
    websocketUrl: `wss://${supplier}${wsPath}?token=${token}`,
    rfbPassword: randomBytes(4).toString("hex"),
  });
}

/** One-shot, and over in minutes. */
function openSession(call: Call) {
  opened(call);
  refuseWithoutPeers(call);
  return underName(call, "session", { ...newSession(), origin: `https://${supplier}` });
}

function newSession() {
  const sessionId = randomUUID();
  return { sessionId, token: randomBytes(24).toString("hex"), wsPath: `/ws/console/${sessionId}`, viewerKind: "vnc" };
}

/** The service, when its console can be opened now. */
function opened(call: Call): Service {
  const service = serviceOf(call);
  refuseOutOfService(call, service);
  controlled(call, service);
  if (service.kind === "dedicated") refuseWithoutController(service);
  if (service.kind === "vps" && service.provider === "native") refuseWithoutDisplay(service);
  return service;
}

function refuseWithoutDisplay({ capabilities, instance }: Vps): void {
  if (!capabilities.console) throw forbidden("The console is switched off for this product");
  if (instance === null || instance.state === "creating") throw conflict("The machine has no display yet");
  if (instance.state !== "running" && instance.state !== "paused") throw conflict("The machine is not running");
}

const castBody = z.object({
  label: z.string().max(120, "label has at most 120 characters").optional(),
  viewOnly: z.boolean("viewOnly must be true or false").default(false),
  openTtlSeconds: z.int("A whole number of seconds").min(60, "At least 60").max(604_800, "At most 604800").default(900),
  viewerTtlSeconds: z
    .int("A whole number of seconds")
    .min(300, "At least 300")
    .max(43_200, "At most 43200")
    .default(3600),
});

/** Its address is the credential, and only this answer shows it. */
function createCast(call: Call) {
  const service = castable(call);
  refuseOutOfService(call, service);
  refuseWithoutPeers(call);
  const { label = null, viewOnly, openTtlSeconds, viewerTtlSeconds } = readBody(call, castBody);
  if (viewOnly && service.kind === "vps" && service.capabilities.shared) {
    throw badRequest("A VPS on a shared cluster has no links that only view");
  }
  const cast: Cast = {
    id: randomUUID(),
    ticket: randomBytes(24).toString("hex"),
    label,
    viewOnly,
    openExpiresAt: call.world.clock.now() + openTtlSeconds * 1000,
    viewerTtlSeconds,
    viewerExpiresAt: null,
    revoked: false,
  };
  panelOf(call.partner, service.id).casts.push(cast);
  const { ticket } = cast;
  return underName(call, "cast", { ...castRow(call, cast), url: `https://${supplier}/cast/${ticket}`, ticket }, 201);
}

/** The live ones. */
function listCasts(call: Call) {
  const { casts } = panelOf(call.partner, castable(call).id);
  const live = casts.filter((cast) => ["pending", "open"].includes(statusOf(call, cast)));
  return underName(
    call,
    "casts",
    live.map((cast) => castRow(call, cast)),
  );
}

/** A repeated request does no harm; a stream that is open stays open. */
function revokeCast(call: Call) {
  const service = serviceOf(call);
  const cast = panelOf(call.partner, service.id).casts.find(({ id }) => id === param(call, "castId").toLowerCase());
  if (cast === undefined) throw notFound("Console cast");
  cast.revoked = true;
  return ok({ id: cast.id, status: "revoked" });
}

function castRow(call: Call, cast: Cast) {
  const { id, label, viewOnly, viewerTtlSeconds, openExpiresAt, viewerExpiresAt } = cast;
  return {
    id,
    label,
    viewOnly,
    openExpiresAt: new Date(openExpiresAt).toISOString(),
    viewerTtlSeconds,
    viewerExpiresAt: viewerExpiresAt === null ? null : new Date(viewerExpiresAt).toISOString(),
    status: statusOf(call, cast),
  };
}

function statusOf({ world }: Call, { revoked, viewerExpiresAt, openExpiresAt }: Cast) {
  const now = world.clock.now();
  if (revoked) return "revoked";
  if (viewerExpiresAt !== null) return viewerExpiresAt > now ? "open" : "expired";
  return openExpiresAt > now ? "pending" : "expired";
}

function castable(call: Call): Service {
  const service = serviceOf(call);
  const machine = service.kind === "dedicated" || (service.kind === "vps" && service.provider === "native");
  if (!machine) throw badRequest("Only a VPS or a dedicated server has console links");
  if (service.kind === "vps" && !service.capabilities.console) {
    throw forbidden("The console is switched off for this product");
  }
  return service;
}

function refuseWithoutPeers({ programme }: Call): void {
  if (!programme.settings.peerConnections) throw forbidden("Peer connections are disabled on this platform");
}
