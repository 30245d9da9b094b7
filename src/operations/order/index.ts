import { list } from "./list.ts";
import { newOrder } from "./new.ts";
import { show } from "./show.ts";
import { templateList, templateRemove, templateRename, templateShare } from "./templates.ts";

/** Orders: making them, and what became of them. */
export const orderOperations = [newOrder, list, show, templateList, templateShare, templateRename, templateRemove];
