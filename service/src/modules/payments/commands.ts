import { Misuse, type OperatorCommands, requireTenant } from '#platform/command.ts';
import { recordOperatorOutcome } from './record-operator-outcome.ts';

export const operatorCommands: OperatorCommands = {
  use: `
  record-outcome <merchantId> <sandbox|production> <paymentRequestId> <attemptId>
                 <completed|failed> "<evidence>"
                               what a bank or the card processor has done with an open payment`,
  run: {
    'record-outcome': async (tools, words) => {
      const [merchantId = '', environment = '', paymentRequestId = '', attemptId = ''] = words;
      const [word = '', evidence = ''] = words.slice(4);
      const tenant = requireTenant(merchantId, environment);
      if (word !== 'completed' && word !== 'failed') throw new Misuse();
      const outcome = word === 'completed' ? 'COMPLETED' : 'FAILED';
      const found = { outcome, evidence, actor: tools.actor } as const;
      const after = await recordOperatorOutcome(tools, tenant, paymentRequestId, attemptId, found);
      return `The payment request is ${after.status}.`;
    },
  },
};
