import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PageTitle } from '../../../parts/page-title.tsx';
import type { QueueFilters } from '../operator-filters.ts';
import { BankMessages } from './bank-messages.tsx';
import { Credits } from './credits.tsx';

/** What waits because no program can tell what it means. */
export const QueuesPage = (): ReactNode => {
  const navigate = useNavigate();
  const filters = useSearch({ from: '/operator/queues' });
  const { queue = 'messages' } = filters;
  const change = (changes: QueueFilters): void =>
    void navigate({ to: '.', search: (current) => ({ ...current, page: undefined, ...changes }) });
  return (
    <>
      <PageTitle title="Queues" says="What the bank sent that no payment or payout explains" />
      <Tabs
        value={queue}
        keepMounted={false}
        onChange={(value) =>
          change({ queue: value === 'credits' ? 'credits' : undefined, status: undefined })
        }
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="messages">Messages put aside</Tabs.Tab>
          <Tabs.Tab value="credits">Credits</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="messages">
          <BankMessages filters={filters} onChange={change} />
        </Tabs.Panel>
        <Tabs.Panel value="credits">
          <Credits filters={filters} onChange={change} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
};
