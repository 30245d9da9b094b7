/** What went wrong with the storage, as a sentence for the operator: what happened, what changed, what to do. */
export class StorageError extends Error {
  override readonly name: string = "StorageError";
}

/** A record that exists and cannot be read, which is not the same as none. It tells nothing of the content. */
export class RecordUnreadable extends StorageError {
  override readonly name = "RecordUnreadable";
  readonly record: string;
  readonly key: string;
  readonly why: string;
  constructor(record: string, key: string, why: string, options?: ErrorOptions) {
    super(`The ${record} "${key}" is kept, but cannot be read: ${why}. It was left as it is.`, options);
    this.record = record;
    this.key = key;
    this.why = why;
  }
}

/** A sealed text that cannot be opened: another key, another owner, or changed on the way. */
export class SealBroken extends Error {
  override readonly name = "SealBroken";
  constructor(options?: ErrorOptions) {
    super("This sealed value cannot be opened: another key or owner sealed it, or it was changed since.", options);
  }
}
