import type { ReplyOf } from '@florin/contract';
import { setSandboxSwitches } from '@florin/contract';
import { getPaymentSettings, getSettings } from '@florin/contract/dashboard/index.ts';
import { Switch } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  useAct,
  useAddress,
  useMay,
  useMe,
  useOperation,
  useTenant,
} from '../../call/use-operation.ts';
import { Icon } from '../../design/icon.tsx';
import { FailureNotice, NotYet } from '../../parts/failure-notice.tsx';
import { DetailList, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { countOf, writePounds } from '../../parts/numbers.ts';
import { sentenceCase } from '../../parts/status-badge.tsx';
import classes from './payments-page.module.css';
import { describeSwitch, type SwitchName, saySwitch, switchNames } from './switch-words.ts';

type Settings = ReplyOf<typeof getSettings>;
type PaymentSettings = ReplyOf<typeof getPaymentSettings>;

/** How money comes and goes: what is set, who may change it, and what production still needs. */
export const PaymentSettingsPage = (): ReactNode => {
  const read = useOperation(getSettings);
  const more = useOperation(getPaymentSettings);
  const operator = useMe().data?.operatorName ?? 'the operator';
  return (
    <>
      <PageTitle
        title="Payouts and fees"
        says={`What ${operator}, who runs this installation, has set for you`}
      />
      {read.data && more.data ? (
        <>
          <Payouts payouts={more.data.payouts} operator={operator} />
          <Readiness production={more.data.production} settings={read.data} operator={operator} />
          <Switches switches={read.data.switches} operator={operator} />
          <Category settings={read.data} operator={operator} />
        </>
      ) : (
        <NotYet of={read.error ? read : more} />
      )}
    </>
  );
};

type Check = {
  readonly isDone: boolean;
  readonly says: string;
  /** Production works without it. */
  readonly isOptional?: boolean;
  /** What is to be done, where it is not. */
  readonly else: ReactNode;
};

const icons = { good: 'check', warn: 'warning', calm: 'plus' } as const;

const toneOf = (isDone: boolean, isOptional = false): keyof typeof icons => {
  if (isDone) return 'good';
  return isOptional ? 'calm' : 'warn';
};

type ReadinessProps = {
  readonly production: PaymentSettings['production'];
  readonly settings: Settings;
  readonly operator: string;
};

const Readiness = ({ production, settings, operator }: ReadinessProps): ReactNode => {
  const address = useAddress();
  const { data: me } = useMe();
  const tenant = useTenant();
  // In production are its own accounts and secrets.
  const inProduction = (path: string): string => address(path).replace('/sandbox/', '/production/');
  const there = (path: string, words: string): ReactNode =>
    production.isAdmitted ? <Link to={inProduction(path)}>{words}</Link> : words;
  const { supportEmail, supportPhone, supportUrl } = settings;
  const checks: readonly Check[] = [
    {
      isDone: me?.emailVerified ?? false,
      says: 'A confirmed email address',
      else: 'Open the link in the mail that we sent you.',
    },
    {
      isDone: Boolean(supportEmail ?? supportPhone ?? supportUrl),
      says: 'A contact for customers',
      else: <Link to={address('settings/profile')}>Enter an address, a telephone or a page</Link>,
    },
    {
      isDone: production.isAdmitted,
      says: 'Access to production',
      else: `Only ${operator} can let you in: ask them.`,
    },
    {
      isDone: production.hasAccount,
      says: 'A bank account for each store',
      else: there('settings/stores', 'Set the account of each store in production'),
    },
    {
      isDone: production.hasSecret,
      says: 'A secret for your program',
      isOptional: true,
      else: there('developers/secrets', 'Create a secret in production'),
    },
    {
      isDone: production.hasEndpoint,
      says: 'A webhook endpoint for your program',
      isOptional: true,
      else: there('developers/webhooks', 'Add a webhook endpoint in production'),
    },
    {
      isDone: production.hasCards,
      says: 'Card payments',
      isOptional: true,
      else: `Only ${operator} can enter the keys of your card processor.`,
    },
  ];
  const missing = checks.filter(({ isDone, isOptional }) => !isDone && !isOptional).length;
  return (
    <SectionCard
      title={tenant?.environment === 'production' ? 'Production' : 'Ready for production'}
    >
      <p className="soft">
        {missing === 0 ? 'Nothing is missing.' : `${countOf(missing, 'thing')} still to do.`}
      </p>
      <ul className={classes.checks}>
        {checks.map(({ isDone, says, isOptional, else: todo }) => (
          <li key={says} data-tone={toneOf(isDone, isOptional)}>
            <Icon name={icons[toneOf(isDone, isOptional)]} size={18} />
            <span>
              <strong>{says}</strong>
              {isOptional && <span className="soft"> Optional</span>}
              <span className="unseen">{isDone ? ': done' : ': to do'}</span>
              {!isDone && <span className={classes.todo}>{todo}</span>}
            </span>
          </li>
        ))}
      </ul>
    </SectionCard>
  );
};

type OfOperator = { readonly operator: string };

const OnlyOperator = ({ operator }: OfOperator): ReactNode => (
  <p className="soft">Only {operator} can change this: ask them.</p>
);

const Payouts = ({
  payouts,
  operator,
}: OfOperator & { readonly payouts: PaymentSettings['payouts'] }): ReactNode => (
  <SectionCard title="Payouts and fees">
    <DetailList
      of={[
        ['Paid out', sentenceCase(payouts.settlementPeriod)],
        ['A period ends at', `${payouts.cutOff} in London`],
        ['Fee of each payment', writePounds(payouts.feeFixed)],
        ['Percentage fee', `${payouts.feeBasisPoints / 100}%`],
      ]}
    />
    <OnlyOperator operator={operator} />
  </SectionCard>
);

/** In the sandbox a member tries them; in production they are the operator's. */
const Switches = ({
  switches,
  operator,
}: OfOperator & { readonly switches: Settings['switches'] }): ReactNode => {
  const isSandbox = useTenant()?.environment === 'sandbox';
  const maySwitch = useMay('sandbox.use') && isSandbox;
  const set = useAct(setSandboxSwitches, { changes: [getSettings] });
  const change = (name: SwitchName): void => set.mutate({ body: { [name]: !switches[name] } });
  return (
    <SectionCard title="Methods and switches">
      <p className="soft">
        Customers may always pay by bank, and try again after a failure unless a request says
        otherwise (allowRetry).
      </p>
      <ul className={classes.switches}>
        {switchNames.map((name) => (
          <li key={name}>
            <Switch
              label={describeSwitch[name].title}
              description={saySwitch(name, switches[name])}
              checked={switches[name]}
              disabled={!maySwitch || set.isPending}
              onChange={() => change(name)}
            />
          </li>
        ))}
      </ul>
      {set.error && <FailureNotice failure={set.error} />}
      {isSandbox ? (
        <p className="soft">Try them here: production has its own, which {operator} sets.</p>
      ) : (
        <OnlyOperator operator={operator} />
      )}
    </SectionCard>
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
        ['You may raise it to', isMost(settings) ? null : writePounds(settings.paymentLimitMax)],
      ]}
    />
    <p className="soft">
      Only {operator} can change the category{isMost(settings) && ', or allow larger payments'}.{' '}
      {!isMost(settings) && 'You change the limit on the page Profile.'}
    </p>
  </SectionCard>
);
