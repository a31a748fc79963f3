import { type BodyOf, limits, type ReplyOf } from '@florin/contract';
import {
  changeLimits,
  changeSettings,
  getSettings,
  setRefundApproval,
} from '@florin/contract/dashboard/index.ts';
import { Checkbox, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct, useMay, useMe, useOperation } from '../../call/use-operation.ts';
import { ActButton } from '../../parts/confirm-act.tsx';
import { NotRead } from '../../parts/failure-notice.tsx';
import { ticking, typing, useTyped } from '../../parts/fields.ts';
import { DetailList, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { parsePounds, writePounds, writePoundsFromPence } from '../../parts/numbers.ts';
import { MoneyText } from '../../parts/texts.tsx';
import { WithPreview } from './checkout-preview.tsx';
import { SaveForm } from './save-form.tsx';
import classes from './settings.module.css';

type Settings = ReplyOf<typeof getSettings>;
type Changes = BodyOf<typeof changeSettings>;

const fields = [
  {
    name: 'businessName',
    label: 'Business name',
    says: 'Customers see it on the checkout and on receipts.',
    max: limits.businessNameLength,
    isNeeded: true,
  },
  {
    name: 'ownerEmail',
    label: 'Your email address',
    says: 'For emails about your business. Customers do not see it.',
    max: limits.emailLength,
    type: 'email',
  },
  {
    name: 'supportEmail',
    label: 'Email address for customers',
    says: 'Shown when a payment needs help.',
    max: limits.emailLength,
    type: 'email',
  },
  {
    name: 'supportPhone',
    label: 'Phone number for customers',
    says: 'Such as +44 20 7946 0000.',
    max: limits.supportPhoneLength,
    type: 'tel',
  },
  {
    name: 'supportUrl',
    label: 'Help page for customers',
    says: 'An https address.',
    max: limits.urlLength,
    type: 'url',
  },
] as const;

/** Who the business is, for customers and for us. It is the same in both environments. */
export const ProfilePage = (): ReactNode => {
  const read = useOperation(getSettings);
  const { data: settings } = read;
  const [changes, setChanges] = useState<Changes>({});
  return (
    <>
      <PageTitle title="Profile" says="The same in sandbox and production." />
      <NotRead of={read} />
      {settings && (
        <WithPreview draft={previewOf(changes)}>
          <ProfileForm settings={settings} changes={changes} onChanges={setChanges} />
          <LimitsCard settings={settings} />
        </WithPreview>
      )}
    </>
  );
};

type ProfileFormProps = {
  readonly settings: Settings;
  readonly changes: Changes;
  readonly onChanges: (changes: Changes) => void;
};

const ProfileForm = ({ settings, changes, onChanges }: ProfileFormProps): ReactNode => {
  const mayWrite = useMay('settings.write');
  const save = useAct(changeSettings, { changes: [getSettings] });
  const type = (name: (typeof fields)[number]['name'], text: string): void => {
    const typed = text.trim() === '' && name !== 'businessName' ? null : text;
    const { [name]: _, ...others } = changes;
    onChanges(typed === settings[name] ? others : { ...others, [name]: typed });
  };
  const fieldOf = ({ name, label, says, max, ...more }: (typeof fields)[number]): ReactNode => (
    <TextInput
      key={name}
      label={name === 'ownerEmail' ? `${label} (optional)` : label}
      description={says}
      type={'type' in more ? more.type : 'text'}
      required={'isNeeded' in more}
      maxLength={max}
      disabled={!mayWrite}
      {...typing((name in changes ? changes : settings)[name] ?? '', (text) => type(name, text))}
    />
  );
  return (
    <SaveForm
      title="Profile"
      isChanged={Object.keys(changes).length > 0}
      isRight={changes.businessName?.trim() !== ''}
      act={save}
      onSave={() => save.mutate({ body: changes }, { onSuccess: () => onChanges({}) })}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {fields.filter(({ name }) => !name.startsWith('support')).map(fieldOf)}
      </SimpleGrid>
      <fieldset className={classes.group}>
        <legend>How customers reach you: at least one before you go live</legend>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {fields.filter(({ name }) => name.startsWith('support')).map(fieldOf)}
        </SimpleGrid>
      </fieldset>
    </SaveForm>
  );
};

const previewOf = ({ ownerEmail: _, ...seen }: Changes) => seen;

/** How much one payment may be, and what the operator decided. */
const LimitsCard = ({ settings }: { readonly settings: Settings }): ReactNode => {
  const mayWrite = useMay('settings.write');
  const mayLimitTeam = useMay('team.write');
  const operator = useMe().data?.operatorName ?? 'the operator';
  const isMost = settings.paymentLimit >= settings.paymentLimitMax;
  return (
    <SectionCard
      title="Limits"
      acts={
        <Group gap="sm">
          {mayWrite && !isMost && <ChangeLimit settings={settings} operator={operator} />}
          {mayLimitTeam && <ApprovalLimit above={settings.refundApprovalAbove} />}
        </Group>
      }
    >
      <DetailList
        of={[
          ['Largest payment', <MoneyText key="limit" pounds={settings.paymentLimit} />],
          [
            'You can raise it to',
            isMost ? null : <MoneyText key="max" pounds={settings.paymentLimitMax} />,
          ],
          ['Category', settings.categoryCode],
          ['Second person needed', approvalText(settings.refundApprovalAbove)],
        ]}
      />
      <p className="soft">
        {isMost && `This is the highest limit you can set. Only ${operator} can allow more. `}
        Only {operator} can change the category.
      </p>
    </SectionCard>
  );
};

const approvalText = (above: number | null): string =>
  above === null ? 'Never' : `Refunds over ${writePounds(above)}`;

type ChangeLimitProps = { readonly settings: Settings; readonly operator: string };

const ChangeLimit = ({ settings, operator }: ChangeLimitProps): ReactNode => {
  const [text, setText] = useState('');
  const change = useAct(changeLimits, { changes: [getSettings] });
  const pence = parsePounds(text);
  const isAbove = pence !== null && pence / 100 > settings.paymentLimitMax;
  const isRight = pence !== null && !isAbove;
  const amount = isRight ? writePoundsFromPence(pence) : '';
  return (
    <ActButton
      says="Change the limit"
      title="Most of one payment"
      act={`Allow payments up to ${amount}`.trim()}
      isReady={isRight}
      onConfirm={() => change.mutateAsync({ body: { paymentLimit: (pence ?? 0) / 100 } })}
      onOpen={() => setText('')}
    >
      <TextInput
        label="Pounds"
        description="Applies to new requests. Existing ones stay as they are."
        inputMode="decimal"
        placeholder={settings.paymentLimit.toFixed(2)}
        {...typing(text, setText)}
        error={errorOf(
          text,
          pence,
          isAbove && `${writePounds(settings.paymentLimitMax)}: only ${operator}`,
        )}
      />
    </ActButton>
  );
};

const errorOf = (text: string, pence: number | null, above: string | false): string | null => {
  if (above) return `At most ${above} can allow more.`;
  return text !== '' && pence === null ? 'Enter an amount such as 500.00.' : null;
};

/** Above which amount a refund needs a second person. */
const ApprovalLimit = ({ above }: { readonly above: number | null }): ReactNode => {
  const { typed, type, begin } = useTyped({
    isOn: above !== null,
    text: above === null ? '100.00' : above.toFixed(2),
  });
  const { isOn, text } = typed;
  const change = useAct(setRefundApproval, { changes: [getSettings] });
  const pence = parsePounds(text);
  const amount = pence === null ? '' : writePoundsFromPence(pence);
  const act = isOn
    ? `Refunds above ${amount} need a second person`
    : 'No refund needs a second person';
  const refundApprovalAbove = isOn && pence !== null ? pence / 100 : null;
  return (
    <ActButton
      says="Change the approval limit"
      title="Refunds that need a second person"
      act={act.trim()}
      isReady={!isOn || pence !== null}
      onConfirm={() => change.mutateAsync({ body: { refundApprovalAbove } })}
      onOpen={begin}
    >
      <Stack>
        <p>
          A member who refunds more of a payment, at once or in parts, proposes it and another owner
          or manager approves. Programs are not bound by this: they refund with an access secret.
        </p>
        <Checkbox
          label="Large refunds need a second person"
          {...ticking(isOn, (isOn) => type({ isOn }))}
        />
        {isOn && (
          <TextInput
            label="Refunds above, in pounds"
            inputMode="decimal"
            {...typing(text, (text) => type({ text }))}
            error={pence === null && 'Enter an amount such as 100.00.'}
          />
        )}
      </Stack>
    </ActButton>
  );
};
