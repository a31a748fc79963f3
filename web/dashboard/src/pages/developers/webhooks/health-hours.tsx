import type { ReactNode } from 'react';
import { DateText } from '../../../parts/date-text.tsx';
import { DetailList } from '../../../parts/detail-list.tsx';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import type { Endpoint } from './endpoint.ts';

type Hour = Endpoint['hours'][number];

const columns: readonly Column<Hour>[] = [
  { id: 'hour', title: 'From', isMain: true, cell: ({ hour }) => <DateText at={hour} /> },
  {
    id: 'delivered',
    title: 'Received',
    isRight: true,
    isMain: true,
    cell: ({ delivered, attempts }) => (
      <span className="figures">
        {delivered} of {attempts}
      </span>
    ),
  },
  {
    id: 'average',
    title: 'On average',
    isRight: true,
    cell: ({ averageMs }) => `${averageMs ?? 0} ms`,
  },
  {
    id: 'slowest',
    title: 'Slowest',
    isRight: true,
    cell: ({ slowestMs }) => `${slowestMs ?? 0} ms`,
  },
];

/** How many attempts were received in each hour, and how long the answers took. */
export const HealthHours = ({ endpoint }: { readonly endpoint: Endpoint }): ReactNode => {
  if (endpoint.attempts === 0) return <p className="soft">Nothing was sent to it.</p>;
  const share = Math.round((100 * endpoint.delivered) / endpoint.attempts);
  return (
    <>
      <DetailList
        of={[
          ['Received', `${share} % of ${endpoint.attempts} attempts`],
          ['Answers within', `${endpoint.averageMs ?? 0} ms on average`],
          ['Slowest', `${endpoint.slowestMs ?? 0} ms`],
          ['Last received', <DateText key="last" at={endpoint.lastDeliveredAt} />],
        ]}
      />
      <DataTable<Hour>
        isPlain
        name="webhook-hours"
        caption="Attempts by hour, the newest first"
        columns={columns}
        rows={endpoint.hours.toReversed()}
        rowKey={({ hour }) => hour}
        empty={null}
      />
    </>
  );
};
