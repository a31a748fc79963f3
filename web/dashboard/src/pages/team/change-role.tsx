import { changeRole, getMe, listTeam, type Role, roles } from '@florin/contract/dashboard/index.ts';
import { Button, NativeSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../call/use-operation.ts';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
import { roleMeanings, roleTitles } from './role-titles.ts';

type ChangeRoleProps = {
  readonly personId: string;
  readonly name: string;
  readonly role: Role;
};

/** Says what a role may do before it is given. */
export const ChangeRole = ({ personId, name, role }: ChangeRoleProps): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState(role);
  const change = useAct(changeRole, { changes: [listTeam, getMe] });
  const open = (): void => {
    setChosen(role);
    setIsOpen(true);
  };
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Change role of ${name}`}
        onClick={open}
      >
        Change role
      </Button>
      <ConfirmAct
        isOpen={isOpen}
        title={`Change the role of ${name}`}
        act={`Make ${name} ${roleTitles[chosen].toLowerCase()}`}
        isReady={chosen !== role}
        onConfirm={() => change.mutateAsync({ params: { personId }, body: { role: chosen } })}
        onClose={() => setIsOpen(false)}
      >
        <NativeSelect
          label="Role"
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value as Role)}
          data={roles.map((each) => ({ value: each, label: roleTitles[each] }))}
        />
        <p>
          {name} may then {roleMeanings[chosen]}. It holds at once.
        </p>
      </ConfirmAct>
    </>
  );
};
