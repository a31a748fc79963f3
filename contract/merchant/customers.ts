import Type from 'typebox';
import { nullable, oneLine, pageNumber, pageSize, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

const fullName = Type.String({
  minLength: limits.fullNameLengthMin,
  maxLength: limits.fullNameLengthMax,
  ...oneLine,
  description: '2-30 characters, not blank.',
});

const email = nullable(
  Type.String({
    format: 'email',
    maxLength: limits.emailLength,
    emptyMeansAbsent: true,
    description: 'Unique. Empty: none.',
  }),
);

const type = Type.Enum(['INDIVIDUAL', 'BUSINESS'], { description: 'Default INDIVIDUAL.' });

const digits = (maxLength: number, description: string) =>
  nullable(
    Type.String({
      maxLength,
      pattern: '^[0-9]+$',
      errorMessage: 'must hold digits only',
      description,
    }),
  );

const optionalText = (maxLength: number) =>
  Type.Optional(
    nullable(Type.String({ maxLength, emptyMeansAbsent: true, description: 'Empty: none.' })),
  );

const optionalFields = {
  email: Type.Optional(email),
  type: Type.Optional(type),
  phoneCountryCode: Type.Optional(
    digits(limits.phoneCountryCodeLength, 'Digits only, at most 5, without plus sign.'),
  ),
  phoneNumber: Type.Optional(
    digits(limits.phoneNumberLength, 'Digits only, at most 15, without the country code.'),
  ),
  address: optionalText(limits.addressLength),
  city: optionalText(limits.cityLength),
  postcode: Type.Optional(
    nullable(
      Type.String({
        minLength: limits.postcodeLengthMin,
        maxLength: limits.postcodeLengthMax,
        pattern: '^[A-Za-z0-9 ]*$',
        errorMessage: 'must hold letters, digits and spaces only',
        emptyMeansAbsent: true,
        description: '4-8 letters, digits and spaces. Empty: none.',
      }),
    ),
  ),
  vatNumber: Type.Optional(
    nullable(
      Type.String({
        pattern: '^(GB)?[0-9]{9}$',
        errorMessage: 'must be 9 digits, with or without GB before them',
        description: '9 digits, optionally after GB. Answered for BUSINESS only.',
      }),
    ),
  ),
};

/** CUSTOMER-1. A field without a value is null; `vatNumber` is set for BUSINESS only. */
export const customerReply = Type.Object({
  id: uuid(),
  fullName: Type.String(),
  email: nullable(Type.String()),
  type,
  phoneCountryCode: nullable(Type.String()),
  phoneNumber: nullable(Type.String()),
  address: nullable(Type.String()),
  city: nullable(Type.String()),
  postcode: nullable(Type.String()),
  vatNumber: Type.Optional(nullable(Type.String())),
  createdAt: timestamp(),
});

const params = Type.Object({ customerId: uuid() });

/**
 * Needed only to save cards or to charge them later. An e-mail address or a phone number is
 * required. An e-mail address that another customer of this merchant has in the same environment is
 * a CONFLICT, in any case.
 */
export const createCustomer = operation({
  id: 'createCustomer',
  route: 'POST /api/customers',
  access: 'secret',
  summary: 'Create a customer.',
  rules: ['CUSTOMER-1', 'CUSTOMER-2'],
  idempotent: true,
  body: Type.Object({ fullName, ...optionalFields }),
  reply: customerReply,
  failsWith: ['conflict'],
});

export const getCustomer = operation({
  id: 'getCustomer',
  route: 'GET /api/customers/:customerId',
  access: 'secret',
  summary: 'Read a customer.',
  rules: ['CUSTOMER-1'],
  params,
  reply: customerReply,
  failsWith: ['environmentMismatch', 'notFound'],
});

/**
 * Changes the fields that are sent; null removes a value. The last of e-mail address and phone
 * number cannot be removed.
 */
export const updateCustomer = operation({
  id: 'updateCustomer',
  route: 'PUT /api/customers/:customerId',
  access: 'secret',
  summary: 'Change a customer.',
  rules: ['CUSTOMER-3'],
  idempotent: true,
  params,
  body: Type.Object({ fullName: Type.Optional(fullName), ...optionalFields }),
  bodyOptional: true,
  reply: customerReply,
  failsWith: ['environmentMismatch', 'notFound', 'conflict'],
});

/** Deletes the customer and the saved cards. Payments keep the details of both. */
export const deleteCustomer = operation({
  id: 'deleteCustomer',
  route: 'DELETE /api/customers/:customerId',
  access: 'secret',
  summary: 'Delete a customer.',
  rules: ['CUSTOMER-5'],
  idempotent: true,
  params,
  reply: Type.Object({ id: uuid() }),
  failsWith: ['environmentMismatch', 'notFound'],
});

/** The newest first. */
export const listCustomers = operation({
  id: 'listCustomers',
  route: 'GET /api/customers',
  access: 'secret',
  summary: 'List or search the customers of the merchant.',
  rules: ['CUSTOMER-4'],
  query: Type.Object({
    page: pageNumber,
    size: pageSize(limits.customersPageSize),
    search: Type.Optional(
      Type.String({
        maxLength: limits.searchLength,
        description: 'Part of name, e-mail address or phone number.',
      }),
    ),
  }),
  reply: Type.Object({
    data: Type.Array(customerReply),
    totalCount: Type.Integer({ description: 'Customers on all pages.' }),
    page: Type.Integer({ description: 'The page that was asked for, from 0.' }),
    size: Type.Integer({ description: 'Customers per page.' }),
  }),
});
