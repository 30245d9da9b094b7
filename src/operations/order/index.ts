import { newOrder } from "./new.ts";
import { list, show } from "./order.ts";
import { templateList, templateRemove, templateRename, templateShare } from "./templates.ts";

/** In the order of the help. */
export const orderOperations = [newOrder, list, show, templateList, templateShare, templateRename, templateRemove];
