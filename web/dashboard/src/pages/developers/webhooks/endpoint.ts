import type { ReplyOf } from '@florin/contract';
import type { listWebhookHealth } from '@florin/contract/dashboard/index.ts';

export type Endpoint = ReplyOf<typeof listWebhookHealth>['data'][number];
