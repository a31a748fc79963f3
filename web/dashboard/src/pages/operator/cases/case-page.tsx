import { getOperatorCase, type ReplyOf } from '@florin/contract';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useOperation } from '../../../call/use-operation.ts';
import { CopyText } from '../../../parts/copy-text.tsx';
import { DateText } from '../../../parts/date-text.tsx';
import { sentenceCase } from '../../../parts/describe-status.ts';
import { DetailList } from '../../../parts/detail-list.tsx';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { PageTitle } from '../../../parts/page-title.tsx';
import { SectionCard } from '../../../parts/section-card.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import { CaseActs } from './case-acts.tsx';

type Case = ReplyOf<typeof getOperatorCase>;
type Change = Case['history'][number];

const columns: readonly Column<Change>[] = [
  { id: 'at', title: 'When', isMain: true, cell: ({ occurredAt }) => <DateText at={occurredAt} /> },
  {
    id: 'to',
    title: 'Became',
    isMain: true,
    cell: ({ toStatus }) => <StatusBadge status={toStatus} />,
  },
  { id: 'actor', title: 'By', cell: ({ actor }) => actor },
  { id: 'detail', title: 'Detail', cell: ({ detail }) => detail },
];

export const CasePage = (): ReactNode => {
  const { caseId } = useParams({ from: '/operator/cases/$caseId' });
  const read = useOperation(getOperatorCase, { params: { caseId } });
  const { data } = read;
  if (read.error && !data)
    return <FailureNotice failure={read.error} onRetry={() => void read.refetch()} />;
  if (!data) return null;
  return (
    <>
      <PageTitle
        title={sentenceCase(data.kind)}
        above={<Link to="/operator/cases">Cases</Link>}
        says={<StatusBadge status={data.status} />}
      >
        <CaseActs of={data} />
      </PageTitle>
      <SectionCard title="What happened">
        <p>{data.description}</p>
        <CaseFacts of={data} />
      </SectionCard>
      <SectionCard title="Evidence">
        <Evidence evidence={data.evidence} />
      </SectionCard>
      <SectionCard title="History">
        <DataTable<Change>
          isPlain
          name="case-history"
          caption="What became of the case, the oldest first"
          columns={columns}
          rows={data.history}
          rowKey={({ occurredAt, toStatus }) => `${occurredAt} ${toStatus}`}
          empty={<p className="soft">Nothing has changed since it was opened.</p>}
        />
      </SectionCard>
    </>
  );
};

const CaseFacts = ({ of }: { readonly of: Case }): ReactNode => {
  const { merchantId, environment } = of;
  return (
    <DetailList
      of={[
        [
          'Merchant',
          merchantId && (
            <Link key="merchant" to="/operator/merchants/$merchantId" params={{ merchantId }}>
              {merchantId}
            </Link>
          ),
        ],
        ['Environment', environment && sentenceCase(environment)],
        ['About', <CopyText key="about" text={of.subject} what="subject" />],
        ['Opened', <DateText key="opened" at={of.openedAt} />],
        ['Resolved', of.resolvedAt && <DateText key="resolved" at={of.resolvedAt} />],
        ['What became of it', of.resolution],
        ['Case id', <CopyText key="id" text={of.caseId} what="case id" />],
      ]}
    />
  );
};

/** What the product knew when it opened the case, by its own names. */
const Evidence = ({ evidence }: Pick<Case, 'evidence'>): ReactNode => {
  const known = Object.entries(evidence);
  if (known.length === 0) return <p className="soft">Only what is said above is known.</p>;
  return (
    <DetailList
      of={known.map(([name, value]) => [
        wordsOf(name),
        typeof value === 'string' ? (
          <CopyText key={name} text={value} what={wordsOf(name)} />
        ) : (
          <span key={name} className="code">
            {JSON.stringify(value)}
          </span>
        ),
      ])}
    />
  );
};

/** amountPence: "Amount pence". */
const wordsOf = (name: string): string => sentenceCase(name.replace(/([a-z])([A-Z])/g, '$1 $2'));
