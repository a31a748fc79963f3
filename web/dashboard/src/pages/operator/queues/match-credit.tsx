import {
  limits,
  listCredits,
  listOperatorCases,
  matchCredit,
  type ReplyOf,
} from '@florin/contract';
import { Stack, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { isEnvironment } from '../../../call/tenant.ts';
import { useAct } from '../../../call/use-operation.ts';
import { ConfirmAct } from '../../../parts/confirm-act.tsx';
import { writePounds } from '../../../parts/write-pounds.ts';

export type Credit = ReplyOf<typeof listCredits>['data'][number];

type MatchCreditProps = { readonly credit: Credit; readonly onClose: () => void };

const ids = [
  { name: 'merchantId', label: 'Merchant id' },
  { name: 'paymentRequestId', label: 'Payment request id' },
  { name: 'attemptId', label: 'Attempt id' },
] as const;

type Ids = Readonly<Record<(typeof ids)[number]['name'], string>>;

const noIds: Ids = { merchantId: '', paymentRequestId: '', attemptId: '' };

/** Once: the payment is settled by it. */
export const MatchCredit = ({ credit, onClose }: MatchCreditProps): ReactNode => {
  const [typed, setTyped] = useState<Ids>(noIds);
  const [evidence, setEvidence] = useState('');
  const match = useAct(matchCredit, { changes: [listCredits, listOperatorCases] });
  const environment = credit.environment.toLowerCase();
  const amount = writePounds(Number(credit.amount));
  const isFilled = ids.every(({ name }) => typed[name] !== '') && evidence.trim() !== '';
  const send = async (): Promise<void> => {
    if (!isEnvironment(environment)) throw new Error(`There is no environment ${environment}.`);
    const body = { ...typed, environment, evidence: evidence.trim() };
    await match.mutateAsync({ params: { creditId: credit.creditId }, body });
  };
  return (
    <ConfirmAct
      isOpen
      title={`Match the credit of ${amount}`}
      act={`Settle the payment with ${amount}`}
      isReady={isFilled}
      onConfirm={send}
      onClose={onClose}
    >
      <Stack>
        <p>
          {amount} from {credit.payerName ?? 'an unnamed payer'} settle the payment that you name
          here. This is done once and cannot be undone.
        </p>
        {ids.map(({ name, label }) => (
          <TextInput
            key={name}
            label={label}
            required
            maxLength={36}
            value={typed[name]}
            onChange={({ currentTarget }) =>
              setTyped({ ...typed, [name]: currentTarget.value.trim() })
            }
          />
        ))}
        <Textarea
          label="How you know"
          description="A statement, a letter of the bank"
          required
          autosize
          minRows={2}
          maxLength={limits.operatorTextLength}
          value={evidence}
          onChange={({ currentTarget }) => setEvidence(currentTarget.value)}
        />
      </Stack>
    </ConfirmAct>
  );
};
