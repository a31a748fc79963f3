import { listInstitutions } from '@florin/contract';
import { Button, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useOperation } from '../../call/use-operation.ts';
import { parsePounds } from '../../parts/amounts.ts';
import { ChoiceMenu, PeriodFields, SearchField } from '../../parts/filter-fields.tsx';
import { describeStatus } from '../../parts/status-badge.tsx';
import {
  hasPaymentFilters,
  type PaymentFilters,
  paymentMethods,
  paymentStatuses,
} from '../../routes/tenant-filters.ts';

type PaymentFilterBarProps = {
  readonly filters: PaymentFilters;
  readonly onChange: (changes: PaymentFilters) => void;
};

const statusChoices = paymentStatuses.map((value) => ({
  value,
  label: describeStatus(value).words,
}));

const methodWords = { PAY_BY_BANK: 'Bank', CARD: 'Card' } as const;
const methodChoices = paymentMethods.map((value) => ({ value, label: methodWords[value] }));

const none: PaymentFilters = {
  search: undefined,
  status: undefined,
  method: undefined,
  bank: undefined,
  min: undefined,
  max: undefined,
  from: undefined,
  to: undefined,
};

export const PaymentFilterBar = ({ filters, onChange }: PaymentFilterBarProps): ReactNode => {
  const { search = '', status = [], method, bank = [], min, max, from, to } = filters;
  const banks = useOperation(listInstitutions).data ?? [];
  return (
    <>
      <SearchField
        label="Order, customer, amount or id"
        value={search}
        onSearch={(text) => onChange({ search: text || undefined })}
      />
      <ChoiceMenu
        label="Status"
        choices={statusChoices}
        chosen={status}
        onChoose={(chosen) => onChange({ status: chosen.length > 0 ? chosen : undefined })}
      />
      <ChoiceMenu
        label="Paid by"
        choices={methodChoices}
        chosen={method ? [method] : []}
        onChoose={(chosen) => onChange({ method: chosen.at(-1) })}
      />
      {(banks.length > 0 || bank.length > 0) && (
        <ChoiceMenu
          label="Bank"
          choices={banks.map(({ id, name }) => ({ value: id, label: name }))}
          chosen={bank}
          onChoose={(chosen) => onChange({ bank: chosen.length > 0 ? chosen : undefined })}
        />
      )}
      <AmountField label="From £" value={min} onAmount={(pounds) => onChange({ min: pounds })} />
      <AmountField label="To £" value={max} onAmount={(pounds) => onChange({ max: pounds })} />
      <PeriodFields period={{ from, to }} onChange={onChange} />
      {hasPaymentFilters(filters) && (
        <Button variant="subtle" onClick={() => onChange(none)}>
          Clear
        </Button>
      )}
    </>
  );
};

type AmountFieldProps = {
  readonly label: string;
  /** In pounds. */
  readonly value: number | undefined;
  readonly onAmount: (pounds: number | undefined) => void;
};

const afterTypingMs = 400;

/** Pounds as people write them: 12, 12.5 or £1,234.50. */
const AmountField = ({ label, value, onAmount }: AmountFieldProps): ReactNode => {
  const [text, setText] = useState(write(value));
  const pence = parsePounds(text);
  const isWrong = text.trim() !== '' && pence === null;
  const sent = useRef(value);
  const choose = useDebouncedCallback((pounds: number | undefined) => {
    sent.current = pounds;
    onAmount(pounds);
  }, afterTypingMs);
  // The way back changes the text. Our own amount, shown late, takes no digit that was typed since.
  useEffect(() => {
    if (value !== sent.current) setText(write(value));
    sent.current = value;
  }, [value]);
  return (
    <TextInput
      aria-label={label}
      inputMode="decimal"
      maxLength={12}
      w="8.5rem"
      leftSection={<span className="soft">{label}</span>}
      leftSectionWidth="3.75rem"
      leftSectionPointerEvents="none"
      value={text}
      error={isWrong ? 'Pounds, such as 12.50' : undefined}
      onChange={({ currentTarget }) => {
        const typed = currentTarget.value;
        setText(typed);
        if (typed.trim() === '' || parsePounds(typed) !== null) choose(poundsOf(typed));
      }}
    />
  );
};

const poundsOf = (text: string): number | undefined => {
  const pence = parsePounds(text);
  return pence === null ? undefined : pence / 100;
};

const write = (pounds: number | undefined): string => (pounds === undefined ? '' : String(pounds));
