import { badField, badRequest, conflict, featureDisabled, Refusal } from "../../http/refusal.ts";
import type { Product } from "../../world/catalogue.ts";
import type { CustomImage } from "../../world/custom-image.ts";
import { images } from "../../world/os-images.ts";
import type { Project } from "../../world/project.ts";
import { holderOf } from "../../world/users.ts";
import { inScope } from "../request/access.ts";
import type { Call } from "../request/call.ts";
import { codeFor } from "./availability.ts";
import type { OrderLineBody } from "./body.ts";
import { moduleIsOn } from "./products.ts";

const GiB = 1024 ** 3;

/** One line of an order, checked: what it is for and where it goes. */
export interface OrderLine {
  product: Product;
  body: OrderLineBody;
  location: string | undefined;
  customImage: CustomImage | undefined;
}

/** Checks a line against the order rules of spec 4.6. Throws the refusal of the first rule that it breaks. */
export function checkLine(
  call: Call,
  body: OrderLineBody,
  shared: { location: string | undefined; project: Project },
): OrderLine {
  const product = call.world.catalogue.products.get(body.productId.toLowerCase());
  if (product === undefined) throw badField("productId", "There is no such product");
  if (!moduleIsOn(call.world, product)) throw featureDisabled("The module of this product");
  if (!product.cycles.includes(body.billingCycle)) {
    throw badField("billingCycle", `This product is not billed ${body.billingCycle}`);
  }
  const optionIds = product.options.map((option) => option.id);
  if (body.options.some((one) => !optionIds.includes(one.optionId))) {
    throw badField("options", "This product has no such option");
  }
  const customImage = checkConfiguration(call, product, body, shared.project);
  const location = body.configuration.location ?? shared.location;
  checkLocation(product, location);
  return { product, body, location, customImage };
}

/** True if an order into `project` may use what is in `own`. */
function isUsable(call: Call, project: Project, own: string): boolean {
  return inScope(call, own) && (call.world.settings.shapes.orderAcross === "taken" || own === project.id);
}

function checkConfiguration(
  call: Call,
  product: Product,
  { configuration }: OrderLineBody,
  project: Project,
): CustomImage | undefined {
  const { os_image_id, custom_image_id, user_data, ssh_keys, ssh_key_ids } = configuration;
  if (os_image_id !== undefined && custom_image_id !== undefined) {
    throw badRequest("Name an image or a custom image, not both", [
      { field: "custom_image_id", message: "Not together with os_image_id" },
    ]);
  }
  const forVps = [custom_image_id, user_data, ssh_keys, ssh_key_ids].some((field) => field !== undefined);
  if (forVps && product.kind !== "vps") throw badRequest("Only a VPS takes custom images, user data and SSH keys");
  if (product.kind === "vps" && product.templates.length === 0) {
    throw conflict("This product has no image that can be ordered", "PRODUCT_UNAVAILABLE");
  }
  if (os_image_id !== undefined && !product.templates.some((image) => image.id === os_image_id)) {
    throw badField("os_image_id", "This image cannot be ordered with this product");
  }
  const windows = (os_image_id ?? product.templates[0]?.id) === images.windows.id && custom_image_id === undefined;
  if (windows && user_data !== undefined) throw badField("user_data", "Windows images take no user data");
  checkSshKeys(call, ssh_key_ids ?? [], project);
  return custom_image_id === undefined ? undefined : checkCustomImage(call, product, custom_image_id, project);
}

function checkSshKeys(call: Call, ids: readonly string[], project: Project): void {
  for (const id of ids) {
    const key = call.world.sshKeys.get(id);
    if (key?.holder !== holderOf(call.user) || !isUsable(call, project, key.project_id))
      throw badField("ssh_key_ids", "There is no such SSH key");
  }
}

function checkCustomImage(call: Call, product: Product, id: string, project: Project): CustomImage {
  const image = call.world.customImages.get(id);
  if (image?.holder !== holderOf(call.user) || !isUsable(call, project, image.project_id)) {
    throw badField("custom_image_id", "There is no such custom image");
  }
  if (image.status !== "available") throw conflict(`The image is ${image.status}`);
  const disk = (product.specs?.storage ?? 0) * GiB;
  if (disk < (image.virtual_size_bytes ?? 0)) throw conflict("The plan's disk is smaller than the image");
  if (image.node_full) throw conflict("The node that holds the image cannot take another server", "NO_CAPACITY");
  return image;
}

function checkLocation(product: Product, location: string | undefined): void {
  const sold = product.locations.map((place) => place.value);
  if (location === undefined && product.location_required) {
    throw badField("location", `location is required: one of ${sold.join(", ")}`);
  }
  if (location !== undefined && !sold.includes(location)) {
    const accepted = sold.length === 0 ? "This product takes no location" : `Accepted are ${sold.join(", ")}`;
    throw new Refusal(400, "LOCATION_UNAVAILABLE", `Not sold in ${location}. ${accepted}.`);
  }
  const code = codeFor(product, location);
  if (code === "sold_out") {
    throw conflict("This product is sold out", location === undefined ? "SOLD_OUT" : "LOCATION_SOLD_OUT");
  }
  if (code === "no_capacity") throw conflict("There is no capacity for this product", "NO_CAPACITY");
  if (code === "forced_unavailable" || code === "plan_disabled") {
    throw conflict("This product is not available now", "PRODUCT_UNAVAILABLE");
  }
}
