import type { ReactNode } from 'react';
import { useTenant } from '../../../call/use-operation.ts';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { PageTitle } from '../../../parts/page-title.tsx';
import { CaughtMail } from './caught-mail.tsx';
import { SandboxClock } from './sandbox-clock.tsx';
import { TestEvents } from './test-events.tsx';
import { TryOutcomes } from './try-outcomes.tsx';

/** What only the sandbox has: outcomes at a press, test events, a clock, and the mail that was caught. */
export const SandboxPage = (): ReactNode => {
  const tenant = useTenant();
  if (tenant?.environment !== 'sandbox')
    return (
      <>
        <PageTitle title="Sandbox" />
        <div className="card">
          <EmptyState title="Production is real" icon="warning">
            <p>Outcomes, test events and the clock exist in the sandbox only: change over above.</p>
          </EmptyState>
        </div>
      </>
    );
  return (
    <>
      <PageTitle title="Sandbox" says="Try each outcome with banks and money that are not real" />
      <TryOutcomes />
      <TestEvents />
      <SandboxClock />
      <CaughtMail />
    </>
  );
};
