import { environmentNamed } from '#kernel/environment.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { Misuse, type OperatorCommands } from '#platform/command.ts';
import { listBankMessages } from './operator-routes.ts';
import { useTransferFolder } from './store/transfer-folder.ts';
import { takeMessageAgain } from './take-messages-again.ts';

const maxShown = 100;

export const operatorCommands: OperatorCommands = {
  use: `
  bank-messages                those of the bank that were put aside, with why
  take-bank-message <sandbox|production> <reference>
                               take one of them again, once its cause is mended
  use-transfer-folder <folderId>
                               from now on files go through this one, of which you have made sure`,
  run: {
    'bank-messages': async (tools) => {
      const { data, totalCount } = await listBankMessages(tools, { page: 0, size: maxShown });
      const lines = data.map((message) =>
        [message.receivedAt, message.environment, message.kind, message.reference]
          .concat(message.messageId ?? '-', message.answers ?? '-', message.reason)
          .join('  '),
      );
      return [...lines, `${data.length} of ${totalCount}`].join('\n');
    },
    'take-bank-message': async (tools, [word = '', reference = '']) => {
      const environment = environmentNamed(word);
      if (!environment) throw new Misuse();
      await takeMessageAgain(tools, { environment, reference }, tools.actor);
      return 'A worker takes it again.';
    },
    'use-transfer-folder': async (tools, [folderId = '']) => {
      if (!isUuid(folderId)) throw new Misuse();
      await tools.database.system(useTransferFolder, { environment: 'PRODUCTION', folderId });
      return 'Files go through it from now on, and through no other.';
    },
  },
};
