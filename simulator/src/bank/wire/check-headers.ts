import type { IncomingHttpHeaders } from 'node:http';
import type { BankProfile } from '../banks.ts';
import { badRequest, Refusal } from '../refusal.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const days = 'Mon|Tue|Wed|Thu|Fri|Sat|Sun';
const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
const longDate = new RegExp(
  `^(${days}), \\d{2} (${months}) \\d{4} \\d{2}:\\d{2}:\\d{2} (GMT|UTC)$`,
);

export const checkHeaders = (
  { wire }: BankProfile,
  headers: IncomingHttpHeaders,
  hasBody: boolean,
): void => {
  if (!acceptsJson(headers.accept)) throw new Refusal(406, []);
  if (hasBody && !isJson(headers['content-type'])) throw new Refusal(415, []);
  if (wire.financialId && headers['x-fapi-financial-id'] !== wire.financialId) {
    throw badRequest('U006', 'The header does not name this bank.', 'x-fapi-financial-id');
  }
  refuseUnless(headers, 'x-fapi-interaction-id', (value) => uuid.test(value));
  refuseUnless(headers, 'x-fapi-auth-date', (value) => longDate.test(value));
};

export const idempotencyKeyOf = (headers: IncomingHttpHeaders): string => {
  const name = 'x-idempotency-key';
  const key = headers[name];
  if (typeof key !== 'string') throw badRequest('U007', 'The header is missing.', name);
  if (key.length > 40 || !/^(?!\s)(.*)(\S)$/.test(key)) {
    throw badRequest('U006', 'A key has 1 to 40 characters without blanks around it.', name);
  }
  return key;
};

export const interactionIdOf = (headers: IncomingHttpHeaders, fresh: () => string): string => {
  const given = headers['x-fapi-interaction-id'];
  return typeof given === 'string' && uuid.test(given) ? given : fresh();
};

const refuseUnless = (
  headers: IncomingHttpHeaders,
  name: string,
  isValid: (value: string) => boolean,
): void => {
  const value = headers[name];
  if (value === undefined) return;
  if (typeof value !== 'string' || !isValid(value)) {
    throw badRequest('U006', 'The header is not valid.', name);
  }
};

const acceptsJson = (accept: string | undefined): boolean => {
  if (accept === undefined) return true;
  return accept.split(',').some((part) => {
    const type = part.split(';')[0]?.trim().toLowerCase();
    return type === '*/*' || type === 'application/*' || type === 'application/json';
  });
};

const isJson = (contentType: string | undefined): boolean =>
  /^application\/json\s*(;\s*charset=utf-8\s*)?$/i.test(contentType ?? '');
