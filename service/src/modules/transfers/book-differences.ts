import type { Environment } from '#kernel/environment.ts';
import { pence } from '#kernel/pence.ts';
import { type EntryPair, type Posting, post, postingsValue } from '#modules/ledger/index.ts';
import { casesValue, resolvedCasesValue } from '#modules/operator-cases/index.ts';
import type { Uses } from '#platform/tools.ts';
import type { TransferReport } from './report-transfers.ts';
import type { TransferOutcome } from './store/order-transfers.ts';
import { bookDifference, readSides, type TransferSides } from './store/transfer-entries.ts';

const maxTries = 50;

/**
 * Compares what the bank has booked of each transfer with the books (PAYOUT-10). A difference is booked
 * and opens a case; when the bank's entries agree again, both end.
 */
export const bookDifferences = (
  tools: Tools,
  environment: Environment,
  endToEndIds: readonly string[],
): Promise<void> => bookEach(tools, environment, endToEndIds, differenceOf);

/**
 * Before these reports make money payable again: what has left by the bank's entries is held first, so that
 * nothing takes it in between. The difference itself is booked after them.
 */
export const holdBefore = (
  tools: Tools,
  environment: Environment,
  reports: readonly TransferReport[],
): Promise<void> => {
  const ended = reports.filter(({ stage }) => stage !== 'IN_PROGRESS' && stage !== 'SETTLED');
  const returned = new Set(
    ended.flatMap(({ stage, endToEndId }) => (stage === 'RETURNED' ? endToEndId : [])),
  );
  const ids = [...new Set(ended.map(({ endToEndId }) => endToEndId))];
  return bookEach(tools, environment, ids, (sides) => {
    const isBack = sides.outcome === 'SETTLED' || returned.has(sides.end_to_end_id);
    const { held } = differenceOf({ ...sides, outcome: isBack ? 'RETURNED' : 'REJECTED' });
    const before = { difference: sides.difference_pence, held: sides.held_pence };
    return held > before.held ? { ...before, held } : before;
  });
};

type Tools = Uses<'database' | 'ids'>;
type Difference = ReturnType<typeof differenceOf>;

const bookEach = async (
  tools: Tools,
  environment: Environment,
  endToEndIds: readonly string[],
  decide: (sides: TransferSides) => Difference,
): Promise<void> => {
  let left = endToEndIds;
  for (let round = 0; round < maxTries && left.length > 0; round += 1) {
    const lost: string[] = [];
    const read = await tools.database.system(readSides, { environment, endToEndIds: left });
    for (const sides of read)
      if (!(await book(tools, sides, decide(sides)))) lost.push(sides.end_to_end_id);
    left = lost;
  }
  if (left.length > 0) throw new Error('a transfer keeps changing');
};

type Sides = Pick<TransferSides, 'amount_pence' | 'outcome' | 'debited_pence' | 'returned_pence'>;

/**
 * How much more has gone than the books say, and how much of it is payable again meanwhile. A bank that
 * lists neither debit nor return is believed by its status: it may book a batch as one. One that
 * lists the debit lists the return as well, so the money is not back before that.
 */
export const differenceOf = (
  sides: Sides,
): { readonly difference: bigint; readonly held: bigint } => {
  const {
    amount_pence: ordered,
    outcome,
    debited_pence: debited,
    returned_pence: returned,
  } = sides;
  // It is on its way, and what the bank takes for it is not yet reported as settled.
  if (outcome === null && debited === ordered && returned === null)
    return { difference: 0n, held: 0n };
  const hasLeft = outcome === 'SETTLED' || outcome === 'RETURNED' || returned !== null;
  const gone = debited ?? (hasLeft ? ordered : 0n);
  const back = returned ?? (outcome === 'RETURNED' && debited === null ? ordered : 0n);
  const difference = gone - back - (outcome === 'SETTLED' ? ordered : 0n);
  const isPayableAgain = outcome === 'REJECTED' || outcome === 'RETURNED';
  return { difference, held: isPayableAgain ? clamp(difference, ordered) : 0n };
};

/**
 * How much of what is held the payee still has: all, unless it came back, if only less charges. It must not
 * be ordered again.
 */
export const unreturnedOf = (
  { amount_pence: ordered, debited_pence: debited, returned_pence: returned }: Sides,
  held: bigint,
): bigint => (returned === null || (debited ?? ordered) - returned >= ordered ? held : 0n);

const clamp = (amount: bigint, most: bigint): bigint => {
  if (amount < 0n) return 0n;
  return amount > most ? most : amount;
};

/** False when it was changed concurrently. */
const book = async (
  tools: Tools,
  sides: TransferSides,
  { difference, held }: Difference,
): Promise<boolean> => {
  if (difference === sides.difference_pence && held === sides.held_pence) return true;
  const { merchant_id: merchantId, environment, end_to_end_id: endToEndId } = sides;
  const resourceId = sides.subject_id;
  const won = await tools.database.tenant(merchantId, bookDifference, {
    ...{ merchantId, environment, endToEndId, outcome: sides.outcome },
    fromDifferencePence: sides.difference_pence.toString(),
    fromHeldPence: sides.held_pence.toString(),
    differencePence: difference.toString(),
    heldPence: held.toString(),
    unreturnedPence: unreturnedOf(sides, held).toString(),
    postings: postingsValue(
      differencePostings(sides, tools.ids.uuid(), {
        difference: difference - sides.difference_pence,
        held: held - sides.held_pence,
      }),
    ),
    cases: casesValue(
      difference === 0n ? [] : [{ resourceId, opened: contradiction(sides, difference, held) }],
    ),
    resolvedCases: resolvedCasesValue(
      difference === 0n ? [{ resourceId, resolved: agreed(endToEndId) }] : [],
    ),
  });
  return won.length === 1;
};

type Booked = Pick<TransferSides, 'subject_id' | 'store_id' | 'now'>;

/** What more is different, and more held; less where it is negative. */
export const differencePostings = (
  { subject_id: resourceId, store_id: storeId, now }: Booked,
  transactionId: string,
  { difference, held }: { readonly difference: bigint; readonly held: bigint },
): readonly Posting[] =>
  post(
    {
      ...{
        transactionId,
        reason: 'TRANSFER_DIFFERENCE',
        resourceId,
        attemptId: null,
        occurredAt: now,
      },
      ...(storeId !== null && { storeId }),
    },
    [
      ...moved('BANK_DIFFERENCES', 'COLLECTING_ACCOUNT', difference),
      ...moved('MERCHANT_PAYABLE', 'HELD_FOR_CASES', held),
    ],
  );

const moved = (
  debit: EntryPair['debit'],
  credit: EntryPair['credit'],
  amount: bigint,
): readonly EntryPair[] => {
  if (amount === 0n) return [];
  if (amount > 0n) return [{ debit, credit, amount: pence(amount) }];
  return [{ debit: credit, credit: debit, amount: pence(-amount) }];
};

const inWords: Readonly<Record<TransferOutcome, string>> = {
  SETTLED: 'left',
  REJECTED: 'never left',
  RETURNED: 'left and came back',
};

const contradiction = (sides: TransferSides, difference: bigint, held: bigint) => ({
  kind: 'TRANSFER_CONTRADICTION' as const,
  subject: sides.end_to_end_id,
  description:
    'The bank has booked a transfer otherwise than our books. Find out at the bank what has left, ' +
    'and what has come back.',
  evidence: {
    subject: sides.subject,
    subjectId: sides.subject_id,
    orderedPence: sides.amount_pence.toString(),
    debitedPence: sides.debited_pence?.toString() ?? null,
    returnedPence: sides.returned_pence?.toString() ?? null,
    booksSay: sides.outcome ? `it ${inWords[sides.outcome]}` : 'it is on its way',
    differencePence: difference.toString(),
    heldPence: held.toString(),
  },
});

const agreed = (subject: string) => ({
  kind: 'TRANSFER_CONTRADICTION' as const,
  subject,
  actor: 'The bank',
  resolution: 'What it has booked agrees with our books again.',
});
