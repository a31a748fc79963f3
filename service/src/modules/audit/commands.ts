import { isUuid } from '#kernel/is-uuid.ts';
import type { OperatorCommands } from '#platform/command.ts';
import { listAuditRecords } from './routes.ts';

const maxShown = 100;

export const operatorCommands: OperatorCommands = {
  use: `
  audit [<merchantId>]         what operators did, by API and by command`,
  run: {
    audit: async (tools, [merchantId]) => {
      if (merchantId && !isUuid(merchantId))
        throw new Error(`No merchant has the id ${merchantId}.`);
      const page = { page: 0, size: maxShown, ...(merchantId ? { merchantId } : {}) };
      return (await listAuditRecords(tools, page)).data
        .map(({ startedAt, actor, address, channel, action, merchantId: about, outcome, detail }) =>
          [startedAt, actor, address, channel, action, about ?? '-', outcome ?? 'NO OUTCOME']
            .concat(JSON.stringify(detail))
            .join('  '),
        )
        .join('\n');
    },
  },
};
