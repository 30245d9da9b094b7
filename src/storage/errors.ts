/** What went wrong with the storage, as a sentence for the operator: what happened, what changed, what to do. */
export class StorageError extends Error {
  override readonly name = "StorageError";
}

/** A sealed text that cannot be opened: another key, another owner, or changed on the way. */
export class SealBroken extends Error {
  override readonly name = "SealBroken";
  constructor(options?: ErrorOptions) {
    super("This sealed value cannot be opened: another key or owner sealed it, or it was changed since.", options);
  }
}
