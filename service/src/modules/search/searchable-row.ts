import { type Pence, poundsText } from '#kernel/pence.ts';
import { joinWords, searchWords } from './search-words.ts';

/**
 * What search stores of a transaction. Texts that come later, such as the payer's name, are last.
 */
export type Searchable = {
  readonly paymentRequestId: string;
  readonly position: number;
  readonly createdAt: Date;
  readonly status: string;
  readonly method: string;
  readonly totalPence: Pence;
  /** Null of a payment by card. */
  readonly institutionId: string | null;
  readonly orderId: string;
  readonly names: readonly string[];
};

/** A row of `:searchable`, or none: most changes of an attempt are invisible to search. */
export const searchableRow = (now: Searchable, before: Searchable | null): readonly object[] => {
  if (before?.status === now.status && before.names.join(' ') === now.names.join(' ')) return [];
  const words = wordsOf(now);
  return [
    {
      payment_request_id: now.paymentRequestId,
      position: now.position,
      created_at: now.createdAt,
      status: now.status,
      before: before?.status ?? null,
      method: now.method,
      total_pence: now.totalPence.toString(),
      institution_id: now.institutionId,
      words: joinWords(words),
      new_words: words.slice(before ? wordsOf(before).length : 0),
    },
  ];
};

const wordsOf = ({ orderId, totalPence, names }: Searchable) =>
  searchWords(orderId, poundsText(totalPence), ...names);
