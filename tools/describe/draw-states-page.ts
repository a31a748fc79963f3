import type { Lifecycle } from '../../service/src/kernel/lifecycle.ts';
import { authorisationLifecycle } from '../../service/src/modules/bank-feed/index.ts';
import { arrivingLifecycle, leavingLifecycle } from '../../service/src/modules/cells/index.ts';
import { creditLifecycle } from '../../service/src/modules/credits/credit-lifecycle.ts';
import {
  answerLifecycle,
  attemptLifecycle,
  requestLifecycle,
} from '../../service/src/modules/payments/core/payment-lifecycles.ts';
import { payoutLifecycle } from '../../service/src/modules/payouts/payout.ts';
import { refundLifecycle } from '../../service/src/modules/refunds/core/change-refunds.ts';
import { approvalLifecycle } from '../../service/src/modules/refunds/requests/approvals.ts';

/** Both lifecycles as pictures, drawn from the tables that the code runs on. */
export const drawStatesPage = (): string =>
  [
    '# States\n',
    'Generated from the lifecycle tables by `npm run generate`: do not edit it here.\n',
    ...draw(requestLifecycle),
    ...draw(attemptLifecycle),
    ...draw(answerLifecycle),
    ...draw(refundLifecycle),
    ...draw(approvalLifecycle),
    ...draw(payoutLifecycle),
    ...draw(creditLifecycle),
    ...draw(authorisationLifecycle),
    ...draw(leavingLifecycle),
    ...draw(arrivingLifecycle),
  ].join('\n');

const draw = <State extends string, Trigger extends string>(
  table: Lifecycle<State, Trigger>,
): readonly string[] => [
  `## ${table.name}\n`,
  '```mermaid',
  'stateDiagram-v2',
  ...[table.initial, ...table.alsoStartsAt].map((state) => `  [*] --> ${state}`),
  ...table.edges.map(({ from, trigger, to }) => `  ${from} --> ${to}: ${trigger}`),
  ...table.states.filter(table.isFinal).map((state) => `  ${state} --> [*]`),
  '```\n',
];
