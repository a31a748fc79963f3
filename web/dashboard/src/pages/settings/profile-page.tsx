import { type BodyOf, limits, type ReplyOf } from '@florin/contract';
import { changeSettings, getSettings } from '@florin/contract/dashboard/index.ts';
import { SimpleGrid, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useMay } from '../../call/use-me.ts';
import { useAct, useOperation } from '../../call/use-operation.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { LimitsCard } from './limits-card.tsx';
import { WithPreview } from './preview/with-preview.tsx';
import { SaveForm } from './save-form.tsx';

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
    label: 'Your e-mail address',
    says: 'Where mail about your account goes. Customers do not see it.',
    max: limits.emailLength,
    type: 'email',
  },
  {
    name: 'supportEmail',
    label: 'E-mail address for customers',
    says: 'Shown when a payment needs help.',
    max: limits.emailLength,
    type: 'email',
  },
  {
    name: 'supportPhone',
    label: 'Telephone for customers',
    says: 'As in +44 20 7946 0000.',
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
  const { data: settings, error, refetch } = useOperation(getSettings);
  const [changes, setChanges] = useState<Changes>({});
  return (
    <>
      <PageTitle title="Business profile" says="The same in sandbox and production." />
      {error && <FailureNotice failure={error} onRetry={() => void refetch()} />}
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
  return (
    <SaveForm
      title="Profile"
      isChanged={Object.keys(changes).length > 0}
      isRight={changes.businessName?.trim() !== ''}
      isSaving={save.isPending}
      isSaved={save.isSuccess}
      failure={save.error}
      onSave={() => save.mutate({ body: changes }, { onSuccess: () => onChanges({}) })}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {fields.map(({ name, label, says, max, ...more }) => (
          <TextInput
            key={name}
            label={label}
            description={says}
            type={'type' in more ? more.type : 'text'}
            required={'isNeeded' in more}
            maxLength={max}
            disabled={!mayWrite}
            value={(name in changes ? changes[name] : settings[name]) ?? ''}
            onChange={({ currentTarget }) => type(name, currentTarget.value)}
          />
        ))}
      </SimpleGrid>
    </SaveForm>
  );
};

const previewOf = ({ ownerEmail: _, ...seen }: Changes) => seen;
