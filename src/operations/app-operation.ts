import type * as z from "zod";
import { type AppOperationDeclaration, createAppOperation } from "../operation/app-operation.ts";
import type { AppOperation } from "../operation/operation.ts";
import type { AppContext } from "./app-context.ts";

/** Declares something that a member does with Rackbell itself: it works with the app's own rooms. */
export function defineAppOperation<I extends z.ZodObject>(
  declaration: AppOperationDeclaration<AppContext, I>,
): AppOperation<AppContext> {
  return createAppOperation(declaration);
}
