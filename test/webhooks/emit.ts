import { randomUUID } from 'node:crypto';
import type { EventType } from '../../contract/index.ts';
import type { Tenant } from '../../service/src/kernel/environment.ts';
import {
  type EmitValues,
  type EventDraft,
  emitEventsCtes,
  emittedEndpoints,
  eventsValue,
} from '../../service/src/modules/events/index.ts';
import { systemClock } from '../../service/src/platform/clock.ts';
import type { Database } from '../../service/src/platform/database/open-database.ts';
import { sql } from '../../service/src/platform/database/sql.ts';
import { statement } from '../../service/src/platform/database/statement.ts';

const emitStatement = statement<EmitValues, { readonly endpoints: readonly string[] }>(
  'test_emit',
  sql()`with won as (select), ${emitEventsCtes('won')} select ${emittedEndpoints} as endpoints`,
);

const nowStatement = statement<Tenant, { readonly now: Date }>(
  'test_now',
  sql('merchantId', 'environment')`select business_now(:merchantId::uuid, :environment) as now`,
);

/** Emits as a payment's statement does, and answers the endpoints to wake. */
export const emit = async (
  database: Database,
  tenant: Tenant,
  drafts: readonly EventDraft[],
): Promise<readonly string[]> => {
  const values = { ...tenant, events: eventsValue(drafts) };
  const [row] = await database.tenant(tenant.merchantId, emitStatement, values);
  return row?.endpoints ?? [];
};

export const emitMany = (
  database: Database,
  tenant: Tenant,
  count: number,
  eventType: EventType = 'PAYMENTS_STATUS',
): Promise<readonly string[]> =>
  emit(
    database,
    tenant,
    Array.from({ length: count }, () => draftOf({ eventType })),
  );

export const businessNow = async (database: Database, tenant: Tenant): Promise<Date> => {
  const [row] = await database.tenant(tenant.merchantId, nowStatement, tenant);
  return row?.now ?? new Date(Number.NaN);
};

export const draftOf = (changes: Partial<EventDraft> = {}): EventDraft => {
  const resourceId = randomUUID();
  return {
    eventId: randomUUID(),
    eventType: 'PAYMENTS_STATUS',
    resourceId,
    sequence: 1,
    dedupeKey: `payment:${resourceId}:1`,
    signingSecretId: null,
    occurredAt: systemClock.now(),
    body: {
      merchantId: 'm1',
      paymentIdempotencyId: 'FLR1',
      status: 'COMPLETED',
      paidAmount: '10',
      orderId: 'ORDER-1',
      paymentRequestId: resourceId,
    },
    ...changes,
  };
};
