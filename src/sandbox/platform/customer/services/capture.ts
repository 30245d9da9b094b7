import { z } from "zod";
import { forbidden } from "../../http/refusal.ts";
import { captureDisk } from "../../provisioning/capture.ts";
import { refuseOutOfService, vpsOf } from "../request/access.ts";
import { type Call, readBody } from "../request/call.ts";
import { success } from "../request/envelope.ts";

const body = z.object({
  name: z.string("name is required").trim().min(1, "name is required").max(120, "name has at most 120 characters"),
  description: z.string().max(2000).nullish(),
});

/** Stores a machine's disk as an image: accepted at once, available minutes later. */
export function capture(call: Call) {
  const { world } = call;
  const vps = vpsOf(call);
  refuseOutOfService(vps);
  if (!vps.capabilities.images) throw forbidden("Image capture is not available for this server");
  const { name, description } = readBody(call, body);
  const { id, source_kind, status } = captureDisk(world, vps, { name, description: description ?? null });
  return success(202, { id, name, source_kind, status });
}
