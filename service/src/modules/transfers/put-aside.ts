import { limits } from '@florin/contract';
import type { Environment } from '#kernel/environment.ts';
import { resolveCaseOf } from '#modules/operator-cases/index.ts';
import { holdsCardNumber } from '#platform/card-numbers/mask-card-numbers.ts';
import type { Uses } from '#platform/tools.ts';
import type { IncomingMessage } from '#rails/transfer-rail.ts';
import { listLostDeliveries } from './store/bank-messages.ts';

export const putAside = (
  environment: Environment,
  { reference, kind }: IncomingMessage,
  reason: string,
) => ({
  kind: 'BANK_MESSAGE_QUARANTINED' as const,
  subject: `${environment} ${reference}`,
  description: `A message of the bank was put aside. ${reason}`,
  evidence: { environment, reference, kind },
});

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

type Delivery = {
  readonly environment: Environment;
  readonly reference: string;
  readonly messageId: string | null;
};

/** Before the row of the delivery that was taken, which ends theirs: killed in between it is taken again. */
export const resolveLostDeliveries = async (
  tools: Uses<'database'>,
  taken: Delivery,
): Promise<void> => {
  for (const { reference } of await tools.database.system(listLostDeliveries, taken))
    await resolveCaseOf(tools, 'BANK_MESSAGE_QUARANTINED', `${taken.environment} ${reference}`, {
      actor: 'The bank',
      resolution: 'A later delivery of it was taken.',
    });
};
