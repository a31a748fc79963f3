/**
 * Every failure of the wire (WIRE-5, WIRE-7). `message` is the text for people when the use case
 * gives none.
 */
export type FailureDefinition = {
  readonly name: string;
  readonly status: number;
  readonly message: string;
};

export const failures = {
  badRequest: { name: 'BAD_REQUEST', status: 400, message: 'The request is not valid.' },
  environmentMismatch: {
    name: 'ENVIRONMENT_MISMATCH',
    status: 400,
    message:
      'This id belongs to the other environment. Use the secret of the environment it was created in.',
  },
  sandboxOnly: {
    name: 'SANDBOX_ONLY',
    status: 400,
    message: 'This operation works with a sandbox secret only.',
  },
  invalidCredential: {
    name: 'INVALID_CREDENTIAL',
    status: 401,
    message:
      'The access secret is missing or not valid. Send it as "Authorization: Bearer <secret>".',
  },
  signInRequired: {
    name: 'SIGN_IN_REQUIRED',
    status: 401,
    message: 'Sign in to go on.',
  },
  wrongSignIn: {
    name: 'WRONG_SIGN_IN',
    status: 401,
    message: 'That is not right. Check what you typed, then try again.',
  },
  notPermitted: {
    name: 'NOT_PERMITTED',
    status: 403,
    message: 'Your role does not permit this. An owner of the business can change it.',
  },
  addressNotProven: {
    name: 'ADDRESS_NOT_PROVEN',
    status: 403,
    message: 'Confirm your e-mail address first, by the link that was mailed to you.',
  },
  secondFactorRequired: {
    name: 'SECOND_FACTOR_REQUIRED',
    status: 403,
    message:
      'This needs a second factor: set up an authenticator app under "Your sign-in", or sign in by passkey.',
  },
  signInAgain: {
    name: 'SIGN_IN_AGAIN',
    status: 403,
    message: 'Confirm that it is you, then try again.',
  },
  crossSite: {
    name: 'CROSS_SITE',
    status: 403,
    message: 'This request does not come from the dashboard.',
  },
  notEnabled: {
    name: 'NOT_ENABLED',
    status: 403,
    message: 'This feature is not enabled on the merchant account.',
  },
  merchantSuspended: {
    name: 'MERCHANT_SUSPENDED',
    status: 403,
    message:
      'The operator has suspended this business: nothing new can be started, what is under way ' +
      'goes on. Contact the operator; sending this again does not help before.',
  },
  notFound: { name: 'NOT_FOUND', status: 404, message: 'Nothing was found under this id.' },
  methodNotAllowed: {
    name: 'METHOD_NOT_ALLOWED',
    status: 405,
    message: 'This address has other methods; the header Allow lists them.',
  },
  conflict: { name: 'CONFLICT', status: 409, message: 'This conflicts with existing data.' },
  possibleDuplicate: {
    name: 'POSSIBLE_DUPLICATE',
    status: 409,
    message:
      'The same customer was charged this amount for this order less than ten minutes ago. ' +
      'Send an Idempotency-Key if this is intended.',
  },
  invalidState: {
    name: 'INVALID_STATE',
    status: 409,
    message: 'The payment is not in a state that allows this.',
  },
  bankAuthorisationRequired: {
    name: 'BANK_AUTHORISATION_REQUIRED',
    status: 409,
    message: 'The customer has to authorise this account, or confirm it again.',
  },
  requestTimeout: {
    name: 'REQUEST_TIMEOUT',
    status: 400,
    message: 'Please reach out to the business for a new link and attempt to pay again',
  },
  idempotencyKeyReused: {
    name: 'IDEMPOTENCY_KEY_REUSED',
    status: 409,
    message:
      'This Idempotency-Key was used with a different body. Use a new key for a new request.',
  },
  idempotencyKeyInUse: {
    name: 'IDEMPOTENCY_KEY_IN_USE',
    status: 409,
    message: 'A request with this Idempotency-Key is still running. Retry shortly.',
  },
  payloadTooLarge: {
    name: 'PAYLOAD_TOO_LARGE',
    status: 413,
    message: 'The body is too large.',
  },
  unsupportedMediaType: {
    name: 'UNSUPPORTED_MEDIA_TYPE',
    status: 415,
    message: 'Send the body as JSON with "Content-Type: application/json".',
  },
  rateLimited: {
    name: 'RATE_LIMITED',
    status: 429,
    message: 'Too many requests. Wait for the time in Retry-After, then retry.',
  },
  internalError: {
    name: 'INTERNAL_ERROR',
    status: 500,
    message: 'Something went wrong on our side. Quote the x-request-id of this reply.',
  },
  unavailable: {
    name: 'UNAVAILABLE',
    status: 503,
    message: 'The server cannot answer at the moment. Retry after the time in Retry-After.',
  },
  railNotConfigured: {
    name: 'RAIL_NOT_CONFIGURED',
    status: 503,
    message: 'No payment rail is configured for this environment.',
  },
} as const satisfies Record<string, FailureDefinition>;

export type FailureId = keyof typeof failures;
