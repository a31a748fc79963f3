import type { Operation } from '../operation.ts';
import { requestExample } from './examples.ts';

/** One call in a language: it reads its address, secret and ids from the environment. */
export type RequestCode = {
  readonly language: 'sh' | 'ts' | 'python' | 'php';
  readonly code: string;
};

type Call = {
  readonly method: string;
  /** With `{id}` where an id stands. */
  readonly path: string;
  readonly secret: string | null;
  readonly body: unknown;
};

/** The same example in each language. */
export const requestCode = (operation: Operation): readonly RequestCode[] => {
  const { method, access, path } = operation;
  const secret = access === 'operator' ? 'OPERATOR_SECRET' : 'SECRET';
  const call = {
    method,
    path,
    secret: access === 'open' ? null : secret,
    body: requestExample(operation),
  };
  return [
    { language: 'sh', code: curl(call) },
    { language: 'ts', code: typescript(call) },
    { language: 'python', code: python(call) },
    { language: 'php', code: php(call) },
  ];
};

/** `/a/:customerId` with what each language reads of the variable `CUSTOMER_ID`. */
const addressOf = (path: string, read: (variable: string) => string): string =>
  path.replace(/:(\w+)/g, (_, name: string) =>
    read(name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()),
  );

const curl = ({ method, path, secret, body }: Call): string =>
  [
    `curl -s${method === 'GET' ? '' : ` -X ${method}`} "$URL${addressOf(path, (name) => `$${name}`)}"`,
    ...(secret ? [`-H "Authorization: Bearer $${secret}"`] : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body)}'`] : []),
  ].join(' \\\n  ');

const typescript = ({ method, path, secret, body }: Call): string => {
  const address = `\${process.env.URL}${addressOf(path, (name) => `\${process.env.${name}}`)}`;
  const headers = [
    ...(secret ? [`authorization: \`Bearer \${process.env.${secret}}\``] : []),
    ...(body ? ["'content-type': 'application/json'"] : []),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} }`] : []),
    ...(body ? [`body: JSON.stringify(${literal(body, scripts, 1)})`] : []),
  ];
  const given = options.length > 0 ? `, {\n${options.map((each) => `  ${each},\n`).join('')}}` : '';
  return [
    `const reply = await fetch(\`${address}\`${given});`,
    'console.log(await reply.json());',
  ].join('\n');
};

const python = ({ method, path, secret, body }: Call): string => {
  const address = addressOf(path, (name) => `{os.environ['${name}']}`);
  const headers = [
    ...(secret ? [`"Authorization": f"Bearer {os.environ['${secret}']}"`] : []),
    ...(body ? ['"Content-Type": "application/json"'] : []),
  ];
  return [
    'import json, os, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    f"{os.environ['URL']}${address}",`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    ...(headers.length > 0 ? [`    headers={${headers.join(', ')}},`] : []),
    ...(body ? [`    data=json.dumps(${literal(body, pythons, 1)}).encode(),`] : []),
    ')',
    'with urllib.request.urlopen(request) as reply:',
    '    print(json.load(reply))',
  ].join('\n');
};

const php = ({ method, path, secret, body }: Call): string => {
  const address = `'${addressOf(path, (name) => `' . getenv('${name}') . '`)}'`.replace(
    / \. ''$/,
    '',
  );
  const headers = [
    ...(secret ? [`'Authorization: Bearer ' . getenv('${secret}')`] : []),
    ...(body ? ["'Content-Type: application/json'"] : []),
  ];
  return [
    '<?php',
    `$call = curl_init(getenv('URL') . ${address});`,
    'curl_setopt_array($call, [',
    '    CURLOPT_RETURNTRANSFER => true,',
    ...(method === 'GET' ? [] : [`    CURLOPT_CUSTOMREQUEST => '${method}',`]),
    ...(headers.length > 0 ? [`    CURLOPT_HTTPHEADER => [${headers.join(', ')}],`] : []),
    ...(body ? [`    CURLOPT_POSTFIELDS => json_encode(${literal(body, phps, 1)}),`] : []),
    ']);',
    'print_r(json_decode(curl_exec($call), true));',
  ].join('\n');
};

type Signs = {
  readonly indent: string;
  readonly list: readonly [string, string];
  readonly members: readonly [string, string];
  readonly name: (name: string) => string;
  readonly value: (value: unknown) => string;
};

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
const singleQuoted = (value: unknown): string =>
  typeof value === 'string' ? quoted(value) : String(value);

const scripts: Signs = {
  indent: '  ',
  list: ['[', ']'],
  members: ['{', '}'],
  name: (name) => `${name}: `,
  value: singleQuoted,
};

const phps: Signs = {
  indent: '    ',
  list: ['[', ']'],
  members: ['[', ']'],
  name: (name) => `${quoted(name)} => `,
  value: singleQuoted,
};

const pythonWords = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);

const pythons: Signs = {
  indent: '    ',
  list: ['[', ']'],
  members: ['{', '}'],
  name: (name) => `${JSON.stringify(name)}: `,
  value: (value) => pythonWords.get(value) ?? JSON.stringify(value),
};

/** A value as the language writes it; members stand below each other. */
const literal = (value: unknown, signs: Signs, depth: number): string => {
  if (Array.isArray(value))
    return `${signs.list[0]}${value.map((each) => literal(each, signs, depth)).join(', ')}${signs.list[1]}`;
  if (typeof value !== 'object' || value === null) return signs.value(value);
  const [open, close] = signs.members;
  const lines = Object.entries(value).map(
    ([name, member]) =>
      `${signs.indent.repeat(depth + 1)}${signs.name(name)}${literal(member, signs, depth + 1)},\n`,
  );
  if (lines.length === 0) return `${open}${close}`;
  return `${open}\n${lines.join('')}${signs.indent.repeat(depth)}${close}`;
};
