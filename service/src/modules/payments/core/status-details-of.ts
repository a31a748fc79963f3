import type { StatusDetails } from '#modules/events/index.ts';
import type { Attempt } from './payment.ts';

export const statusDetailsOf = (attempt: Attempt): StatusDetails | null =>
  attempt.isoStatusCode === null
    ? null
    : {
        status: attempt.status,
        statusUpdateDate: attempt.isoStatusAt ?? attempt.updatedAt,
        isoStatus: { code: attempt.isoStatusCode, name: attempt.isoStatusName ?? '' },
      };
