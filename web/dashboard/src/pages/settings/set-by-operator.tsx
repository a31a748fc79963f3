import type { ReplyOf } from '@florin/contract';
import { getPaymentSettings, getSettings } from '@florin/contract/dashboard/index.ts';
import type { ReactNode } from 'react';
import { useMe, useOperation } from '../../call/use-operation.ts';
import { NotYet } from '../../parts/failure-notice.tsx';
import { PageTitle } from '../../parts/layout.tsx';

export type Settings = ReplyOf<typeof getSettings>;
export type PaymentSettings = ReplyOf<typeof getPaymentSettings>;

type Read = {
  readonly settings: Settings;
  readonly more: PaymentSettings;
  readonly operator: string;
};

type SetByOperatorProps = {
  readonly title: string;
  readonly says: (operator: string) => string;
  readonly children: (read: Read) => ReactNode;
};

/** A page of what the operator has set: who may change it, it says beside each. */
export const SetByOperator = ({ title, says, children }: SetByOperatorProps): ReactNode => {
  const read = useOperation(getSettings);
  const more = useOperation(getPaymentSettings);
  const operator = useMe().data?.operatorName ?? 'the operator';
  return (
    <>
      <PageTitle title={title} says={says(operator)} />
      {read.data && more.data ? (
        children({ settings: read.data, more: more.data, operator })
      ) : (
        <NotYet of={read.error ? read : more} />
      )}
    </>
  );
};

export type OfOperator = { readonly operator: string };
