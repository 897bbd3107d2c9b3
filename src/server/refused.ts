/** A request for something that is not there, or may not be done. */
export class Refused extends Error {
  readonly status: 403 | 404 | 413 | 503;

  constructor(status: Refused["status"], message: string) {
    super(message);
    this.status = status;
  }
}
