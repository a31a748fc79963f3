import {
  listSigningSecrets,
  promoteSigning,
  rotateSigning,
  stageSigning,
} from '@florin/contract/dashboard/index.ts';
import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useMay } from '../../../call/use-me.ts';
import { useAct, useOperation } from '../../../call/use-operation.ts';
import { ConfirmAct } from '../../../parts/confirm-act.tsx';
import { DateText } from '../../../parts/date-text.tsx';
import { SectionCard } from '../../../parts/section-card.tsx';
import { ShownOnce } from '../secrets/shown-once.tsx';

const roleWords = {
  CURRENT: 'signs every delivery',
  PREVIOUS: 'signs beside the new one until',
  NEXT: 'is ready to be tested; signs X-Service-Signature-Next',
} as const;

/** What signs deliveries. The secret itself is shown when it is made, and never again. */
export const SigningSecretCard = (): ReactNode => {
  const { data } = useOperation(listSigningSecrets);
  const mayWrite = useMay('webhooks.write');
  const [isOpen, setIsOpen] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const changes = { changes: [listSigningSecrets] };
  const rotate = useAct(rotateSigning, changes);
  const stage = useAct(stageSigning, changes);
  const promote = useAct(promoteSigning, changes);
  if (!data) return null;
  const has = (role: string) => data.data.some((each) => each.role === role);
  const make = async (act: typeof rotate | typeof stage): Promise<void> =>
    setSecret((await act.mutateAsync({ body: {} })).signingSecret);
  return (
    <SectionCard title="Signing secret">
      {data.data.length === 0 ? (
        <p>Without one, deliveries carry the older signatures made with an access secret.</p>
      ) : (
        <ul>
          {data.data.map(({ role, createdAt, expiresAt }) => (
            <li key={`${role} ${createdAt}`}>
              The one of <DateText at={createdAt} /> {roleWords[role]}{' '}
              {expiresAt && <DateText at={expiresAt} />}
            </li>
          ))}
        </ul>
      )}
      {secret && <ShownOnce secret={secret} what="signing secret" />}
      {mayWrite && (
        <Group gap="sm" mt="md">
          <Button variant="default" onClick={() => setIsOpen(true)}>
            {has('CURRENT') ? 'Replace it now' : 'Create signing secret'}
          </Button>
          {has('CURRENT') && (
            <Button variant="default" onClick={() => void make(stage)} loading={stage.isPending}>
              Stage the next one
            </Button>
          )}
          {has('NEXT') && (
            <Button
              variant="default"
              onClick={() => promote.mutate({ body: {} })}
              loading={promote.isPending}
            >
              Sign with the staged one
            </Button>
          )}
        </Group>
      )}
      <ConfirmAct
        isOpen={isOpen}
        title={has('CURRENT') ? 'Replace the signing secret' : 'Create the signing secret'}
        act={has('CURRENT') ? 'Replace' : 'Create'}
        onClose={() => setIsOpen(false)}
        onConfirm={() => make(rotate)}
      >
        <p>
          {has('CURRENT')
            ? 'The old one signs beside the new one for 24 hours, so that your server can change over.'
            : 'Every delivery is signed with it from now on, and no longer with an access secret.'}
        </p>
      </ConfirmAct>
    </SectionCard>
  );
};
