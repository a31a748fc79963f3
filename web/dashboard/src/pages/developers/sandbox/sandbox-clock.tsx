import { advanceSandboxClock } from '@florin/contract';
import { Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../../call/use-operation.ts';
import { ConfirmAct } from '../../../parts/confirm-act.tsx';
import { DateText } from '../../../parts/date-text.tsx';
import { SectionCard } from '../../../parts/section-card.tsx';

const hour = 60 * 60 * 1000;

const steps = [
  { title: 'an hour', advanceMs: hour },
  { title: 'a day', advanceMs: 24 * hour },
  { title: 'a week', advanceMs: 7 * 24 * hour },
] as const;

/** Moves the merchant's sandbox time on: what falls due on the way happens in order. */
export const SandboxClock = (): ReactNode => {
  const [step, setStep] = useState<(typeof steps)[number] | null>(null);
  const client = useQueryClient();
  const advance = useAct(advanceSandboxClock);
  const now = advance.data?.now;
  return (
    <SectionCard title="Clock">
      <Group gap="sm">
        {steps.map((each) => (
          <Button key={each.title} variant="default" onClick={() => setStep(each)}>
            Move on {each.title}
          </Button>
        ))}
      </Group>
      <p role="status">
        {now && (
          <>
            It is now <DateText at={now} /> in the sandbox.
          </>
        )}
      </p>
      <ConfirmAct
        isOpen={step !== null}
        title={`Move the clock on ${step?.title ?? ''}`}
        act={`Move on ${step?.title ?? ''}`}
        onClose={() => setStep(null)}
        onConfirm={async () => {
          await advance.mutateAsync({ body: { advanceMs: step?.advanceMs ?? 0 } });
          await client.invalidateQueries();
        }}
      >
        <p>
          What falls due on the way happens in order: requests expire, payouts are closed, webhooks
          are tried again. The clock never goes back.
        </p>
      </ConfirmAct>
    </SectionCard>
  );
};
