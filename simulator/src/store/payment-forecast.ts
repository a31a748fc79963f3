import { currentStep, nextStep, type Schedule } from '#simulator/bank/payments/schedule.ts';
import type { Pool } from './open-pool.ts';

// The status of a payment now, and the time until it changes: null if never.
export type PaymentForecast = {
  readonly consentId: string;
  readonly status: string;
  readonly changesInMs: number | null;
};

export const paymentForecast = async (
  pool: Pool,
  consentIds: readonly string[],
  realNow: number,
): Promise<PaymentForecast[]> => {
  const { rows } = await pool.query<ForecastRow>(selectSchedules, [consentIds]);
  return rows.map(({ consent_id, accepted_at, schedule, clock_offset_ms }) => {
    const timing = {
      acceptedAt: accepted_at.getTime(),
      now: realNow + Number(clock_offset_ms),
    };
    const next = nextStep(schedule, timing);
    return {
      consentId: consent_id,
      status: currentStep(schedule, timing).status,
      changesInMs: next ? next.at - timing.now : null,
    };
  });
};

type ForecastRow = {
  readonly consent_id: string;
  readonly accepted_at: Date;
  readonly schedule: Schedule;
  readonly clock_offset_ms: bigint;
};

const selectSchedules = `
  select payment.consent_id, payment.accepted_at, payment.schedule, consent.clock_offset_ms
  from simulator.payment
  join simulator.consent
    on consent.bank_id = payment.bank_id and consent.id = payment.consent_id
  where payment.consent_id = any($1::text[])`;
