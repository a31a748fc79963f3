import type { BodyOf, updateCustomer } from '@florin/contract';
import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { isUniqueViolation } from '#platform/database/database-unavailable.ts';
import { badField } from '#platform/http/bad-field.ts';
import type { CustomerValues } from './store.ts';

type Body = BodyOf<typeof updateCustomer>;

/** Empty text is no address and no city. */
export const customerValues = (body: Body): CustomerValues => ({
  fullName: body.fullName ?? null,
  email: body.email ?? null,
  type: body.type ?? null,
  phoneCountryCode: body.phoneCountryCode ?? null,
  phoneNumber: body.phoneNumber ?? null,
  address: body.address || null,
  city: body.city || null,
  postcode: body.postcode ?? null,
  vatNumber: body.vatNumber ?? null,
});

export const contactNeeded = (): Failure =>
  badField('email', 'email or phoneNumber is required', 'Either email or phoneNumber is required.');

/** Constraints of the table (CUSTOMER-1). */
export const refusal = (error: unknown): unknown => {
  if (isUniqueViolation(error, 'customer_email_once'))
    return new Failure(failures.conflict, {
      message: 'A customer with this email address exists already.',
    });
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23514' && constraint === 'customer_check' ? contactNeeded() : error;
};
