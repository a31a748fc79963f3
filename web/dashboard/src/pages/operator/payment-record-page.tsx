import {
  getOperatorCase,
  getPaymentRecord,
  limits,
  listOperatorCases,
  type ReplyOf,
  recordPaymentOutcome,
} from '@florin/contract';
import { Radio, Stack, Textarea } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Environment } from '../../call/tenant.ts';
import { useAct, useOperation } from '../../call/use-operation.ts';
import { ActButton } from '../../parts/confirm-act.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { NotYet } from '../../parts/failure-notice.tsx';
import { typing, useTyped } from '../../parts/fields.ts';
import { DetailList, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { CopyText, DateText, MoneyText } from '../../parts/texts.tsx';
import { inEnvironment, useFilters } from '../../parts/use-filters.tsx';

type PaymentRecord = ReplyOf<typeof getPaymentRecord>;
type Attempt = PaymentRecord['attempts'][number];
type Change = PaymentRecord['history'][number];

const changes: readonly Column<Change>[] = [
  { id: 'at', title: 'When', isMain: true, at: ({ occurredAt }) => occurredAt },
  { id: 'to', title: 'Status', isMain: true, status: ({ toStatus }) => toStatus },
  { id: 'subject', title: 'What', cell: ({ subject }) => subject.toLowerCase() },
  { id: 'trigger', title: 'By', code: ({ trigger }) => trigger },
  { id: 'detail', title: 'Detail', cell: ({ detail }) => detail },
];

const path = '/operator/merchants/$merchantId/payments/$paymentRequestId';

/** The consents and every change of a payment, without its payer, and its outcome where it stayed open. */
export const PaymentRecordPage = (): ReactNode => {
  const { merchantId, paymentRequestId } = useParams({ from: path });
  const { environment = 'sandbox' } = useFilters(inEnvironment).filters;
  const params = { merchantId, environment, paymentRequestId };
  const read = useOperation(getPaymentRecord, { params });
  const { data: payment } = read;
  if (!payment) return <NotYet of={read} />;
  return (
    <>
      <PageTitle
        title={writePounds(Number(payment.amount))}
        above={
          <Link
            to="/operator/merchants/$merchantId"
            params={{ merchantId }}
            search={{ environment }}
          >
            Merchant
          </Link>
        }
        says={<StatusBadge status={payment.status} />}
      />
      <DetailList
        of={[
          ['Payment id', <CopyText key="id" text={paymentRequestId} what="payment id" />],
          ['Requested', <DateText key="at" at={payment.createdAt} />],
        ]}
      />
      {payment.attempts.map((attempt) => (
        <AttemptCard key={attempt.attemptId} attempt={attempt} payment={params} />
      ))}
      <SectionCard title="History">
        <DataTable<Change>
          isPlain
          name="payment-history"
          caption="Every change, the oldest first"
          columns={changes}
          rows={payment.history}
          rowKey={({ occurredAt, subjectId, toStatus }) => `${occurredAt}${subjectId}${toStatus}`}
          empty={<p className="soft">No attempts yet.</p>}
        />
      </SectionCard>
    </>
  );
};

type AttemptCardProps = {
  readonly attempt: Attempt;
  readonly payment: Pick<OpenAttempt, 'merchantId' | 'environment' | 'paymentRequestId'>;
};

/** The words first, then the code that the bank or the processor knows it by. */
const errorOf = ({ errorCode, errorDescription }: Attempt): string =>
  errorDescription ? `${errorDescription} (${errorCode})` : `${errorCode}`;

const AttemptCard = ({ attempt, payment }: AttemptCardProps): ReactNode => {
  const pence = [attempt.amount, attempt.tipAmount].map((text) => Math.round(Number(text) * 100));
  const amount = pence.reduce((sum, each) => sum + each, 0) / 100;
  return (
    <SectionCard
      title={attempt.method === 'CARD' ? 'By card' : 'By bank'}
      acts={
        attempt.status !== 'COMPLETED' &&
        attempt.submittedAt && (
          <RecordOutcome of={{ ...payment, attemptId: attempt.attemptId, amount }} />
        )
      }
    >
      <DetailList
        of={[
          ['Status', <StatusBadge key="status" status={attempt.status} />],
          ['Amount', <MoneyText key="amount" pounds={amount} />],
          ['Bank', attempt.institutionId],
          ['Status at the bank', attempt.isoStatus],
          ['Error', attempt.errorCode && errorOf(attempt)],
          [
            'Consent',
            attempt.consentId && <CopyText key="c" text={attempt.consentId} what="consent id" />,
          ],
          [
            'Quote to the bank',
            attempt.interactionId && (
              <CopyText key="i" text={attempt.interactionId} what="interaction id" />
            ),
          ],
          ['Started', <DateText key="started" at={attempt.startedAt} />],
          [
            'Handed over',
            attempt.submittedAt && <DateText key="handed" at={attempt.submittedAt} />,
          ],
        ]}
      />
    </SectionCard>
  );
};

type OpenAttempt = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly paymentRequestId: string;
  readonly attemptId: string;
  /** Pounds, tip included. */
  readonly amount: number;
};

type Outcome = 'COMPLETED' | 'FAILED';

const means: Readonly<Record<Outcome, string>> = {
  COMPLETED: 'The money has arrived: the payment is booked as paid and the merchant is told.',
  FAILED: 'No money moved: the payer may try again. A held card payment is released.',
};

/** What a person found out at the bank or the processor. It is booked as their own report would be. */
const RecordOutcome = ({ of }: { readonly of: OpenAttempt }): ReactNode => {
  const { typed, type, begin } = useTyped({ outcome: null as Outcome | null, evidence: '' });
  const { outcome, evidence } = typed;
  const changes = [getPaymentRecord, getOperatorCase, listOperatorCases];
  const record = useAct(recordPaymentOutcome, { changes });
  const { amount, ...params } = of;
  const pounds = writePounds(amount);
  const words = outcome === 'FAILED' ? 'as failed' : 'as paid';
  return (
    <ActButton
      size="compact-sm"
      says="Record the outcome"
      title={`Record the outcome of ${pounds} in ${of.environment}`}
      act={outcome ? `Record ${pounds} ${words}` : 'Choose an outcome'}
      isDangerous
      isReady={outcome !== null && evidence.trim() !== ''}
      onConfirm={async () => {
        if (!outcome) return;
        await record.mutateAsync({ params, body: { outcome, evidence: evidence.trim() } });
      }}
      onOpen={begin}
    >
      <Stack>
        <Radio.Group
          label="Outcome"
          value={outcome}
          onChange={(value) => type({ outcome: value === 'FAILED' ? 'FAILED' : 'COMPLETED' })}
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
          {...typing(evidence, (evidence) => type({ evidence }))}
        />
        <p className="soft">
          This cannot be undone here. Your name and what you write stay in the history of the
          payment.
        </p>
      </Stack>
    </ActButton>
  );
};
