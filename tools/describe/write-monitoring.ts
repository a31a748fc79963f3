import { type Alert, alerts, expressionOf } from './alerts.ts';

const all: readonly Alert[] = alerts;
const anchorOf = (name: string): string => name.toLowerCase();

/** Rules for Prometheus, a board for Grafana, and what each alert asks somebody to do. */
export const monitoringFiles = (): readonly (readonly [string, string])[] => [
  ['docs/generated/monitoring/ALERTS.md', runbook()],
  ['docs/generated/monitoring/florin.rules.yml', rules()],
  ['docs/generated/monitoring/florin-board.json', `${JSON.stringify(board(), null, 2)}\n`],
];

const runbook = (): string =>
  [
    '# Alerts\n',
    'Generated from `tools/describe/alerts.ts` by `npm run generate`: do not edit it here. Prometheus loads',
    '[florin.rules.yml](florin.rules.yml), Grafana imports [florin-board.json](florin-board.json).',
    'A test breaks each thing and sees its alert. PAGE wakes somebody, TICKET waits for the morning.\n',
    ...all.map(
      (alert) =>
        `## ${alert.name}\n\n\`${expressionOf(alert)}\` for ${alert.lasting}, ${alert.calls}\n\n` +
        `${alert.means}\n\n**Do:** ${alert.todo}\n`,
    ),
  ].join('\n');

// JSON text is a YAML scalar.
const text = (words: string): string => JSON.stringify(words);

const rules = (): string =>
  [
    '# Generated from tools/describe/alerts.ts by `npm run generate`: do not edit it here.',
    'groups:',
    '  - name: florin',
    '    rules:',
    ...all.flatMap((alert) => [
      `      - alert: ${alert.name}`,
      `        expr: ${text(expressionOf(alert))}`,
      `        for: ${alert.lasting}`,
      '        labels:',
      `          severity: ${alert.calls === 'PAGE' ? 'page' : 'ticket'}`,
      '        annotations:',
      `          summary: ${text(alert.means)}`,
      `          description: ${text(alert.todo)}`,
      `          runbook: ${text(`docs/generated/monitoring/ALERTS.md#${anchorOf(alert.name)}`)}`,
    ]),
    '      - alert: FlorinGone',
    '        expr: "up{job=\\"florin\\"} == 0"',
    '        for: 1m',
    '        labels:',
    '          severity: page',
    '        annotations:',
    '          summary: "A program of Florin does not answer Prometheus."',
    '',
  ].join('\n');

const panels: readonly (readonly [string, string, string])[] = [
  ['Requests a second', 'sum by (status) (rate(florin_http_requests_total[5m]))', 'reqps'],
  [
    'Slowest 5 % of requests',
    'histogram_quantile(0.95, sum by (le, route) (rate(florin_http_request_ms_bucket[5m])))',
    'ms',
  ],
  ['Work that waits', 'max by (job) (florin_work_overdue_seconds)', 's'],
  ['Oldest that is open', 'max by (kind, environment) (florin_oldest_open_seconds)', 's'],
  ['Jobs ran', 'time() - max by (job) (florin_job_last_run_timestamp_seconds)', 's'],
  ['Days of certificates', 'min by (certificate, of) (florin_certificate_days_left)', 'd'],
  ['Standbys behind', 'max(florin_database_standby_behind_bytes)', 'bytes'],
  ['Open cases', 'sum by (kind, environment) (florin_cases_open)', 'none'],
  [
    'Difference of the collecting account',
    'max by (environment) (florin_account_difference_pence)',
    'none',
  ],
  ['Books verified', 'min(florin_books_verified_seconds_ago)', 's'],
  [
    'Webhook attempts a second',
    'sum by (outcome) (rate(florin_webhook_attempts_total[5m]))',
    'reqps',
  ],
  ['Bank calls a second', 'sum by (bank, outcome) (rate(florin_bank_calls_total[5m]))', 'reqps'],
  ['Statements that wait for a connection', 'florin_database_waiting', 'none'],
  ['Slow turns of programs', 'florin_event_loop_delay_seconds', 's'],
  ['Memory', 'florin_process_resident_bytes', 'bytes'],
  ['CPU', 'rate(florin_process_cpu_seconds_total[5m])', 'percentunit'],
];

const [panelsInRow, width, height] = [2, 12, 8];

const board = () => ({
  title: 'Florin',
  uid: 'florin',
  schemaVersion: 39,
  timezone: 'Europe/London',
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  templating: { list: [{ name: 'source', type: 'datasource', query: 'prometheus' }] },
  panels: panels.map(([title, expr, unit], at) => ({
    id: at + 1,
    type: 'timeseries',
    title,
    datasource: { type: 'prometheus', uid: '$source' },
    targets: [{ refId: 'A', expr }],
    fieldConfig: { defaults: { unit }, overrides: [] },
    gridPos: {
      ...{ w: width, h: height, x: (at % panelsInRow) * width },
      y: Math.floor(at / panelsInRow) * height,
    },
  })),
});

/** Each number that rules and board look at. */
export const numbersUsed = (): readonly string[] => {
  const written = [...all.map(expressionOf), ...panels.map(([, expr]) => expr)].join(' ');
  return [...new Set(written.match(/florin_\w+/g))];
};
