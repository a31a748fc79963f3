import { limits, type ReplyOf } from '@florin/contract';
import {
  createPaymentCode,
  listPaymentCodes,
  setPaymentCodeStatus,
} from '@florin/contract/dashboard/index.ts';
import { Button, Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { callOperation } from '../../call/call-operation.ts';
import { useAct, useAddress, useMay, useOperation } from '../../call/use-operation.ts';
import { Icon } from '../../design/icon.tsx';
import { ActButton } from '../../parts/confirm-act.tsx';
import { actsColumn, type Column, DataTable, statusColumn } from '../../parts/data-table.tsx';
import { type CsvColumn, csvPounds, csvTime, ExportButton } from '../../parts/export-button.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { focusAtFirst, typing } from '../../parts/fields.ts';
import { EmptyState, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { parsePounds, writePounds } from '../../parts/numbers.ts';
import { describeStatus } from '../../parts/status-badge.tsx';
import { StoreField } from '../../parts/store-field.tsx';
import { oneOfFew, useFilters } from '../../parts/use-filters.tsx';

type Code = ReplyOf<typeof listPaymentCodes>['data'][number];

const pageSize = 20;

/** Codes on tables and counters. Each scan begins a payment of its own. */
export const CodesPage = (): ReactNode => {
  const address = useAddress();
  const mayWrite = useMay('links.write');
  const [isOpen, { open, close }] = useDisclosure(false);
  const { filters: chosen, toolbar, page, onPage } = useFilters(filters);
  const query = { ...chosen, page: page - 1, size: pageSize };
  const found = useOperation(listPaymentCodes, { query });
  const isBare = found.data?.totalCount === 0;
  return (
    <>
      <PageTitle
        title="Printed codes"
        says="One code for each table or counter: each scan starts a separate payment"
      >
        {mayWrite && !isOpen && (
          <Button leftSection={<Icon name="plus" size={14} />} onClick={open}>
            New code
          </Button>
        )}
        {!isBare && <Link to={address('codes/print')}>Print sheet</Link>}
        <ExportButton
          of={found}
          fileName="codes"
          columns={exported}
          readPage={async (number, signal) => {
            const query = { page: number, size: limits.pageSizeMax };
            const part = await callOperation(listPaymentCodes, { query }, { signal });
            return { rows: part.data, total: part.totalCount };
          }}
        />
      </PageTitle>
      {mayWrite && isOpen && (
        <SectionCard
          title="New code"
          acts={
            <Button variant="default" onClick={close}>
              Close
            </Button>
          }
        >
          <CreateCode />
        </SectionCard>
      )}
      <DataTable<Code>
        name="codes"
        caption="Printed codes of the business"
        columns={columnsFor(mayWrite)}
        read={found}
        rowKey={({ codeId }) => codeId}
        toolbar={!isBare && toolbar}
        pager={{ page, size: pageSize, total: found.data?.totalCount, onPage }}
        empty={
          <EmptyState
            title="No codes yet"
            icon="code"
            act={
              mayWrite &&
              !isOpen && (
                <Button variant="default" onClick={open}>
                  Create your first code
                </Button>
              )
            }
          >
            Create one for each table or counter, then print the sheet. A customer who scans it sees
            your business, the store and the label, then pays.
          </EmptyState>
        }
      />
    </>
  );
};

const columnsFor = (mayWrite: boolean): readonly Column<Code>[] => [
  { id: 'label', title: 'Label', isMain: true, cell: ({ label }) => label },
  statusColumn,
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
  { id: 'by', title: 'Created by', cell: ({ madeBy }) => madeBy },
  { id: 'made', title: 'Created', at: ({ createdAt }) => createdAt },
  ...(mayWrite ? [{ ...actsColumn, cell: (code: Code) => <ChangeStatus code={code} /> }] : []),
];

const exported: readonly CsvColumn<Code>[] = [
  { title: 'Label', value: ({ label }) => label },
  { title: 'Status', value: ({ status }) => describeStatus(status).words },
  { title: 'Amount', value: ({ amount }) => csvPounds(amount) },
  { title: 'Minimum', value: ({ minAmount }) => csvPounds(minAmount) },
  { title: 'Maximum', value: ({ maxAmount }) => csvPounds(maxAmount) },
  { title: 'Store', value: ({ storeName }) => storeName },
  { title: 'Created by', value: ({ madeBy }) => madeBy },
  { title: 'Created', value: ({ createdAt }) => csvTime(createdAt) },
  { title: 'Address', value: ({ codeUrl }) => codeUrl },
];

const orders = { NEWEST: 'Newest first', OLDEST: 'Oldest first', LABEL: 'By label' } as const;
const filters = { orderBy: oneOfFew('Sort', orders, 'NEWEST') };

const ChangeStatus = ({ code }: { readonly code: Code }): ReactNode => {
  const act = useAct(setPaymentCodeStatus, { changes: [listPaymentCodes] });
  const isActive = code.status === 'ACTIVE';
  const verb = isActive ? 'Disable' : 'Enable';
  const input = {
    params: { codeId: code.codeId },
    body: { status: isActive ? ('DISABLED' as const) : ('ACTIVE' as const) },
  };
  return (
    <ActButton
      size="compact-sm"
      says={verb}
      label={`${verb} ${code.label}`}
      title={`${verb} the code ${code.label}`}
      act={`${verb} ${code.label}`}
      isDangerous={isActive}
      onConfirm={() => act.mutateAsync(input)}
    >
      <p>
        {isActive
          ? 'Customers who scan it are told that it is not in use. Payments already started go on.'
          : 'Customers who scan it can pay again.'}
      </p>
    </ActButton>
  );
};

const empty = { label: '', kind: 'open', amount: '', min: '', max: '', storeId: '' };

type Form = typeof empty;

/** The body of a form; null while something is missing or no amount. */
const bodyOf = (form: Form) => {
  const label = form.label.trim();
  const pounds = (text: string): number | null => {
    const pence = parsePounds(text);
    return pence === null ? null : pence / 100;
  };
  if (label === '') return null;
  const common = { label, ...(form.storeId && { storeId: form.storeId }) };
  if (form.kind === 'fixed') {
    const amount = pounds(form.amount);
    return amount === null ? null : { ...common, amount };
  }
  const min = form.min === '' ? undefined : pounds(form.min);
  const max = form.max === '' ? undefined : pounds(form.max);
  if (min === null || max === null) return null;
  return {
    ...common,
    ...(min !== undefined && { minAmount: min }),
    ...(max !== undefined && { maxAmount: max }),
  };
};

const CreateCode = (): ReactNode => {
  const [form, setForm] = useState(empty);
  const create = useAct(createPaymentCode, { changes: [listPaymentCodes] });
  const body = bodyOf(form);
  const change = (changes: Partial<Form>): void => setForm({ ...form, ...changes });
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!body || create.isPending) return;
    // What is refused is shown below the fields.
    const made = await create.mutateAsync({ body }).catch(() => null);
    // The next table of the same kind needs its name only.
    if (made) change({ label: '' });
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} mb="md">
        <TextInput
          ref={focusAtFirst}
          label="Label"
          required
          placeholder="Table 4"
          maxLength={limits.notesLength}
          {...typing(form.label, (label) => change({ label }))}
        />
        <NativeSelect
          label="Amount"
          data={[
            { value: 'open', label: 'Customer enters it' },
            { value: 'fixed', label: 'Fixed' },
          ]}
          {...typing(form.kind, (kind) => change({ kind }))}
        />
        <StoreField storeId={form.storeId} onChange={(storeId) => change({ storeId })} />
        {form.kind === 'fixed' ? (
          <Pounds
            label="Amount in pounds"
            placeholder="4.50"
            value={form.amount}
            onChange={(amount) => change({ amount })}
          />
        ) : (
          <>
            <Pounds
              label="Minimum in pounds (optional)"
              placeholder="1.00"
              value={form.min}
              onChange={(min) => change({ min })}
            />
            <Pounds
              label="Maximum in pounds (optional)"
              placeholder="Your payment limit"
              value={form.max}
              onChange={(max) => change({ max })}
            />
          </>
        )}
      </SimpleGrid>
      {create.error && <FailureNotice failure={create.error} />}
      <p role="status">{create.data && `The code ${create.data.label} is ready.`}</p>
      <Group>
        <Button type="submit" disabled={!body} loading={create.isPending}>
          Create code
        </Button>
      </Group>
    </form>
  );
};

type PoundsProps = {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

const Pounds = ({ label, placeholder, value, onChange }: PoundsProps): ReactNode => (
  <TextInput
    label={label}
    leftSection="£"
    inputMode="decimal"
    placeholder={placeholder}
    {...typing(value, onChange)}
    error={value !== '' && parsePounds(value) === null && 'Enter an amount such as 12.50.'}
  />
);

type Amounts = {
  readonly amount: number | null;
  readonly minAmount: number | null;
  readonly maxAmount: number | null;
};

/** "£4.50", or "Any from £1.00 to £50.00". */
const amountWords = ({ amount, minAmount, maxAmount }: Amounts): string =>
  amount === null
    ? `Any from ${writePounds(minAmount ?? 0)} to ${writePounds(maxAmount ?? 0)}`
    : writePounds(amount);
