import { type FailureId, failures } from '../../../contract/failures.ts';
import type { Operation } from '../../../contract/operation.ts';

type Named = Pick<Operation, 'id' | 'failsWith'> &
  Partial<Pick<Operation, 'access' | 'params' | 'query' | 'body'>>;

/** As `operation FAILURE`. */
export const listUnseenFailures = (
  named: readonly Named[],
  seen: ReadonlySet<string>,
): readonly string[] =>
  named.flatMap((operation) =>
    demandedOf(operation)
      .map((each) => `${operation.id} ${failures[each].name}`)
      .filter((pair) => !seen.has(pair)),
  );

/** Its own failures, and those that follow from its body, its parameters and its access. */
const demandedOf = ({
  id,
  failsWith,
  access,
  params,
  query,
  body,
}: Named): readonly FailureId[] => [
  ...failsWith,
  ...((params || query || body) && !refusesOnlyOtherwise.has(id) ? (['badRequest'] as const) : []),
  ...(access === 'sandboxSecret' && !refusesOnlyOtherwise.has(id)
    ? (['sandboxOnly'] as const)
    : []),
];

/** No test has to send these what they cannot read. */
const refusesOnlyOtherwise: ReadonlySet<string> = new Set([
  ...['listBankAccounts', 'getBankAccount', 'getBankBalance', 'getBankAuthorisation'],
  ...['captureCardPayment', 'listPayouts', 'listPayoutTransactions', 'listPayoutMatches'],
  ...['requestRefund', 'listRefunds', 'cancelRefund', 'enterSandboxRefundAccount'],
]);

const choosingFlag = /^(-t|--(testNamePattern|shard|changed|dir|project|exclude|bail))\b/;

/** A part of the tests sees only a part of the failures. */
export const isWholeRun = (words: readonly string[]): boolean =>
  words.every((word) => word === 'run' || (word.startsWith('-') && !choosingFlag.test(word)));
