import { changeSecret, createSecret, listSecrets } from '@florin/contract/dashboard/index.ts';
import { Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../../call/use-operation.ts';
import { ConfirmAct } from '../../../parts/confirm-act.tsx';
import type { Secret } from './secret.ts';

type SecretFormProps = {
  readonly of: Secret | 'NEW';
  readonly onMinted: (secret: string) => void;
  readonly onClose: () => void;
};

/** Name, return address and web origins; of a new one also what it may. */
export const SecretForm = ({ of, onMinted, onClose }: SecretFormProps): ReactNode => {
  const known = of === 'NEW' ? null : of;
  const [name, setName] = useState(known?.name ?? '');
  const [redirectUrl, setRedirectUrl] = useState(known?.redirectUrl ?? '');
  const [origins, setOrigins] = useState(known?.webOrigins.join('\n') ?? '');
  const [scope, setScope] = useState<'READ' | 'READ_WRITE'>('READ_WRITE');
  const changes = { changes: [listSecrets] };
  const create = useAct(createSecret, changes);
  const change = useAct(changeSecret, changes);
  const save = async (): Promise<void> => {
    const body = {
      name: name.trim(),
      redirectUrl: redirectUrl.trim() || null,
      webOrigins: origins.split(/\s+/).filter((origin) => origin !== ''),
    };
    if (known) await change.mutateAsync({ params: { secretId: known.secretId }, body });
    else onMinted((await create.mutateAsync({ body: { ...body, scope } })).secret);
  };
  return (
    <ConfirmAct
      isOpen
      title={known ? `Change ${known.name}` : 'New access secret'}
      act={known ? 'Save' : 'Create secret'}
      isReady={name.trim() !== ''}
      onClose={onClose}
      onConfirm={save}
    >
      <Stack gap="md">
        <TextInput
          label="Name"
          description="Of the program that uses it: letters, digits and spaces."
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {!known && (
          <Radio.Group
            label="It may"
            value={scope}
            onChange={(value) => setScope(value === 'READ' ? 'READ' : 'READ_WRITE')}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="READ_WRITE" label="Read and write" />
              <Radio value="READ" label="Only read" />
            </Stack>
          </Radio.Group>
        )}
        <TextInput
          label="Customers return to"
          description="Where customers go whose request names no address."
          value={redirectUrl}
          onChange={({ currentTarget }) => setRedirectUrl(currentTarget.value)}
        />
        <Textarea
          label="Web pages that may call"
          description="One origin a line, as in https://shop.example."
          autosize
          minRows={2}
          value={origins}
          onChange={({ currentTarget }) => setOrigins(currentTarget.value)}
        />
      </Stack>
    </ConfirmAct>
  );
};
