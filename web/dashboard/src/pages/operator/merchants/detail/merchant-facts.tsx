import type { getMerchant, ReplyOf } from '@florin/contract';
import type { ReactNode } from 'react';
import { CopyText } from '../../../../parts/copy-text.tsx';
import { DetailList } from '../../../../parts/detail-list.tsx';
import { MoneyText } from '../../../../parts/money-text.tsx';
import { SectionCard } from '../../../../parts/section-card.tsx';

type MerchantFactsProps = { readonly merchant: ReplyOf<typeof getMerchant> };

/** Of the business, in both environments. */
export const MerchantFacts = ({ merchant }: MerchantFactsProps): ReactNode => (
  <SectionCard title="Business">
    <DetailList
      of={[
        ['Owner', merchant.ownerEmail],
        ['Category', merchant.categoryCode],
        ['Most of one payment', <MoneyText key="limit" pounds={merchant.paymentLimit} />],
        [
          'Paid means',
          merchant.completedAtSettlement
            ? 'The bank reports that money moved'
            : 'The bank accepted',
        ],
        ['Support e-mail', merchant.supportEmail],
        ['Support phone', merchant.supportPhone],
        ['Support page', merchant.supportUrl],
        ['Merchant id', <CopyText key="id" text={merchant.merchantId} what="merchant id" />],
      ]}
    />
  </SectionCard>
);
