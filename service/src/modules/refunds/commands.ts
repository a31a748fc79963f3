import { isUuid } from '#kernel/is-uuid.ts';
import { Misuse, type OperatorCommands, requireTenant } from '#platform/command.ts';
import { enterRefundAccount } from './requests/enter-refund-account.ts';

export const operatorCommands: OperatorCommands = {
  use: `
  refund-account <merchantId> <sandbox|production> <refundId> <sort code> <account number> "<name>"
                               where a refund goes whose bank did not say who had paid`,
  run: {
    'refund-account': async (tools, words) => {
      const [merchantId = '', environment = '', refundId = ''] = words;
      const [sortCode = '', accountNumber = '', name = ''] = words.slice(3);
      const tenant = requireTenant(merchantId, environment);
      if (!isUuid(refundId)) throw new Misuse();
      const account = { sortCode, accountNumber, name };
      const refund = await enterRefundAccount(tools, tenant, refundId, account, tools.actor);
      return `The refund is ${refund.status}: it is handed over next.`;
    },
  },
};
