import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Environment, isEnvironment } from '../../call/tenant.ts';

type EnvironmentChoiceProps = {
  readonly environment: Environment;
  readonly onChoose: (environment: Environment) => void;
};

export const EnvironmentChoice = (props: EnvironmentChoiceProps): ReactNode => (
  <SegmentedControl
    aria-label="Environment"
    value={props.environment}
    onChange={(value) => isEnvironment(value) && props.onChoose(value)}
    data={[
      { value: 'sandbox', label: 'Sandbox' },
      { value: 'production', label: 'Production' },
    ]}
  />
);
