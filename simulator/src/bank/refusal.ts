export type RefusalReason = {
  readonly code: string;
  readonly message: string;
  readonly path?: string;
};

// A bank's answer in the standard's error form; `reasons` empty means an answer without a body.
export class Refusal extends Error {
  readonly httpStatus: number;
  readonly reasons: readonly RefusalReason[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    httpStatus: number,
    reasons: readonly RefusalReason[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(reasons[0]?.message ?? `refused with ${httpStatus}`);
    this.name = 'Refusal';
    this.httpStatus = httpStatus;
    this.reasons = reasons;
    this.headers = headers;
  }
}

export const badRequest = (code: string, message: string, path?: string): Refusal =>
  new Refusal(400, [path === undefined ? { code, message } : { code, message, path }]);

export const unauthorised = (description: string): Refusal =>
  new Refusal(401, [], {
    'www-authenticate': `Bearer error="invalid_token", error_description="${description}"`,
  });

// The standard has no code for a lack of permission: NARR points to the message.
export const forbidden = (message: string): Refusal =>
  new Refusal(403, [{ code: 'NARR', message }]);

export const unavailable = (message: string): Refusal =>
  new Refusal(503, [{ code: 'U000', message }], { 'retry-after': '1' });
