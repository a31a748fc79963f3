import type { ReplyOf } from '@florin/contract';
import type { listOwnStores } from '@florin/contract/dashboard/index.ts';

/** The first store of every merchant has a name that customers do not see. */
export const storeName = ({ locationName }: Pick<Store, 'locationName'>): string =>
  locationName === 'DEFAULT' ? 'Main store' : locationName;

export type Store = ReplyOf<typeof listOwnStores>['data'][number];
