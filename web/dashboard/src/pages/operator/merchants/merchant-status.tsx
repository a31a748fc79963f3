import {
  getMerchant,
  limits,
  listMerchants,
  suspendMerchant as operation,
  type ReplyOf,
  resumeMerchant,
  setMerchantSwitches,
} from '@florin/contract';
import { Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../../call/use-operation.ts';
import { ActButton } from '../../../parts/confirm-act.tsx';
import { typing } from '../../../parts/fields.ts';
import { SectionCard } from '../../../parts/layout.tsx';
import { EnvironmentBadge, StatusBadge } from '../../../parts/status-badge.tsx';
import { DateText } from '../../../parts/texts.tsx';
import { SwitchList } from '../../settings/switch-list.tsx';
import { switchNames } from '../../settings/switch-words.ts';
import type { Operated } from './merchant-page.tsx';
import classes from './merchant-status.module.css';

type Suspension = ReplyOf<typeof getMerchant>['suspensions'][number];

type MerchantSuspensionProps = {
  readonly of: Operated;
  readonly suspensions: readonly Suspension[];
};

/** Whether anything may start here, and every suspension there was. */
export const MerchantSuspension = ({ of, suspensions }: MerchantSuspensionProps): ReactNode => {
  const resume = useAct(resumeMerchant, { changes: [getMerchant, listMerchants] });
  const { environment, businessName } = of;
  const here = suspensions.filter((each) => each.environment.toLowerCase() === environment);
  const isSuspended = here.some(({ resumedAt }) => resumedAt === null);
  return (
    <SectionCard
      title="Status"
      acts={
        isSuspended ? (
          <ActButton
            says="Resume"
            variant="filled"
            title={`Resume ${businessName} in ${environment}`}
            act={`Resume ${businessName}`}
            onConfirm={() => resume.mutateAsync({ params: of })}
          >
            <p>
              Payments can be taken again at once. Held payouts go out with everything that has
              become payable since. Members who asked for these emails get one.
            </p>
          </ActButton>
        ) : (
          <SuspendMerchant of={of} />
        )
      }
    >
      <StatusBadge status={isSuspended ? 'SUSPENDED' : 'ACTIVE'} />
      {here.length > 0 && (
        <ul className={classes.list}>
          {here.map((each) => (
            <li key={each.suspendedAt}>
              <p className={classes.reason}>{each.reason}</p>
              <p className="soft">
                Suspended by {each.suspendedBy}, <DateText at={each.suspendedAt} />
                {each.resumedAt && (
                  <>
                    . Resumed by {each.resumedBy}, <DateText at={each.resumedAt} />
                  </>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
    </SectionCard>
  );
};

/** Nothing is stopped before what stops was read, and a reason was given. */
const SuspendMerchant = ({ of }: { readonly of: Operated }): ReactNode => {
  const [reason, setReason] = useState('');
  const suspend = useAct(operation, { changes: [getMerchant, listMerchants] });
  const { environment, businessName } = of;
  return (
    <ActButton
      says="Suspend"
      title={`Suspend ${businessName} in ${environment}`}
      act={`Suspend ${businessName}`}
      isDangerous
      isReady={reason.trim() !== ''}
      onConfirm={() => suspend.mutateAsync({ params: of, body: { reason: reason.trim() } })}
      onOpen={() => setReason('')}
    >
      <p>
        <b>Stops at once:</b> payment requests and payment links, payments that payers begin,
        charges of saved cards, the till, printed codes, new secrets and bank links. Payouts are
        held.
      </p>
      <p>
        <b>Continues:</b> payments already started are finished and reported. Refunds, captures and
        cancellations stay possible, so that payers can get their money back.
      </p>
      <Textarea
        label="Reason"
        description="Members of the business see it; payers do not"
        required
        autosize
        minRows={2}
        maxLength={limits.suspensionReasonLength}
        {...typing(reason, setReason)}
      />
      <p className="soft">
        Leave out what the law forbids them to know. You can resume the business at any time; both
        are recorded with your name.
      </p>
    </ActButton>
  );
};

type MerchantSwitchesProps = {
  readonly of: Operated;
  readonly switches: ReplyOf<typeof getMerchant>['switches'];
};

/** What a merchant may do. */
export const MerchantSwitches = ({ of, switches }: MerchantSwitchesProps): ReactNode => {
  const set = useAct(setMerchantSwitches, { changes: [getMerchant] });
  const { environment, businessName } = of;
  return (
    <SectionCard title="Switches" acts={<EnvironmentBadge environment={environment} />}>
      <SwitchList
        names={switchNames}
        switches={switches[environment === 'sandbox' ? 'SANDBOX' : 'PRODUCTION']}
        where={` for ${businessName} in ${environment}`}
        isProduction={environment === 'production'}
        onSwitch={(name, isOn) => set.mutateAsync({ params: of, body: { [name]: isOn } })}
      />
    </SectionCard>
  );
};
