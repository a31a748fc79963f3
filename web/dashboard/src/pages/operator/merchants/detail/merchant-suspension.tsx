import { getMerchant, listMerchants, type ReplyOf, resumeMerchant } from '@florin/contract';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../../../call/use-operation.ts';
import { ConfirmAct } from '../../../../parts/confirm-act.tsx';
import { DateText } from '../../../../parts/date-text.tsx';
import { SectionCard } from '../../../../parts/section-card.tsx';
import { StatusBadge } from '../../../../parts/status-badge.tsx';
import classes from './merchant-suspension.module.css';
import { type Operated, paramsOf } from './operated.ts';
import { SuspendMerchant } from './suspend-merchant.tsx';

type Suspension = ReplyOf<typeof getMerchant>['suspensions'][number];

type MerchantSuspensionProps = {
  readonly of: Operated;
  readonly suspensions: readonly Suspension[];
};

/** Whether anything may start here, and every suspension there was. */
export const MerchantSuspension = ({ of, suspensions }: MerchantSuspensionProps): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const resume = useAct(resumeMerchant, { changes: [getMerchant, listMerchants] });
  const { environment, businessName } = of;
  const here = suspensions.filter((each) => each.environment.toLowerCase() === environment);
  const isSuspended = here.some(({ resumedAt }) => resumedAt === null);
  const close = (): void => setIsOpen(false);
  return (
    <SectionCard
      title="Status"
      acts={
        <Button variant={isSuspended ? 'filled' : 'default'} onClick={() => setIsOpen(true)}>
          {isSuspended ? 'Resume' : 'Suspend'}
        </Button>
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
      {isOpen && !isSuspended && <SuspendMerchant of={of} onClose={close} />}
      <ConfirmAct
        isOpen={isOpen && isSuspended}
        title={`Resume ${businessName} in ${environment}`}
        act={`Resume ${businessName}`}
        onConfirm={() => resume.mutateAsync({ params: paramsOf(of) })}
        onClose={close}
      >
        <p>
          Payments can be taken again at once. Payouts that were held go out with all that became
          payable meanwhile. It is mailed to the members who get such mails.
        </p>
      </ConfirmAct>
    </SectionCard>
  );
};
