import { Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PageTitle } from '../../parts/layout.tsx';
import { PersonShell } from '../../shell/shell-frame.tsx';

const tokenLength = 64;

/** Mail programs cut long links in two. */
export const isCut = (token: string): boolean => token.length < tokenLength;

type BrokenLinkProps = {
  /** Where another one is asked for. */
  readonly to: string;
  readonly says: string;
};

/** Before anything is typed for nothing. */
export const BrokenLink = ({ to, says }: BrokenLinkProps): ReactNode => (
  <PersonShell>
    <PageTitle
      title="This link is incomplete"
      says="Open it from the email again, or copy the whole link into the address bar."
    />
    <Stack>
      <Button fullWidth component={Link} to={to}>
        {says}
      </Button>
    </Stack>
  </PersonShell>
);
