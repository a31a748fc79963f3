import { limits, type ReplyOf, requestPayment } from '@florin/contract';
import { linkStatuses, listPaymentLinks } from '@florin/contract/dashboard/index.ts';
import { Button, Checkbox, Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useAct, useAddress, useMay, useOperation } from '../../call/use-operation.ts';
import {
  amountColumn,
  type Column,
  DataTable,
  fileColumns,
  statusColumn,
} from '../../parts/data-table.tsx';
import { type CsvColumn, csvTime, ExportButton, readOn } from '../../parts/export-button.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { ticking, typing } from '../../parts/fields.ts';
import { EmptyState, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { parsePounds, writePounds } from '../../parts/numbers.ts';
import { ListTotals, sortedBy } from '../../parts/sort-and-totals.tsx';
import { wordsOf } from '../../parts/status-badge.tsx';
import { StoreField } from '../../parts/store-field.tsx';
import { inStore } from '../../parts/store-filter.tsx';
import { continueInAddress } from '../../parts/table-pager.tsx';
import { inAddress, inPeriod, oneOf, useFilters } from '../../parts/use-filters.tsx';
import { emptyForm, type LinkForm, lives, methods, requestOf } from './link-form.ts';

type Link = ReplyOf<typeof listPaymentLinks>['data'][number];

const pageSize = 10;
const lookEveryMs = 5_000;

const columns: readonly Column<Link>[] = [
  amountColumn(({ amount }) => amount),
  statusColumn,
  { id: 'paid', title: 'Paid', pounds: ({ paidAmount }) => paidAmount },
  { id: 'order', title: 'Order', cell: ({ orderId }) => orderId },
  { id: 'notes', title: 'Notes', cell: ({ notes }) => notes },
  { id: 'by', title: 'Made by', cell: ({ madeBy }) => madeBy },
  { id: 'made', title: 'Made', at: ({ createdAt }) => createdAt },
];

const idColumns: readonly CsvColumn<Link>[] = [
  { title: 'Payable until', value: ({ expiresAt }) => csvTime(expiresAt) },
  { title: 'Payment id', value: ({ paymentRequestId }) => paymentRequestId },
];

/** A link asks one customer for one amount. Its page holds the QR code and what became of it. */
export const LinksPage = (): ReactNode => {
  const address = useAddress();
  const navigate = useNavigate();
  const mayWrite = useMay('payments.create');
  return (
    <>
      <PageTitle title="Payment links" says="Ask a customer for money by link, QR code or paper" />
      {mayWrite && (
        <SectionCard title="New link">
          <CreateLink onMade={(id) => void navigate({ to: address(`links/${id}`) })} />
        </SectionCard>
      )}
      <h2>Links of the business</h2>
      <MadeLinks />
    </>
  );
};

const filters = {
  status: oneOf('Status', wordsOf(linkStatuses)),
  ...inPeriod,
  ...inStore,
  ...sortedBy,
  before: inAddress.text,
};

const MadeLinks = (): ReactNode => {
  const address = useAddress();
  const { filters: chosen, change, toolbar, isFiltered } = useFilters(filters);
  const { before: _, ...filtered } = chosen;
  const found = useOperation(
    listPaymentLinks,
    { query: { ...chosen, limit: pageSize } },
    { refetchEveryMs: lookEveryMs },
  );
  const added = useOperation(listPaymentLinks, {
    query: { ...filtered, limit: 1, totals: true },
  });
  return (
    <DataTable<Link>
      name="links"
      caption="Payment links of the business"
      toolbar={
        <>
          {toolbar}
          <ExportButton
            fileName="payment-links"
            columns={[...fileColumns(columns), ...idColumns]}
            readPage={readOn(listPaymentLinks, filtered)}
          />
        </>
      }
      totals={<ListTotals of={added.data?.totals} one="link" />}
      columns={columns}
      read={found}
      rowKey={({ paymentRequestId }) => paymentRequestId}
      rowLink={({ paymentRequestId }) => address(`links/${paymentRequestId}`)}
      pager={continueInAddress(chosen, found.data?.nextBefore, change)}
      empty={
        <EmptyState title={isFiltered ? 'No link matches' : 'No links yet'} icon="links">
          Write an amount and an order above. The link opens a payment page; mail it, send it by
          message, show its QR code or print it. Everyone in the business sees it here.
        </EmptyState>
      }
    />
  );
};

type CreateLinkProps = { readonly onMade: (paymentRequestId: string) => void };

const CreateLink = ({ onMade }: CreateLinkProps): ReactNode => {
  const [form, setForm] = useState(emptyForm);
  const create = useAct(requestPayment, { changes: [listPaymentLinks] });
  const body = requestOf(form);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!body || create.isPending) return;
    // What is refused is shown below the fields.
    const made = await create.mutateAsync({ body }).catch(() => null);
    if (!made) return;
    setForm(emptyForm);
    onMade(made.paymentRequestId);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <LinkFields form={form} onChange={(changes) => setForm({ ...form, ...changes })} />
      {create.error && <FailureNotice failure={create.error} />}
      <Group mt="md">
        <Button type="submit" disabled={!body} loading={create.isPending}>
          {body ? `Create a link for ${writePounds(Number(body.amount))}` : 'Create a link'}
        </Button>
      </Group>
    </form>
  );
};

type LinkFieldsProps = {
  readonly form: LinkForm;
  readonly onChange: (changes: Partial<LinkForm>) => void;
};

const LinkFields = ({ form, onChange }: LinkFieldsProps): ReactNode => {
  const isWrong = form.amount !== '' && !parsePounds(form.amount);
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} mb="md">
        <TextInput
          label="Amount in pounds"
          required
          inputMode="decimal"
          placeholder="12.50"
          {...typing(form.amount, (amount) => onChange({ amount }))}
          error={isWrong && 'Write an amount such as 12.50.'}
        />
        <TextInput
          label="Order"
          required
          maxLength={limits.referenceLength}
          placeholder="INV-1042"
          {...typing(form.orderId, (orderId) => onChange({ orderId }))}
        />
        <TextInput
          label="Your customer id"
          placeholder="The order, if left empty"
          maxLength={limits.referenceLength}
          {...typing(form.customerId, (customerId) => onChange({ customerId }))}
        />
        <TextInput
          label="Notes"
          placeholder="The customer sees them"
          maxLength={limits.notesLength}
          {...typing(form.notes, (notes) => onChange({ notes }))}
        />
        <NativeSelect
          label="Can be paid for"
          data={lives.map(({ value, label }) => ({ value, label }))}
          {...typing(form.life, (life) => onChange({ life }))}
        />
        <NativeSelect
          label="Paid by"
          data={methods.map((each) => ({ ...each }))}
          {...typing(form.method, (method) => onChange({ method }))}
        />
        <StoreField storeId={form.storeId} onChange={(storeId) => onChange({ storeId })} />
      </SimpleGrid>
      <Group gap="lg">
        <Checkbox
          label="Offer tips, as set for the business"
          {...ticking(form.tips, (tips) => onChange({ tips }))}
        />
        <Checkbox
          label="Several people may share it"
          {...ticking(form.split, (split) => onChange({ split }))}
        />
      </Group>
    </>
  );
};
