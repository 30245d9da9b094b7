import { z } from "zod";
import { cycles } from "../../money/money.ts";
import { isPublicKey } from "../../world/ssh-key.ts";

const uuid = (field: string) => z.guid(`${field} must be a uuid`);
const fqdn = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;

const cycle = z.enum(cycles, `billingCycle must be one of ${cycles.join(", ")}`);

const configurationBody = z.object({
  os_image_id: uuid("os_image_id").optional(),
  custom_image_id: uuid("custom_image_id").optional(),
  user_data: z
    .string()
    .max(65_536, "user_data has at most 65536 characters")
    .refine((text) => text.startsWith("#!") || text.startsWith("#cloud-config"), {
      message: "user_data must be a #! script or a #cloud-config document",
    })
    .optional(),
  ssh_keys: z
    .array(z.string().refine(isPublicKey, "This is no OpenSSH public key"))
    .max(20, "At most 20 keys")
    .optional(),
  ssh_key_ids: z.array(uuid("ssh_key_ids")).max(20, "At most 20 keys").optional(),
  location: z.string().optional(),
});

const line = z.object({
  productId: uuid("productId"),
  billingCycle: cycle,
  quantity: z.int("quantity must be a whole number").min(1, "quantity must be at least 1").default(1),
  configuration: configurationBody.default({}),
  options: z.array(z.object({ optionId: uuid("optionId"), quantity: z.int().min(1).default(1) })).default([]),
});

export type OrderLineBody = z.infer<typeof line>;

const common = {
  hostname: z.string().regex(fqdn, "hostname must be a full host name, such as web.example.com").optional(),
  projectId: z.string().min(1).optional(),
  idempotencyKey: z.string().max(255, "idempotencyKey has at most 255 characters").optional(),
  location: z.string().optional(),
  discountCode: z.string().optional(),
};

const listed = z.object({ ...common, items: z.array(line).min(1, "items is empty").max(50, "At most 50 items") });

const single = z
  .object({
    ...common,
    productId: uuid("productId"),
    billingCycle: cycle,
    configOptions: configurationBody.default({}),
  })
  .transform(({ productId, billingCycle, configOptions, ...rest }) => ({
    ...rest,
    items: [line.parse({ productId, billingCycle, configuration: configOptions })],
  }));

export type OrderBody = z.infer<typeof listed>;

/** Either several `items`, or one product at the top: read as items in both cases. */
export const orderBody: z.ZodType<OrderBody> = z.unknown().transform((body, context) => {
  const hasItems = typeof body === "object" && body !== null && "items" in body;
  const parsed = hasItems ? listed.safeParse(body) : single.safeParse(body);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    context.addIssue({ code: "custom", message: issue.message, path: issue.path });
  }
  return z.NEVER;
});
