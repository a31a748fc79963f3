import type { ReplyOf } from '@florin/contract';
import {
  acceptDispute,
  getDisputeAnswer,
  getPaymentTimeline,
} from '@florin/contract/dashboard/index.ts';
import { Alert } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAct, useAddress, useMay, useOperation } from '../../call/use-operation.ts';
import { Icon } from '../../design/icon.tsx';
import { ActButton } from '../../parts/confirm-act.tsx';
import { NotYet } from '../../parts/failure-notice.tsx';
import { DetailList, MissingPage, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { DateText } from '../../parts/texts.tsx';
import { now } from '../../parts/times.ts';
import { EvidenceForm } from './evidence-form.tsx';
import { evidenceTitles, fileTitles } from './evidence-words.ts';
import { type Dispute, PaymentDisputes } from './payment-disputes.tsx';

type Answer = ReplyOf<typeof getDisputeAnswer>;

const route = '/$merchantId/$environment/disputes/$paymentRequestId/$disputeReference';
const lookEveryMs = 3_000;

/** One dispute: what the card holder says, and what is answered. */
export const DisputePage = (): ReactNode => {
  const address = useAddress();
  const params = useParams({ from: route });
  const { paymentRequestId, disputeReference } = params;
  const options = { refetchEveryMs: lookEveryMs };
  const timeline = useOperation(getPaymentTimeline, { params: { paymentRequestId } }, options);
  const read = useOperation(getDisputeAnswer, { params }, options);
  const mayAnswer = useMay('disputes.answer');
  if (!timeline.data) return <NotYet of={timeline} />;
  const dispute = timeline.data.disputes.find(({ reference }) => reference === disputeReference);
  if (!dispute) return <MissingPage />;
  if (!read.data) return <NotYet of={read} />;
  const isOpen = dispute.status === 'OPEN' && read.data.status === 'DRAFT' && !isOver(dispute);
  return (
    <>
      <PageTitle
        title={`Dispute of ${writePounds(dispute.amount || timeline.data.paidAmount)}`}
        above={
          <Link to={address(`payments/${paymentRequestId}`)}>
            Payment of order {timeline.data.orderId}
          </Link>
        }
      />
      <PaymentDisputes of={[dispute]} paymentRequestId={null} />
      <Said answer={read.data} isOpen={isOpen} dispute={dispute} />
      {isOpen && mayAnswer && (
        <>
          <EvidenceForm
            key={disputeReference}
            answer={read.data}
            of={params}
            respondBy={dispute.respondBy}
          />
          <AcceptLoss dispute={dispute} of={params} />
        </>
      )}
      {isOpen && !mayAnswer && (
        <p className="soft">Your role cannot answer disputes. Ask an owner or a manager.</p>
      )}
      <Sent answer={read.data} isOpen={isOpen} />
    </>
  );
};

const isOver = ({ respondBy }: Dispute): boolean =>
  respondBy !== null && new Date(respondBy) <= now();

type SaidProps = {
  readonly answer: Answer;
  readonly isOpen: boolean;
  readonly dispute: Dispute;
};

/** What became of the answer, in one sentence. */
const Said = ({ answer, isOpen, dispute }: SaidProps): ReactNode => {
  const { status, refusal, sentBy, sentAt, submissions } = answer;
  const by = sentAt && (
    <>
      {' '}
      {sentBy} sent it, <DateText at={sentAt} />.
    </>
  );
  if (isOpen && !refusal && submissions.length === 0) return null;
  if (isOpen)
    return (
      <Alert
        role="alert"
        color={refusal ? 'red' : 'orange'}
        variant="light"
        mb="lg"
        icon={<Icon name="warning" />}
      >
        {refusal
          ? `It was not taken. ${refusal}`
          : 'You answered when the bank only asked. It has taken the money now: answer again.'}
      </Alert>
    );
  if (status === 'DRAFT')
    return (
      <p className="soft">
        {dispute.status === 'OPEN'
          ? 'The deadline has passed without an answer.'
          : 'It was decided without an answer from you.'}
      </p>
    );
  return (
    <p role="status">
      {sentences[status]}
      {by}
    </p>
  );
};

const sentences = {
  SUBMITTING: 'Your answer is on its way to the card processor.',
  SUBMITTED:
    'The customer’s bank has your answer and will decide. That can take two months or more.',
  ACCEPTING: 'Your acceptance of the loss is on its way to the card processor.',
  ACCEPTED: 'You accepted the loss.',
} as const;

type SentProps = { readonly answer: Answer; readonly isOpen: boolean };

/** Each answer as it was sent, the latest first, and a draft that came to nothing. */
const Sent = ({ answer, isOpen }: SentProps): ReactNode => {
  const { submissions, status } = answer;
  const isLeft = !isOpen && status === 'DRAFT';
  return (
    <>
      {isLeft && <Evidence of={answer} title="A draft that was not sent" />}
      {submissions
        .map((sent, at) => (
          <Evidence
            key={sent.sentAt}
            of={sent}
            title={submissions.length > 1 ? `Answer ${at + 1}` : 'Answer'}
            says={
              <>
                Sent by {sent.sentBy}, <DateText at={sent.sentAt} />.
              </>
            }
          />
        ))
        .reverse()}
    </>
  );
};

type EvidenceProps = {
  readonly of: Pick<Answer, 'evidence' | 'files'>;
  readonly title: string;
  readonly says?: ReactNode;
};

const Evidence = ({ of: { evidence, files }, title, says }: EvidenceProps): ReactNode => {
  const rows = [
    ...Object.entries(evidenceTitles).map(
      ([name, label]) => [label, evidence[name as keyof typeof evidenceTitles]] as const,
    ),
    ...files.map(({ kind, fileName }) => [fileTitles[kind], fileName] as const),
  ];
  if (!says && !rows.some(([, value]) => value)) return null;
  return (
    <SectionCard title={title}>
      {says && <p className="soft">{says}</p>}
      <DetailList of={rows} />
    </SectionCard>
  );
};

type AcceptLossProps = {
  readonly dispute: Dispute;
  readonly of: { readonly paymentRequestId: string; readonly disputeReference: string };
};

const AcceptLoss = ({ dispute, of: params }: AcceptLossProps): ReactNode => {
  const accept = useAct(acceptDispute, { changes: [getDisputeAnswer, getPaymentTimeline] });
  const amount = writePounds(dispute.amount);
  return (
    <SectionCard title="Not worth an answer?">
      <p>If the customer is right, accept the loss and you need do nothing more.</p>
      <ActButton
        says="Accept the loss"
        title={dispute.amount > 0 ? `Accept the loss of ${amount}` : 'Accept the loss'}
        act={dispute.amount > 0 ? `Accept the loss of ${amount}` : 'Accept the loss'}
        isDangerous
        onConfirm={() => accept.mutateAsync({ params })}
      >
        <p>
          {dispute.amount > 0
            ? `The customer keeps the ${amount}. `
            : 'The bank is told that you do not object. '}
          It cannot be undone, and no answer can be sent afterwards.
        </p>
      </ActButton>
    </SectionCard>
  );
};
