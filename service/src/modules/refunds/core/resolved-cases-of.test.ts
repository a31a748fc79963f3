import { expect, test } from 'vitest';
import { type Refund, resolvedCasesOf } from './refund.ts';

type State = Pick<Refund, 'status' | 'step' | 'waitsFor'>;
const handedOver: State = { status: 'PENDING', step: 'HANDED_OVER', waitsFor: null };
const waiting: State = { status: 'PENDING', step: 'WAITING', waitsFor: 'REFUND_ACCOUNT_NEEDED' };
const unsettled: State = { status: 'PENDING', step: 'WAITING', waitsFor: 'SETTLEMENT' };
const ended = (status: Refund['status']): State => ({ status, step: 'ENDED', waitsFor: null });

test.each<[string, State, State, readonly string[]]>([
  ['completed', handedOver, ended('COMPLETED'), ['REFUND_OVERDUE']],
  ['failed', handedOver, ended('FAILED'), ['REFUND_OVERDUE']],
  ['reported again', handedOver, handedOver, []],
  ['returned after it was done', ended('COMPLETED'), ended('FAILED'), []],
  ['cancelled while it waits', waiting, ended('CANCELLED'), ['REFUND_ACCOUNT_NEEDED']],
  ['still waiting', waiting, waiting, []],
  ['handed over, its money has arrived', unsettled, handedOver, ['REFUND_OVERDUE']],
  ['failed with its payment', unsettled, ended('FAILED'), ['REFUND_OVERDUE']],
  ['waiting for its money', unsettled, unsettled, []],
])('a refund that is %s ends its cases', (_, before, after, kinds) => {
  const change = { before, refund: { ...after, refundId: 'r' }, history: [] };
  const resolved = resolvedCasesOf(change);
  expect(resolved.map(({ kind }) => kind)).toEqual(kinds);
  for (const { subject, resolution } of resolved)
    expect([subject, resolution]).toEqual(['r', `The refund is ${after.status}.`]);
});
