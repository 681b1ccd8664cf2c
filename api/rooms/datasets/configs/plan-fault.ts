/** Why the configs of a dataset, or one of them, cannot be found: `code` is one of the viewer's error codes. */
export class PlanFault extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
