type ErrorType = 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';

type ErrorFacts = {
  readonly type: ErrorType;
  readonly message: string;
  readonly code?: string;
  readonly decline_code?: string;
  readonly param?: string;
  readonly charge?: string;
  readonly payment_intent?: object;
  readonly setup_intent?: object;
  readonly payment_method?: object;
};

export class ApiError extends Error {
  readonly status: number;
  readonly facts: ErrorFacts;

  constructor(status: number, facts: ErrorFacts) {
    super(facts.message);
    this.name = 'ApiError';
    this.status = status;
    this.facts = facts;
  }
}

export const invalid = (message: string, param?: string, code?: string): ApiError => {
  const facts = { type: 'invalid_request_error', message, param, code } as const;
  return new ApiError(400, facts);
};

const resourceNames: Readonly<Record<string, string>> = {
  customer: 'customer',
  method: 'PaymentMethod',
  intent: 'payment_intent',
  session: 'checkout.session',
  setup: 'setupintent',
  endpoint: 'webhook endpoint',
  charge: 'charge',
  refund: 'refund',
  dispute: 'dispute',
  file: 'file upload',
  event: 'event',
  'balance transaction': 'balance transaction',
};

// In the address a missing resource is 404, as a parameter 400.
export const missing = (kind: string, id: string, param?: string): ApiError => {
  const message = `No such ${resourceNames[kind] ?? kind}: '${id}'`;
  const facts = { type: 'invalid_request_error', code: 'resource_missing', message } as const;
  return new ApiError(param === undefined ? 404 : 400, { ...facts, param: param ?? 'id' });
};

export const wrongState = (message: string, intent: object): ApiError =>
  new ApiError(400, {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message,
    payment_intent: intent,
  });
