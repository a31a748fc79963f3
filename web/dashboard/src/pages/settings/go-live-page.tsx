import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress, useMe, useTenant } from '../../call/use-operation.ts';
import { Icon } from '../../design/icon.tsx';
import { SectionCard } from '../../parts/layout.tsx';
import { countOf } from '../../parts/numbers.ts';
import { type PaymentSettings, SetByOperator, type Settings } from './set-by-operator.tsx';
import classes from './settings.module.css';

/** What production still needs. */
export const GoLivePage = (): ReactNode => (
  <SetByOperator title="Go live" says={() => 'What you need to take real payments'}>
    {({ settings, more, operator }) => (
      <Readiness production={more.production} settings={settings} operator={operator} />
    )}
  </SetByOperator>
);

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
      else: (
        <Link to={address('settings/profile')}>
          Add an email address, phone number or help page
        </Link>
      ),
    },
    {
      isDone: production.isAdmitted,
      says: 'Access to production',
      else: `Only ${operator} can let you in: contact them.`,
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
