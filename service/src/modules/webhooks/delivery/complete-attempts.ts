import type { Uses } from '#platform/tools.ts';
import type { AttemptResult } from './attempt/attempt-delivery.ts';
import type { HealthTally } from './endpoint-health.ts';
import { resultColumns } from './result-columns.ts';
import { completeAttempts as complete } from './store/complete.ts';
import { type GrowingPlans, growingPlans } from './store/growing-plans.ts';

const mail = {
  mailSubject: 'Webhook deliveries to {url} have stopped',
  mailText: `Deliveries to this {environment} webhook endpoint have failed for 24 hours, so that we gave
events up that could not be delivered:

  {url}

Failing since: {since}
Last error: {error}
Events not delivered: {count}

New events are still tried. Once the endpoint answers 200 again, deliver what was missed with
POST /api/webhook/v2/endpoints/{endpoint}/replay and the body {"onlyFailed": true}.
`,
};

const maxTimes = 5;

export const completeAttempts = async (
  { database }: Uses<'database'>,
  results: readonly AttemptResult[],
  healths: readonly HealthTally[],
  plans: GrowingPlans = growingPlans(),
): Promise<void> => {
  let left = results;
  for (let time = 0; time < maxTimes; time += 1) {
    const values = {
      ...mail,
      ...resultColumns(left),
      healths: JSON.stringify(time === 0 ? healths : []),
    };
    if (left.length === 0 && (time > 0 || healths.length === 0)) return;
    const moved = new Set(
      (await database.system(plans.of(complete), values)).map((row) => row.delivery_id),
    );
    left = left.filter(({ row }) => moved.has(row.delivery_id));
  }
};
