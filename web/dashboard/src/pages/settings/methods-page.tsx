import type { ReactNode } from 'react';
import { DetailList, SectionCard } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { type OfOperator, SetByOperator, type Settings } from './set-by-operator.tsx';
import { methodSwitches } from './switch-words.ts';
import { Switches } from './switches.tsx';

/** How customers can pay, and how much. */
export const PaymentMethodsPage = (): ReactNode => (
  <SetByOperator title="Payment methods" says={() => 'How customers can pay, and how much'}>
    {({ settings, operator }) => (
      <>
        <Switches groups={methodSwitches} switches={settings.switches} operator={operator} />
        <Category settings={settings} operator={operator} />
      </>
    )}
  </SetByOperator>
);

const isMost = ({ paymentLimit, paymentLimitMax }: Settings): boolean =>
  paymentLimit >= paymentLimitMax;

const Category = ({
  settings,
  operator,
}: OfOperator & { readonly settings: Settings }): ReactNode => (
  <SectionCard title="Business">
    <DetailList
      of={[
        ['Category', `${settings.categoryCode} (ISO 18245)`],
        ['Largest payment', writePounds(settings.paymentLimit)],
        ['You can raise it to', isMost(settings) ? null : writePounds(settings.paymentLimitMax)],
      ]}
    />
    <p className="soft">
      Only {operator} can change the category{isMost(settings) && ', or allow larger payments'}.{' '}
      {!isMost(settings) && 'You can change the limit on the Profile page.'}
    </p>
  </SectionCard>
);
