import * as z from "zod";

/** An address of a machine. Spec section 2.3. */
export const IpAddress = z.object({
  address: z.string().min(1),
  version: z.literal([4, 6]),
  prefix_length: z.int().nullable(),
  gateway: z.string().nullable(),
  subnet_cidr: z.string().nullable(),
  purpose: z.string(),
});
export type IpAddress = z.infer<typeof IpAddress>;
