/** An error as a person sees it in Slack. `code`: Slack's own code, if there is one. */
export class ShownError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "ShownError";
    this.code = code;
  }
}
