import type {
  Content,
  Header,
  Operation,
  Parameter,
  Response,
  Standard,
  StandardPart,
  StandardVersion,
} from './open-standard.ts';
import { openStandard } from './open-standard.ts';

/** A request of ours and its answer, or null where none came. */
export type Exchanged = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
  readonly answer: Answer | null;
};

type Answer = { readonly status: number; readonly headers: Headers; readonly body: string };

export type OperationName = `${StandardVersion} ${string}`;

/** What a request and its answer have that the standard's OpenAPI file does not describe. */
export const findMessageFaults = (exchanged: Exchanged): readonly string[] => {
  const found = findOperation(exchanged);
  if (!found) return [`${exchanged.method} ${exchanged.url.pathname} is not of the standard`];
  const { name, standard, operation } = found;
  const { answer } = exchanged;
  return [
    ...findRequestFaults(standard, operation, exchanged).map((fault) => `${name}: ${fault}`),
    ...(answer
      ? findAnswerFaults(standard, operation, answer).map(
          (fault) => `${name} ${answer.status}: ${fault}`,
        )
      : []),
  ];
};

/** As `4.0.1 GET /accounts/{AccountId}/balances`. */
export const nameOperation = (exchanged: Exchanged): OperationName | null =>
  findOperation(exchanged)?.name ?? null;

const parts: readonly StandardPart[] = ['payment-initiation', 'account-information', 'events'];
const resource = /\/open-banking\/v(3\.1|4\.0)(?:\/[pa]isp)?\/+(.+)$/;

const findOperation = ({ method, url }: Exchanged) => {
  const [, shown, rest = ''] = resource.exec(url.pathname) ?? [];
  if (!shown) return null;
  const version: StandardVersion = shown === '3.1' ? '3.1.11' : '4.0.1';
  const steps = rest.split('/');
  for (const part of parts) {
    const standard = openStandard(part, version);
    for (const [path, operations] of Object.entries(standard.paths)) {
      const operation = operations[method.toLowerCase()];
      const name: OperationName = `${version} ${method} ${path}`;
      if (operation && isAt(path, steps)) return { name, standard, operation };
    }
  }
  return null;
};

const isAt = (path: string, steps: readonly string[]): boolean => {
  const wanted = path.split('/').slice(1);
  return (
    wanted.length === steps.length &&
    wanted.every((each, index) => each.startsWith('{') || each === steps[index])
  );
};

const findRequestFaults = (
  standard: Standard,
  { parameters = [], requestBody }: Operation,
  { url, headers, body }: Exchanged,
): readonly string[] => [
  ...parameters.flatMap((each) => {
    const parameter = standard.resolve<Parameter>(each);
    if (parameter.in === 'path') return [];
    const { name } = parameter;
    const value = (parameter.in === 'header' ? headers : url.searchParams).get(name);
    return findValueFaults(standard, name, parameter, value && withZone(name, value));
  }),
  ...findBodyFaults(standard, requestBody?.content, headers, body),
];

/** The text beside these two says that they have no zone; the format of the file demands one. */
const withZone = (name: string, value: string): string =>
  name.endsWith('BookingDateTime') ? `${value}Z` : value;

const findAnswerFaults = (
  standard: Standard,
  { responses }: Operation,
  answer: Answer,
): readonly string[] => {
  if (answer.status === gatewayStatus) return [];
  const described = responses[answer.status];
  if (!described) return ['the status is not of the standard'];
  const { headers = {}, content } = standard.resolve<Response>(described);
  return [
    ...Object.entries(headers).flatMap(([name, each]) =>
      findValueFaults(standard, name, standard.resolve<Header>(each), answer.headers.get(name)),
    ),
    ...findBodyFaults(standard, content, answer.headers, answer.body),
  ];
};

/** Of a gateway before the bank: the files say nothing of it. */
const gatewayStatus = 503;

const findValueFaults = (
  { findFaults }: Standard,
  name: string,
  { required, schema }: Header,
  value: string | null,
): readonly string[] => {
  if (value === null) return required ? [`${name} is missing`] : [];
  const isInteger = 'type' in schema && schema.type === 'integer';
  return findFaults(schema, isInteger ? Number(value) : value).map((fault) => `${name} ${fault}`);
};

const findBodyFaults = (
  { findFaults }: Standard,
  content: Content | undefined,
  headers: Headers,
  body: string,
): readonly string[] => {
  if (!content) return body === '' ? [] : ['the body is not of the standard'];
  const type = mediaTypeOf(headers.get('content-type') ?? '');
  const [, described] = Object.entries(content).find(([each]) => mediaTypeOf(each) === type) ?? [];
  if (!described) return [`the content type ${type || 'none'} is not of the standard`];
  return findFaults(described.schema, type.includes('json') ? JSON.parse(body) : body);
};

/** JSON is UTF-8 whether a header says it or not. */
const mediaTypeOf = (value: string): string =>
  value.toLowerCase().replaceAll(' ', '').replace(';charset=utf-8', '');
