import { Switch } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
import { Badge } from '../../parts/status-badge.tsx';
import classes from './settings.module.css';
import { describeSwitch, type SwitchName, saySwitch } from './switch-words.ts';

type SwitchListProps = {
  readonly names: readonly SwitchName[];
  readonly switches: Readonly<Record<SwitchName, boolean>>;
  /** Why none can be moved here. */
  readonly whyFixed?: string;
  /** " for Corner Coffee in production" */
  readonly where?: string;
  readonly isProduction?: boolean;
  readonly onSwitch: (name: SwitchName, isOn: boolean) => Promise<unknown>;
};

/** Nothing is switched before its effect was read. */
export const SwitchList = (props: SwitchListProps): ReactNode => {
  const { names, switches, whyFixed = '', where = '', isProduction = false, onSwitch } = props;
  const [chosen, setChosen] = useState<SwitchName | null>(null);
  const goesOn = chosen !== null && !switches[chosen];
  const { title, on, off } = describeSwitch[chosen ?? 'cardsEnabled'];
  const act = `Switch ${title.toLowerCase()} ${goesOn ? 'on' : 'off'}`;
  return (
    <>
      <ul className={classes.switches}>
        {names.map((name) => (
          <li key={name}>
            <Switch
              label={<SwitchTitle name={name} isOn={switches[name]} />}
              description={`${saySwitch(name, switches[name])} ${whyFixed}`.trim()}
              checked={switches[name]}
              disabled={whyFixed !== ''}
              onChange={() => setChosen(name)}
            />
          </li>
        ))}
      </ul>
      <ConfirmAct
        isOpen={chosen !== null}
        title={`${act}${where}`}
        act={act}
        isDangerous={isProduction && !goesOn}
        onConfirm={async () => chosen && onSwitch(chosen, goesOn)}
        onClose={() => setChosen(null)}
      >
        <p>{goesOn ? on : off}</p>
        <p className="soft">
          This takes effect at once for new payments and refunds, and is recorded with your name.
        </p>
      </ConfirmAct>
    </>
  );
};

type SwitchTitleProps = { readonly name: SwitchName; readonly isOn: boolean };

const SwitchTitle = ({ name, isOn }: SwitchTitleProps): ReactNode => (
  <>
    {describeSwitch[name].title}{' '}
    {name === 'ordersGuarded' && !isOn && <Badge tone="warn">Recommended</Badge>}
  </>
);
