import { setSandboxSwitches } from '@florin/contract';
import { getSettings } from '@florin/contract/dashboard/index.ts';
import type { ReactNode } from 'react';
import { useAct, useMay, useTenant } from '../../call/use-operation.ts';
import { SectionCard } from '../../parts/layout.tsx';
import type { OfOperator, Settings } from './set-by-operator.tsx';
import { SwitchList } from './switch-list.tsx';
import type { SwitchGroup } from './switch-words.ts';

type SwitchesProps = OfOperator & {
  readonly groups: readonly SwitchGroup[];
  readonly switches: Settings['switches'];
};

/** In the sandbox a member tries them; in production they are the operator's. */
export const Switches = ({ groups, switches, operator }: SwitchesProps): ReactNode => {
  const isSandbox = useTenant()?.environment === 'sandbox';
  const mayUse = useMay('sandbox.use');
  const set = useAct(setSandboxSwitches, { changes: [getSettings] });
  const ownWhy = mayUse ? '' : 'Your role cannot change this.';
  const whyFixed = isSandbox ? ownWhy : `Only ${operator} can change this.`;
  return (
    <>
      {groups.map(({ title, says, names }) => (
        <SectionCard key={title} title={title}>
          <p className="soft">{says}</p>
          <SwitchList
            {...{ names, switches, whyFixed }}
            onSwitch={(name, isOn) => set.mutateAsync({ body: { [name]: isOn } })}
          />
        </SectionCard>
      ))}
      {isSandbox && (
        <p className="soft">Try them here: production has its own, which {operator} sets.</p>
      )}
    </>
  );
};
