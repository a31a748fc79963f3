import { Misuse, type OperatorCommands, requireTenant } from '#platform/command.ts';
import { listCredits, matchByOperator } from './operator-routes.ts';

const maxShown = 100;

const statuses = new Map([
  ['unmatched', 'UNMATCHED'],
  ['open', 'OPEN'],
  ['matched', 'MATCHED'],
  ['reversed', 'REVERSED'],
] as const) as ReadonlyMap<string, 'UNMATCHED' | 'OPEN' | 'MATCHED' | 'REVERSED'>;

export const operatorCommands: OperatorCommands = {
  use: `
  credits [unmatched|open|matched|reversed]
                               what arrived on the collecting account
  match-credit <creditId> <merchantId> <sandbox|production> <paymentRequestId> <attemptId>
               "<evidence>"    which payment an unmatched credit is for`,
  run: {
    credits: async (tools, [word = 'unmatched']) => {
      const status = statuses.get(word);
      if (!status) throw new Misuse();
      const { data, totalCount } = await listCredits(tools, status, { page: 0, size: maxShown });
      const lines = data.map((credit) =>
        [credit.creditId, credit.receivedAt, credit.environment, credit.amount]
          .concat(credit.endToEndId ?? '-', credit.bankReference ?? '-', credit.reason ?? '-')
          .join('  '),
      );
      return [...lines, `${data.length} of ${totalCount}`].join('\n');
    },
    'match-credit': async (tools, words) => {
      const [creditId = '', merchantId = '', environment = ''] = words;
      const [paymentRequestId = '', attemptId = '', evidence = ''] = words.slice(3);
      const tenant = requireTenant(merchantId, environment);
      const match = { tenant, paymentRequestId, attemptId, evidence, actor: tools.actor };
      const { amount } = await matchByOperator(tools, creditId, match);
      return `${amount} is matched to the payment.`;
    },
  },
};
