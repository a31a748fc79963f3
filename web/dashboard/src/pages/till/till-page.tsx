import { limits, type ReplyOf } from '@florin/contract';
import { getTillTips, listTillSales, startTillSale } from '@florin/contract/dashboard/index.ts';
import { Button, Radio, SimpleGrid, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Tenant } from '../../call/tenant.ts';
import { useAct, useAddress, useOperation, useTenant } from '../../call/use-operation.ts';
import { amountColumn, type Column, DataTable } from '../../parts/data-table.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { typing } from '../../parts/fields.ts';
import { EmptyState, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { parsePounds, writePoundsFromPence } from '../../parts/numbers.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { StoreField } from '../../parts/store-field.tsx';
import { useContinued } from '../../parts/table-pager.tsx';
import { wordsOf } from './describe-sale.ts';
import { enterAmount, keyOf, keys, quickTips, type TipChoice, tipOf } from './enter-amount.ts';
import classes from './till.module.css';

export const TillPage = (): ReactNode => {
  const tenant = useTenant();
  return tenant && <Till tenant={tenant} />;
};

/** A cashier enters the amount; the next page shows the code that the payer scans. */
const Till = ({ tenant }: { readonly tenant: Tenant }): ReactNode => {
  const till = useTill(tenant);
  const address = useAddress();
  return (
    <>
      <PageTitle
        title="Till"
        says={
          <span className={classes.says}>
            Take a payment at the counter: the customer scans a code
          </span>
        }
      >
        <Link to={address('till/cash-up')}>Cash-up and shifts</Link>
      </PageTitle>
      <SectionCard title="New sale">
        <NewSale till={till} />
      </SectionCard>
      <SectionCard title={`Last sales of ${till.tillName}`}>
        <LastSales tillName={till.tillName} storeId={till.storeId} />
      </SectionCard>
    </>
  );
};

const NewSale = ({ till }: { readonly till: ReturnType<typeof useTill> }): ReactNode => {
  const address = useAddress();
  const navigate = useNavigate();
  const [pence, setPence] = useState(0);
  const [tip, setTip] = useState<TipChoice>('payer');
  const [typedTip, setTypedTip] = useState('');
  const [notes, setNotes] = useState('');
  const start = useAct(startTillSale, { changes: [listTillSales] });
  const tips = useOperation(getTillTips).data?.tips ?? null;
  const tipPence = tipOf(tip, pence, parsePounds(typedTip), tips);
  const total = pence + (tipPence ?? 0);
  const isReady =
    pence >= limits.paymentAmountPenceMin && tipPence !== null && till.tillName.trim() !== '';
  const show = async (): Promise<void> => {
    if (!isReady || start.isPending) return;
    const body = {
      amount: pence / 100,
      tillName: till.tillName.trim(),
      ...(tipPence !== undefined && { tipAmount: tipPence / 100 }),
      ...(till.storeId && { storeId: till.storeId }),
      ...(notes.trim() && { notes: notes.trim() }),
    };
    // What is refused is shown below the fields.
    const sale = await start.mutateAsync({ body }).catch(() => null);
    if (sale) await navigate({ to: address(`till/${sale.paymentRequestId}`) });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void show();
  };
  return (
    <form className={classes.till} onSubmit={submit}>
      <Keypad pence={pence} onChange={setPence} onEnter={() => void show()} />
      <div className={classes.beside}>
        <TipFields
          choice={tip}
          typed={typedTip}
          quick={quickTips(tips)}
          onChoose={setTip}
          onType={setTypedTip}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} className={classes.fields ?? ''}>
          <StoreField storeId={till.storeId} onChange={(storeId) => till.change({ storeId })} />
          <TextInput
            label="This till"
            maxLength={limits.tillNameLength}
            {...typing(till.tillName, (tillName) => till.change({ tillName }))}
          />
          <TextInput
            label="Note (optional)"
            placeholder="Shown to the customer"
            maxLength={limits.notesLength}
            {...typing(notes, setNotes)}
          />
        </SimpleGrid>
        {start.error && <FailureNotice failure={start.error} />}
      </div>
      <Button
        className={classes.main ?? ''}
        type="submit"
        size="xl"
        disabled={!isReady}
        loading={start.isPending}
      >
        {isReady ? `Show code for ${writePoundsFromPence(total)}` : 'Show code'}
      </Button>
    </form>
  );
};

type TipFieldsProps = {
  readonly choice: TipChoice;
  readonly typed: string;
  /** The tips of the settings. */
  readonly quick: readonly string[];
  readonly onChoose: (choice: TipChoice) => void;
  readonly onType: (typed: string) => void;
};

const TipFields = ({ choice, typed, quick, onChoose, onType }: TipFieldsProps): ReactNode => (
  <>
    <Radio.Group label="Tip" value={choice} onChange={onChoose}>
      <div className={classes.tips}>
        <Radio value="payer" label="Customer chooses" />
        <Radio value="none" label="None" />
        {quick.map((label, at) => (
          <Radio key={label} value={String(at)} label={label} />
        ))}
        <Radio value="other" label="Other amount" />
      </div>
    </Radio.Group>
    {choice === 'other' && (
      <TextInput
        label="Tip in pounds"
        inputMode="decimal"
        placeholder="2.50"
        {...typing(typed, onType)}
        error={typed !== '' && parsePounds(typed) === null && 'Enter an amount such as 2.50.'}
      />
    )}
  </>
);

type KeypadProps = {
  readonly pence: number;
  readonly onChange: (pence: number) => void;
  /** Enter, where no button has the focus. */
  readonly onEnter: () => void;
};

/** The amount with large keys; a keyboard types it from anywhere but a field. */
const Keypad = ({ pence, onChange, onEnter }: KeypadProps): ReactNode => {
  const latest = useRef({ pence, onChange, onEnter });
  latest.current = { pence, onChange, onEnter };
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isWithin(event, 'input:not([type=radio]), textarea, select, [role=dialog]')) return;
      const key = keyOf(event.key);
      if (key) latest.current.onChange(enterAmount(latest.current.pence, key));
      else if (event.key === 'Enter' && !isWithin(event, 'button, a, input'))
        latest.current.onEnter();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <fieldset className={classes.keypad}>
      <legend className="unseen">Amount</legend>
      <output className={classes.amount} aria-label="Amount" aria-live="polite">
        {writePoundsFromPence(pence)}
      </output>
      <p className={`soft ${classes.how}`}>Type or tap the amount; Enter shows the code</p>
      <div className={classes.keys}>
        {keys.map((key) => (
          <button
            key={key}
            type="button"
            className={classes.key}
            aria-label={key === 'back' ? 'Delete the last digit' : undefined}
            onClick={() => onChange(enterAmount(pence, key))}
          >
            {key === 'back' ? '⌫' : key}
          </button>
        ))}
      </div>
    </fieldset>
  );
};

/** With Control and the like a key is the browser's. */
const isWithin = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent, selector: string): boolean =>
  ctrlKey || metaKey || altKey || (target instanceof Element && target.closest(selector) !== null);

type Sale = ReplyOf<typeof listTillSales>['data'][number];

const pageSize = 10;
const lookEveryMs = 5_000;

const columns: readonly Column<Sale>[] = [
  amountColumn(({ amount, tipAmount }) => amount + (tipAmount ?? 0)),
  {
    id: 'status',
    title: 'Status',
    isMain: true,
    cell: (sale) => <StatusBadge status={sale.status} words={wordsOf(sale)} />,
  },
  { id: 'order', title: 'Order', cell: ({ orderId }) => orderId },
  { id: 'notes', title: 'Note', cell: ({ notes }) => notes },
  { id: 'by', title: 'Sold by', cell: ({ madeBy }) => madeBy },
  { id: 'at', title: 'At', at: ({ createdAt }) => createdAt },
];

const LastSales = ({ tillName, storeId }: StoredTill): ReactNode => {
  const address = useAddress();
  const list = useContinued();
  const named = tillName.trim();
  const found = useOperation(
    listTillSales,
    {
      query: {
        limit: pageSize,
        ...(named && { tillName: named }),
        ...(storeId && { storeId }),
        before: list.before,
      },
    },
    { refetchEveryMs: lookEveryMs },
  );
  return (
    <DataTable<Sale>
      isPlain
      name="till-sales"
      caption="Sales of this till, the newest first"
      columns={columns}
      read={found}
      rowKey={({ paymentRequestId }) => paymentRequestId}
      rowLink={({ paymentRequestId }) => address(`till/${paymentRequestId}`)}
      pager={list.pagerTo(found.data?.nextBefore)}
      empty={
        <EmptyState title="No sales yet" icon="till">
          Enter an amount and show the code. What this till has sold appears here.
        </EmptyState>
      }
    />
  );
};

type StoredTill = { readonly storeId: string; readonly tillName: string };

const first: StoredTill = { storeId: '', tillName: 'Till 1' };

/** Where this browser stands: remembered for the merchant and environment. */
const useTill = ({ merchantId, environment }: Tenant) => {
  const [till, setTill] = useLocalStorage<StoredTill>({
    key: `florin-till-${merchantId}-${environment}`,
    defaultValue: first,
    getInitialValueInEffect: false,
  });
  return { ...till, change: (changes: Partial<StoredTill>) => setTill({ ...till, ...changes }) };
};
