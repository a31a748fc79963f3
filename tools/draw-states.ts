import type { Lifecycle } from '../service/src/kernel/lifecycle.ts';
import { attemptLifecycle } from '../service/src/modules/payments/attempt-lifecycle.ts';
import { requestLifecycle } from '../service/src/modules/payments/request-lifecycle.ts';

const lifecycles: readonly Lifecycle<string, string>[] = [requestLifecycle, attemptLifecycle];

/** Both lifecycles as pictures, drawn from the tables that the code runs on. */
export const statesPage = (): string =>
  [
    '# States\n',
    'Generated from the lifecycle tables by `npm run generate`: do not edit it here.\n',
    ...lifecycles.flatMap(draw),
  ].join('\n');

const draw = ({ name, initial, states, edges, isFinal }: Lifecycle<string, string>) => [
  `## ${name}\n`,
  '```mermaid',
  'stateDiagram-v2',
  `  [*] --> ${initial}`,
  ...edges.map(({ from, trigger, to }) => `  ${from} --> ${to}: ${trigger}`),
  ...states.filter(isFinal).map((state) => `  ${state} --> [*]`),
  '```\n',
];
