import {
  getOperatorCase,
  getPaymentRecord,
  limits,
  listOperatorCases,
  recordPaymentOutcome,
} from '@florin/contract';
import { Radio, Stack, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Environment } from '../../../call/tenant.ts';
import { useAct } from '../../../call/use-operation.ts';
import { ConfirmAct } from '../../../parts/confirm-act.tsx';
import { writePounds } from '../../../parts/write-pounds.ts';

export type OpenAttempt = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly paymentRequestId: string;
  readonly attemptId: string;
  /** Pounds, tip included. */
  readonly amount: number;
};

type RecordOutcomeProps = { readonly of: OpenAttempt; readonly onClose: () => void };

type Outcome = 'COMPLETED' | 'FAILED';

const means: Readonly<Record<Outcome, string>> = {
  COMPLETED: 'The money has arrived: the payment is booked as paid and the merchant is told.',
  FAILED: 'No money moved: the payer may try again. A held card payment is released.',
};

/** What a person found out at the bank or the processor. It is booked as their own report would be. */
export const RecordOutcome = ({ of, onClose }: RecordOutcomeProps): ReactNode => {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [evidence, setEvidence] = useState('');
  const changes = [getPaymentRecord, getOperatorCase, listOperatorCases];
  const record = useAct(recordPaymentOutcome, { changes });
  const { amount, ...params } = of;
  const pounds = writePounds(amount);
  const words = outcome === 'FAILED' ? 'as failed' : 'as paid';
  return (
    <ConfirmAct
      isOpen
      title={`Record the outcome of ${pounds} in ${of.environment}`}
      act={outcome ? `Record ${pounds} ${words}` : 'Choose an outcome'}
      isDangerous
      isReady={outcome !== null && evidence.trim() !== ''}
      onConfirm={async () => {
        if (!outcome) return;
        await record.mutateAsync({ params, body: { outcome, evidence: evidence.trim() } });
      }}
      onClose={onClose}
    >
      <Stack>
        <Radio.Group
          label="What became of it"
          value={outcome}
          onChange={(value) => setOutcome(value === 'FAILED' ? 'FAILED' : 'COMPLETED')}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="COMPLETED" label={`${pounds} were paid`} description={means.COMPLETED} />
            <Radio value="FAILED" label="It failed" description={means.FAILED} />
          </Stack>
        </Radio.Group>
        <Textarea
          label="How you know"
          description="A statement, a letter of the bank, the processor's own pages"
          required
          autosize
          minRows={2}
          maxLength={limits.operatorTextLength}
          value={evidence}
          onChange={({ currentTarget }) => setEvidence(currentTarget.value)}
        />
        <p className="soft">
          This cannot be undone here. Your name and what you write stay in the history of the
          payment.
        </p>
      </Stack>
    </ConfirmAct>
  );
};
