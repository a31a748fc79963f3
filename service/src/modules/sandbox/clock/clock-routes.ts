import { advanceSandboxClock } from '@florin/contract';
import { type Route, route } from '#platform/http/route.ts';
import { advanceClock, type ClockTools } from './advance-clock.ts';
import type { DueSource } from './due-source.ts';
import { inTurn } from './in-turn.ts';

export const clockRoutes = (
  tools: ClockTools & { readonly dueSources: readonly DueSource[] },
): readonly Route[] => {
  const oneAtATime = inTurn();
  return [
    route(advanceSandboxClock, async ({ body, decideOnce }, { tenant }) => {
      const { now, offsetMs, remainingMs } = await oneAtATime(tenant, () =>
        advanceClock(tools, tools.dueSources, tenant, body.advanceMs, decideOnce),
      );
      return { now: now.toISOString(), offsetMs, remainingMs };
    }),
  ];
};
