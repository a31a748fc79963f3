import type { ReplyOf } from '@florin/contract';
import type { getDelivery } from '@florin/contract/dashboard/index.ts';
import type { ReactNode } from 'react';
import { DateText } from '../../../parts/date-text.tsx';
import { DetailList } from '../../../parts/detail-list.tsx';
import { SectionCard } from '../../../parts/section-card.tsx';
import { CodeBlock } from './code-block.tsx';
import { WhyText } from './why-text.tsx';

type Attempt = ReplyOf<typeof getDelivery>['log'][number];

/** One attempt: how long each part took, and what came back. */
export const AttemptCard = ({ attempt }: { readonly attempt: Attempt }): ReactNode => (
  <SectionCard
    title={`Attempt ${attempt.attempt}: ${attempt.status ?? attempt.outcome.toLowerCase()}`}
    acts={<DateText at={attempt.attemptedAt} />}
  >
    <WhyText why={attempt.why} />
    <DetailList
      of={[
        ['Took', milliseconds(attempt.totalMs)],
        ['Name look-up', milliseconds(attempt.dnsMs)],
        ['Connection', milliseconds(attempt.connectMs)],
        ['First byte', milliseconds(attempt.firstByteMs)],
        ['Retry-After', attempt.retryAfterSeconds && `${attempt.retryAfterSeconds} s`],
        ['Note', attempt.superseded ? 'Another worker had taken it over; it did not count.' : null],
      ]}
    />
    {attempt.responseBody !== null && (
      <>
        <h3>What came back</h3>
        {attempt.responseBody === '' ? (
          <p className="soft">An empty body.</p>
        ) : (
          <CodeBlock text={attempt.responseBody} what="response" />
        )}
      </>
    )}
    <Headers title="Headers sent" headers={attempt.requestHeaders} />
    <Headers title="Headers received" headers={attempt.responseHeaders} />
  </SectionCard>
);

const milliseconds = (ms: number | null): string | null =>
  ms === null ? null : `${Math.round(ms)} ms`;

type HeadersProps = { readonly title: string; readonly headers: object | null };

const Headers = ({ title, headers }: HeadersProps): ReactNode =>
  headers && (
    <details>
      <summary>{title}</summary>
      <CodeBlock
        text={Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')}
        what="headers"
      />
    </details>
  );
