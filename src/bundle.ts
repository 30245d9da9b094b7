import { bundle } from "./app/tools/bundle.ts";

// The image's build starts this file by its name.
await bundle(process.argv[2] ?? "bundle");
