import { list } from "./list.ts";
import { newOrder } from "./new.ts";
import { show } from "./show.ts";
import { templateList, templateRemove, templateRename, templateShare } from "./templates.ts";

/** In the order of the help. */
export const orderOperations = [newOrder, list, show, templateList, templateShare, templateRename, templateRemove];
