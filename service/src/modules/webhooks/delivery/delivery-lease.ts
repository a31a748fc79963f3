import { limits } from '@florin/contract';

/** The longest attempt, and time to record it. */
export const deliveryLeaseMs = limits.webhookTimeoutMs + 10_000;
