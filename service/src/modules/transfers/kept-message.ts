import { limits } from '@florin/contract';
import { holdsCardNumber } from '#platform/card-numbers/mask-card-numbers.ts';
import type { Uses } from '#platform/tools.ts';
import type { IncomingMessage } from '#rails/transfer-rail.ts';

type Kept = {
  /** Null: it is not kept here. */
  readonly record: Buffer | null;
  /** For its reason. */
  readonly note: string;
};

/** The text of a message that is put aside, so that it can be taken again (PAYOUT-8). */
export const keepMessage = (
  { secrets }: Uses<'secrets'>,
  environment: string,
  { reference, content }: IncomingMessage,
): Kept => {
  const problem = problemOf(content);
  if (content === null || problem)
    return {
      record: null,
      note: ` ${problem} and is not kept here: the file at the bank stays its source.`,
    };
  return { record: secrets.encrypt(content, keptContext(environment, reference)), note: '' };
};

/** Masked it would be another message, whose entries count a second time. */
const problemOf = (content: string | null): string | null => {
  if (content === null) return 'The message is not text';
  if (Buffer.byteLength(content) > limits.bankMessageKeptBytes)
    return `The message is longer than ${limits.bankMessageKeptBytes} bytes`;
  return holdsCardNumber(content) ? 'The message holds what looks like a card number' : null;
};

export const keptContext = (environment: string, reference: string) => ({
  table: 'bank_message',
  row: `${environment} ${reference}`,
  column: 'message_encrypted',
});
