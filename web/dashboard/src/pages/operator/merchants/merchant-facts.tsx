import {
  admitToProduction,
  changeMerchant,
  type getMerchant,
  type ReplyOf,
  getMerchant as readMerchant,
} from '@florin/contract';
import { Group, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAct } from '../../../call/use-operation.ts';
import { ActButton } from '../../../parts/confirm-act.tsx';
import { typing, useTyped } from '../../../parts/fields.ts';
import { DetailList, SectionCard } from '../../../parts/layout.tsx';
import { countOf, parsePounds } from '../../../parts/numbers.ts';
import { CopyText, MoneyText } from '../../../parts/texts.tsx';

type MerchantFactsProps = { readonly merchant: ReplyOf<typeof getMerchant> };

/** Of the business, in both environments. */
export const MerchantFacts = ({ merchant }: MerchantFactsProps): ReactNode => (
  <SectionCard
    title="Business"
    acts={
      <Group gap="sm">
        <ChangeBusiness merchant={merchant} />
        <Admit merchant={merchant} />
      </Group>
    }
  >
    <DetailList
      of={[
        ['Owner', merchant.ownerEmail],
        ['Category', merchant.categoryCode],
        ['Largest payment', <MoneyText key="limit" pounds={merchant.paymentLimit} />],
        [
          'Paid means',
          merchant.completedAtSettlement
            ? 'The bank reports that money moved'
            : 'The bank accepted',
        ],
        ['Support email', merchant.supportEmail],
        ['Support phone', merchant.supportPhone],
        ['Support page', merchant.supportUrl],
        ['Merchant id', <CopyText key="id" text={merchant.merchantId} what="merchant id" />],
      ]}
    />
    <p className="soft">
      Card processor keys are entered only on the server, with{' '}
      <span className="code">npm run card-account</span>.
    </p>
  </SectionCard>
);

/** What members cannot change themselves. */
const ChangeBusiness = ({ merchant }: MerchantFactsProps): ReactNode => {
  const { merchantId, businessName } = merchant;
  const { typed, type, begin } = useTyped({
    categoryCode: merchant.categoryCode,
    limit: merchant.paymentLimit.toFixed(2),
  });
  const change = useAct(changeMerchant, { changes: [readMerchant] });
  const pence = parsePounds(typed.limit);
  const isCategory = /^\d{4}$/.test(typed.categoryCode);
  const body = { categoryCode: typed.categoryCode, paymentLimit: (pence ?? 0) / 100 };
  return (
    <ActButton
      size="compact-sm"
      says="Change"
      label="Change category and limit"
      title={`Category and limit of ${businessName}`}
      act="Change the business"
      isReady={isCategory && pence !== null}
      onConfirm={() => change.mutateAsync({ params: { merchantId }, body })}
      onOpen={begin}
    >
      <Stack>
        <TextInput
          label="Category"
          description="Four-digit ISO 18245 code, passed to banks and cards"
          inputMode="numeric"
          maxLength={4}
          {...typing(typed.categoryCode, (categoryCode) => type({ categoryCode }))}
          error={!isCategory && 'Enter four digits such as 5812.'}
        />
        <TextInput
          label="Largest payment, in pounds"
          inputMode="decimal"
          {...typing(typed.limit, (limit) => type({ limit }))}
          error={pence === null && 'Enter an amount such as 500.00.'}
        />
      </Stack>
    </ActButton>
  );
};

/** Of a business that signed itself up. */
const Admit = ({ merchant: { merchantId, businessName } }: MerchantFactsProps): ReactNode => {
  const admit = useAct(admitToProduction);
  const { data } = admit;
  return (
    <>
      <ActButton
        size="compact-sm"
        says="Let into production"
        title={`Let ${businessName} into production`}
        act="Let its people into production"
        onConfirm={() => admit.mutateAsync({ params: { merchantId } })}
      >
        <p>
          Everyone on its team can then work in production, according to their role. Payments there
          need a bank account, which an owner sets.
        </p>
      </ActButton>
      <span role="status" className="soft">
        {data && `${countOf(data.admitted, 'person', 'people')} let in.`}
      </span>
    </>
  );
};
