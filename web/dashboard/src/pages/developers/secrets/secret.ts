import type { ReplyOf } from '@florin/contract';
import type { listSecrets } from '@florin/contract/dashboard/index.ts';

export type Secret = ReplyOf<typeof listSecrets>['data'][number];
