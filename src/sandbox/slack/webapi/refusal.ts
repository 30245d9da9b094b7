/** A Web API error: Slack's word for it, and the reasons that it gives in `response_metadata.messages`. */
export class Refusal extends Error {
  readonly code: string;
  readonly reasons: string[];
  readonly details: Record<string, unknown>;

  constructor(code: string, reasons: string[] = [], details: Record<string, unknown> = {}) {
    super(code);
    this.name = "Refusal";
    this.code = code;
    this.reasons = reasons;
    this.details = details;
  }
}
