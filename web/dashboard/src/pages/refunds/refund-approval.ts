import type { ReplyOf } from '@florin/contract';
import type { listRefundApprovals } from '@florin/contract/dashboard/index.ts';

export type RefundApproval = ReplyOf<typeof listRefundApprovals>['data'][number];
