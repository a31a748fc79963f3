import { failures, type Operation } from '@florin/contract';
import { Failure, type FieldError } from '#kernel/failure.ts';
import { fieldsWithCardNumber } from '../card-numbers/mask-card-numbers.ts';
import { isTestCardNumber } from '../card-numbers/test-card-numbers.ts';

type Sent = {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
};

/** Card numbers belong on the card processor's page: a request that holds one is rejected. */
export const requireNoCardNumber = ({ cardNumberIn }: Operation, sent: Sent): void => {
  const errors = [
    ...fieldsWithCardNumber(sent.params),
    ...fieldsWithCardNumber(sent.query),
    ...fieldsWithCardNumber(sent.body, cardNumberIn),
  ];
  refuse(errors);
};

/**
 * The driver of the sandbox accepts a test number in one member of the contract. Any other number
 * is rejected before it is read further.
 */
export const takeTestCardNumber = ({ cardNumberIn }: Operation, body: unknown): void => {
  const members = body as Record<string, unknown> | null;
  const typed = cardNumberIn === undefined ? undefined : members?.[cardNumberIn];
  if (!members || !cardNumberIn || typeof typed !== 'string') return;
  const digits = typed.replace(/[\s-]/g, '');
  if (!isTestCardNumber(digits))
    refuse([{ field: cardNumberIn, message: `${cardNumberIn} must be a test card number` }]);
  members[cardNumberIn] = digits;
};

/**
 * The digest by which an Idempotency-Key compares bodies: that of a whole number could be reversed.
 */
export const withoutCardNumber = ({ cardNumberIn }: Operation, body: unknown): unknown => {
  const members = body as Readonly<Record<string, unknown>> | null | undefined;
  const typed = cardNumberIn === undefined ? undefined : members?.[cardNumberIn];
  if (!cardNumberIn || typeof typed !== 'string') return body;
  return { ...members, [cardNumberIn]: typed.slice(-4) };
};

/** Checked when a route is opened: no merchant's production secret reaches a card number's field. */
export const checkCardNumberMember = ({ id, access, cardNumberIn }: Operation): void => {
  if (cardNumberIn !== undefined && access !== 'sandboxSecret')
    throw new Error(`${id} would take card numbers outside the sandbox.`);
};

const refuse = (errors: readonly FieldError[]): void => {
  const [first] = errors;
  if (first) throw new Failure(failures.badRequest, { message: `${first.message}.`, errors });
};
