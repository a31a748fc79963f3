import {
  advanceSandboxClock,
  setSandboxAmountParts,
  setSandboxSwitches,
  setSandboxTips,
} from '@florin/contract';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { advanceClock, type ClockTools, type DueSource, inTurn } from './advance-clock.ts';
import { setAmountParts } from './settings/set-amount-parts.ts';
import { setSwitches } from './settings/set-switches.ts';
import { setTips } from './settings/set-tips.ts';

export const sandboxRoutes = (
  tools: Uses<'database' | 'ids'> & ClockTools & { readonly dueSources?: readonly DueSource[] },
): readonly Route[] => {
  const oneAtATime = inTurn();
  return [
    route(setSandboxSwitches, ({ body }, { tenant }) => setSwitches(tools, tenant, body)),
    route(setSandboxTips, ({ body }, { tenant }) => setTips(tools, tenant, body)),
    route(setSandboxAmountParts, ({ body }, { tenant }) => setAmountParts(tools, tenant, body)),
    route(advanceSandboxClock, async ({ body }, { tenant }) => {
      const { now, offsetMs, remainingMs } = await oneAtATime(tenant, () =>
        advanceClock(tools, tools.dueSources ?? [], tenant, body.advanceMs),
      );
      return { now: now.toISOString(), offsetMs, remainingMs };
    }),
  ];
};
