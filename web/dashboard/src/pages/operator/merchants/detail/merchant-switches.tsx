import { getMerchant, type ReplyOf, setMerchantSwitches } from '@florin/contract';
import { Switch } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../../../call/use-operation.ts';
import { ConfirmAct } from '../../../../parts/confirm-act.tsx';
import { EnvironmentBadge } from '../../../../parts/environment-badge.tsx';
import { SectionCard } from '../../../../parts/section-card.tsx';
import { describeSwitch, type SwitchName, switchNames } from './describe-switch.ts';
import classes from './merchant-switches.module.css';
import { type Operated, paramsOf } from './operated.ts';

type MerchantSwitchesProps = {
  readonly of: Operated;
  readonly switches: ReplyOf<typeof getMerchant>['switches'];
};

/** What a merchant may do. Nothing is switched before its effect was read. */
export const MerchantSwitches = ({ of, switches }: MerchantSwitchesProps): ReactNode => {
  const [chosen, setChosen] = useState<SwitchName | null>(null);
  const set = useAct(setMerchantSwitches, { changes: [getMerchant] });
  const { environment, businessName } = of;
  const current = switches[environment === 'sandbox' ? 'SANDBOX' : 'PRODUCTION'];
  const goesOn = chosen !== null && !current[chosen];
  const { title, on, off } = describeSwitch[chosen ?? 'cardsEnabled'];
  const act = `Switch ${title.toLowerCase()} ${goesOn ? 'on' : 'off'}`;
  return (
    <SectionCard title="Switches" acts={<EnvironmentBadge environment={environment} />}>
      <ul className={classes.list}>
        {switchNames.map((name) => (
          <li key={name}>
            <Switch
              label={describeSwitch[name].title}
              description={current[name] ? describeSwitch[name].on : describeSwitch[name].off}
              checked={current[name]}
              onChange={() => setChosen(name)}
            />
          </li>
        ))}
      </ul>
      <ConfirmAct
        isOpen={chosen !== null}
        title={`${act} for ${businessName} in ${environment}`}
        act={act}
        isDangerous={environment === 'production' && !goesOn}
        onConfirm={async () => {
          if (chosen) await set.mutateAsync({ params: paramsOf(of), body: { [chosen]: goesOn } });
        }}
        onClose={() => setChosen(null)}
      >
        <p>{goesOn ? on : off}</p>
        <p className="soft">
          It takes effect at once, for payments and refunds that begin from then on. It is recorded
          with your name.
        </p>
      </ConfirmAct>
    </SectionCard>
  );
};
