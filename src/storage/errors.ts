/** A failure of the storage. The message tells the operator the failure, its effect and the remedy. */
export class StorageError extends Error {
  override readonly name: string = "StorageError";
}

/** Another instance has taken over this run of a timer, so this one must not act any more. */
export class RunLost extends StorageError {
  override readonly name = "RunLost";
  constructor(timer: string) {
    super(`Another instance has taken over the work on "${timer}". Nothing was changed here.`);
  }
}

/** A record exists but cannot be read, which is not the same as none. The message reveals nothing of its content. */
export class RecordUnreadable extends StorageError {
  override readonly name = "RecordUnreadable";
  readonly record: string;
  readonly key: string;
  readonly why: string;
  constructor(record: string, key: string, why: string) {
    super(`The ${record} "${key}" is kept, but cannot be read: ${why}. It was left as it is.`);
    this.record = record;
    this.key = key;
    this.why = why;
  }
}

/** A sealed text cannot be opened: another key or owner sealed it, or it was changed. */
export class SealBroken extends Error {
  override readonly name = "SealBroken";
  constructor(options?: ErrorOptions) {
    super("This sealed value cannot be opened: another key or owner sealed it, or it was changed since.", options);
  }
}
