import { failures } from '../../contract/index.ts';
import { Failure } from '../../service/src/kernel/failure.ts';
import type { CardRails } from '../../service/src/modules/cards/index.ts';

/** For services that take payments at banks alone. */
export const noCardRails: CardRails = {
  find: async () => null,
  need: async () => {
    throw new Failure(failures.railNotConfigured);
  },
  findAccount: async () => null,
  needAccount: async () => {
    throw new Failure(failures.railNotConfigured);
  },
  listOwn: async () => [],
  shared: async () => null,
};
