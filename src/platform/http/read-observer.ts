/** Watches the reads of a client: for a caller that must count them, and that needs the values themselves beside their words. */
export interface ReadObserver {
  /** Called before each read. If it rejects, nothing is sent. */
  before(): Promise<void>;
  /** `route` in the spec's form, without its method; `value` as its schema parsed it. */
  after(route: string, value: unknown): void;
}
