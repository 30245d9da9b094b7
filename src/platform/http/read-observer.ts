/** Watches the reads of a client: for a caller that must count them, and that needs the values themselves beside their words. */
export interface ReadObserver {
  /** Called before each read, a download too. If it rejects, nothing is sent. */
  before(): Promise<void>;
  /** Called after each read but a download. `route` in the spec's form, without its method; `value` as its schema parsed it. */
  after(route: string, value: unknown): void;
}
