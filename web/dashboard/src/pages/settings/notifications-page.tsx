import { limits, type ReplyOf } from '@florin/contract';
import {
  changeNotifications,
  getNotifications,
  type NotificationKind,
} from '@florin/contract/dashboard/index.ts';
import { Checkbox, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct, useMay, useMe, useOperation, useTenant } from '../../call/use-operation.ts';
import { ActForm } from '../../parts/act-form.tsx';
import { NotRead } from '../../parts/failure-notice.tsx';
import { ticking, typing } from '../../parts/fields.ts';
import { PageTitle, SectionCard } from '../../parts/layout.tsx';
import { StatementMails } from './statement-mails.tsx';

type Notifications = ReplyOf<typeof getNotifications>;

const titles: { readonly [Kind in NotificationKind]: readonly [title: string, says: string] } = {
  DISPUTE: ['A card payment is disputed', 'When it is opened, and when it is lost.'],
  PAYOUT_FAILED: ['A payout fails', 'The bank refused it, or sent it back.'],
  REFUND_PROPOSED: ['A refund waits for approval', 'It is more than one person may refund.'],
  REFUND_WAITS: ['A refund waits for an account', 'The bank did not say which account paid.'],
  PAYOUT_PAID: ['A payout is paid', 'With its amount and reference.'],
  SUSPENSION: ['The business is suspended or resumed', 'By the operator, with a reason.'],
  ENDPOINT_FAILING: ['A webhook endpoint fails', 'Once a day while it keeps failing.'],
};

/** Those about money come first. */
const order = Object.keys(titles);

const byMoney = (one: NotificationKind, other: NotificationKind): number =>
  order.indexOf(one) - order.indexOf(other);

/** Which mails the person gets about this business, in this environment. */
export const NotificationsPage = (): ReactNode => {
  const read = useOperation(getNotifications);
  const { data } = read;
  const { data: me } = useMe();
  const tenant = useTenant();
  const mayRead = useMay('settings.read');
  const isSandbox = tenant?.environment === 'sandbox';
  return (
    <>
      <PageTitle
        title="Notifications"
        says={
          `Emails to ${me?.email ?? 'you'} about ${isSandbox ? 'the sandbox' : 'production'}. ` +
          'Every member chooses their own.'
        }
      />
      {isSandbox && (
        <p className="soft">
          Sandbox emails are off until you turn them on. In production these are on until you turn
          them off.
        </p>
      )}
      <NotRead of={read} />
      {data && <Choose {...data} />}
      {mayRead && <StatementMails />}
    </>
  );
};

const Choose = ({
  kinds: before,
  allowed,
  failingHours: hoursBefore,
}: Notifications): ReactNode => {
  const save = useAct(changeNotifications, { changes: [getNotifications] });
  const [kinds, setKinds] = useState<readonly NotificationKind[]>(before);
  const [hours, setHours] = useState(String(hoursBefore));
  const submit = (): void =>
    save.mutate({ body: { kinds: [...kinds], failingHours: Number(hours) } });
  const isSame =
    kinds.toSorted().join() === before.toSorted().join() && hours === String(hoursBefore);
  if (allowed.length === 0) return <p className="soft">There are no emails for your role.</p>;
  return (
    <SectionCard title="Email me when">
      <ActForm
        act={save}
        submit="Save"
        isReady={!isSame}
        said={save.isSuccess && isSame && <p role="status">Saved.</p>}
        onSubmit={submit}
      >
        {allowed.toSorted(byMoney).map((kind) => (
          <Checkbox
            key={kind}
            label={titles[kind][0]}
            description={titles[kind][1]}
            {...ticking(kinds.includes(kind), (checked) =>
              setKinds(checked ? [...kinds, kind] : kinds.filter((each) => each !== kind)),
            )}
          />
        ))}
        {kinds.includes('ENDPOINT_FAILING') && (
          <TextInput
            label="Hours of failure before the first email"
            type="number"
            {...typing(hours, setHours)}
            min={1}
            max={limits.failingHoursMax}
            maw={320}
            required
          />
        )}
      </ActForm>
    </SectionCard>
  );
};
