import type { ReactNode } from 'react';
import { DetailList, SectionCard } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { sentenceCase } from '../../parts/status-badge.tsx';
import { type OfOperator, type PaymentSettings, SetByOperator } from './set-by-operator.tsx';
import { payoutSwitches } from './switch-words.ts';
import { Switches } from './switches.tsx';

/** When money comes, and what is taken off. */
export const PayoutSettingsPage = (): ReactNode => (
  <SetByOperator
    title="Payouts and fees"
    says={(operator) => `Set by ${operator}, who runs this installation`}
  >
    {({ settings, more, operator }) => (
      <>
        <Payouts payouts={more.payouts} operator={operator} />
        <Switches groups={[payoutSwitches]} switches={settings.switches} operator={operator} />
      </>
    )}
  </SetByOperator>
);

const Payouts = ({
  payouts,
  operator,
}: OfOperator & { readonly payouts: PaymentSettings['payouts'] }): ReactNode => (
  <SectionCard title="Your payouts">
    <DetailList
      of={[
        ['Paid out', sentenceCase(payouts.settlementPeriod)],
        ['Cut-off', `${payouts.cutOff} London time`],
        ['Fee per payment', writePounds(payouts.feeFixed)],
        ['Percentage fee', `${payouts.feeBasisPoints / 100}%`],
      ]}
    />
    <p className="soft">Only {operator} can change this.</p>
  </SectionCard>
);
