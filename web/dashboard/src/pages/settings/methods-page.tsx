import { setSandboxSwitches } from '@florin/contract';
import { getSettings } from '@florin/contract/dashboard/index.ts';
import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAct, useMay, useTenant } from '../../call/use-operation.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { DetailList, SectionCard } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { type OfOperator, SetByOperator, type Settings } from './set-by-operator.tsx';
import classes from './settings.module.css';
import { describeSwitch, type SwitchName, saySwitch, switchGroups } from './switch-words.ts';

/** How customers can pay, and how much. */
export const PaymentMethodsPage = (): ReactNode => (
  <SetByOperator title="Payment methods" says={() => 'How customers can pay, and how much'}>
    {({ settings, operator }) => (
      <>
        <Switches switches={settings.switches} operator={operator} />
        <Category settings={settings} operator={operator} />
      </>
    )}
  </SetByOperator>
);

/** Beside each switch that cannot be moved. */
const sayWhyFixed = (isSandbox: boolean, operator: string): string =>
  isSandbox ? 'Your role cannot change this.' : `Only ${operator} can change this.`;

/** In the sandbox a member tries them; in production they are the operator's. */
const Switches = ({
  switches,
  operator,
}: OfOperator & { readonly switches: Settings['switches'] }): ReactNode => {
  const isSandbox = useTenant()?.environment === 'sandbox';
  const maySwitch = useMay('sandbox.use') && isSandbox;
  const set = useAct(setSandboxSwitches, { changes: [getSettings] });
  const whyFixed = maySwitch ? '' : sayWhyFixed(isSandbox, operator);
  const change = (name: SwitchName): void => set.mutate({ body: { [name]: !switches[name] } });
  return (
    <>
      {switchGroups.map(({ title, says, names }) => (
        <SectionCard key={title} title={title}>
          <p className="soft">{says}</p>
          <ul className={classes.switches}>
            {names.map((name) => (
              <li key={name}>
                <Switch
                  label={describeSwitch[name].title}
                  description={[saySwitch(name, switches[name]), whyFixed]
                    .filter(Boolean)
                    .join(' ')}
                  checked={switches[name]}
                  disabled={!maySwitch || set.isPending}
                  onChange={() => change(name)}
                />
              </li>
            ))}
          </ul>
        </SectionCard>
      ))}
      {set.error && <FailureNotice failure={set.error} />}
      {isSandbox && (
        <p className="soft">Try them here: production has its own, which {operator} sets.</p>
      )}
    </>
  );
};

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
