// webapi/: what the app calls: a file per family of Web API methods, one entry a method, and uploads.

import { appMethods } from "./app.ts";
import { chat } from "./chat.ts";
import { conversations } from "./conversations.ts";
import { files } from "./files.ts";
import type { Method } from "./method.ts";
import { peopleMethods } from "./people.ts";
import { views } from "./views.ts";

/** All that the practice workspace understands of the Web API; anything else is `unknown_method`. */
export const methods: Record<string, Method> = {
  ...appMethods,
  ...chat,
  ...conversations,
  ...files,
  ...peopleMethods,
  ...views,
};
