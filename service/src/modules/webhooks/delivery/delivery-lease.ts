import { limits } from '@florin/contract';

/** Everything that an attempt may take, and time to write it down. */
export const deliveryLeaseMs = limits.webhookTimeoutMs + 10_000;
