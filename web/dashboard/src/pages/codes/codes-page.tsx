import type { ReplyOf } from '@florin/contract';
import { listPaymentCodes, setPaymentCodeStatus } from '@florin/contract/dashboard/index.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { addressOfPage, type Tenant } from '../../call/tenant.ts';
import { useMay } from '../../call/use-me.ts';
import { useAct, useOperation, useTenant } from '../../call/use-operation.ts';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
import { DateText } from '../../parts/date-text.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { amountWords } from './amount-words.ts';
import { CreateCode } from './create-code.tsx';

type Code = ReplyOf<typeof listPaymentCodes>['data'][number];

const pageSize = 20;

export const CodesPage = (): ReactNode => {
  const tenant = useTenant();
  return tenant && <Codes key={`${tenant.merchantId} ${tenant.environment}`} tenant={tenant} />;
};

/** Codes on tables and counters. Each scan begins a payment of its own. */
const Codes = ({ tenant }: { readonly tenant: Tenant }): ReactNode => {
  const mayWrite = useMay('links.write');
  return (
    <>
      <PageTitle
        title="Printed codes"
        says="A code for each table or counter: payers scan it, and each pays a payment of their own"
      >
        <Link to={addressOfPage(tenant, 'codes/print')}>Print sheet</Link>
      </PageTitle>
      {mayWrite && (
        <SectionCard title="New code">
          <CreateCode />
        </SectionCard>
      )}
      <SectionCard title="Codes of the business">
        <MadeCodes mayWrite={mayWrite} />
      </SectionCard>
    </>
  );
};

const columnsFor = (mayWrite: boolean): readonly Column<Code>[] => [
  { id: 'label', title: 'Label', isMain: true, cell: ({ label }) => label },
  {
    id: 'status',
    title: 'Status',
    isMain: true,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  { id: 'amount', title: 'Amount', cell: (code) => amountWords(code) },
  { id: 'store', title: 'Store', cell: ({ storeName }) => storeName },
  {
    id: 'open',
    title: 'Page',
    cell: ({ codeUrl }) => (
      <a href={codeUrl} target="_blank" rel="noreferrer">
        Open
      </a>
    ),
  },
  { id: 'by', title: 'Made by', cell: ({ madeBy }) => madeBy },
  { id: 'made', title: 'Made', cell: ({ createdAt }) => <DateText at={createdAt} /> },
  ...(mayWrite
    ? [{ id: 'act', title: 'Change', cell: (code: Code) => <ChangeStatus code={code} /> }]
    : []),
];

const MadeCodes = ({ mayWrite }: { readonly mayWrite: boolean }): ReactNode => {
  const [page, setPage] = useState(1);
  const query = { page: page - 1, size: pageSize };
  const { data, error, refetch } = useOperation(listPaymentCodes, { query });
  return (
    <DataTable<Code>
      isPlain
      name="codes"
      caption="Printed codes of the business, the newest first"
      columns={columnsFor(mayWrite)}
      rows={data?.data}
      failure={error}
      onRetry={() => void refetch()}
      rowKey={({ codeId }) => codeId}
      pager={{ page, size: pageSize, total: data?.totalCount ?? 0, onPage: setPage }}
      empty={
        <EmptyState title="No codes yet" icon="links">
          <p>
            Name a table or a counter above, then print the sheet. A payer who scans the code sees
            your business, the store and that name, and pays.
          </p>
        </EmptyState>
      }
    />
  );
};

const ChangeStatus = ({ code }: { readonly code: Code }): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const act = useAct(setPaymentCodeStatus, { changes: [listPaymentCodes] });
  const isActive = code.status === 'ACTIVE';
  const verb = isActive ? 'Disable' : 'Enable';
  const input = {
    params: { codeId: code.codeId },
    body: { status: isActive ? ('DISABLED' as const) : ('ACTIVE' as const) },
  };
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setIsOpen(true)}>
        {verb} <span className="unseen"> {code.label}</span>
      </Button>
      <ConfirmAct
        isOpen={isOpen}
        title={`${verb} the code ${code.label}`}
        act={`${verb} ${code.label}`}
        isDangerous={isActive}
        onConfirm={() => act.mutateAsync(input)}
        onClose={() => setIsOpen(false)}
      >
        <p>
          {isActive
            ? 'Payers who scan it are told that it is not in use. Payments that have begun go on.'
            : 'Payers who scan it can pay again.'}
        </p>
      </ConfirmAct>
    </>
  );
};
