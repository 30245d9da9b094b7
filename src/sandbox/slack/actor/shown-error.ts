/** What a person in Slack would see go wrong. `code` is Slack's word for it where there is one. */
export class ShownError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "ShownError";
    this.code = code;
  }
}
