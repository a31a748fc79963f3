export type SourceFile = { readonly path: string; readonly text: string };
export type Complaint = { readonly path: string; readonly line: number; readonly says: string };
type TidyRule = (file: SourceFile) => readonly Complaint[];

const maxLines = 300;
// The formatter keeps code within 100; prose, SQL and long sentences may exceed it by a word.
const maxColumns = 110;

const isCode = (path: string) => /\.(ts|tsx|mjs|cjs)$/.test(path);
const isTest = (path: string) =>
  /\.test\.ts$|\.test-program\.ts$|^test\/|\/test\/|\/testing\//.test(path);
// A script in the browser has no caller that could pass it a clock.
const isBelowPrograms = (path: string) =>
  /^service\/src\/(kernel|platform|rails|modules)\/|^(contract|web)\//.test(path) &&
  !/^web\/.*\/script\//.test(path);

const eachLine =
  (check: (line: string, file: SourceFile) => string | undefined): TidyRule =>
  (file) =>
    file.text.split('\n').flatMap((line, index) => {
      const says = check(line, file);
      return says ? [{ path: file.path, line: index + 1, says }] : [];
    });

const lengthOfFile: TidyRule = ({ path, text }) => {
  const lines = text.trimEnd().split('\n').length;
  if (lines <= maxLines || !isCode(path)) return [];
  return [{ path, line: lines, says: `${lines} lines: ${maxLines} are allowed` }];
};

// A single import and an address cannot be broken in two.
const isUnbreakable = (line: string) =>
  /^(import|export) [^,]* from '[^']+';$/.test(line) || /https?:\/\/\S{40}/.test(line);

const lengthOfLine = eachLine((line) =>
  line.length > maxColumns && !isUnbreakable(line)
    ? `${line.length} columns: ${maxColumns} are allowed`
    : undefined,
);

const emptyNames = /^(utils?|helpers?|common|misc)$/;
const emptyFiles = /^(?:(?:.*-)?(?:utils?|helpers?|common|misc|manager)|service|types?)\.\w+$/;

const names: TidyRule = ({ path }) => {
  const words = path.split('/');
  const file = words.at(-1) ?? '';
  const isEmpty = words.slice(0, -1).some((name) => emptyNames.test(name)) || emptyFiles.test(file);
  const isKebab = !isCode(path) || /^[a-z0-9.-]+$/.test(file);
  if (!isEmpty && isKebab) return [];
  return [{ path, line: 0, says: isEmpty ? 'a name that names nothing' : 'not in kebab-case' }];
};

const promise = new RegExp(`\\b(${['TO', 'DO'].join('')}|${['FIX', 'ME'].join('')})\\b`);

const openPromises = eachLine((line) =>
  promise.test(line) ? 'a promise without an issue' : undefined,
);

const comment = /^\s*\/\/\s?(.*)$/;
const sqlComment = /^\s*--\s?(.*)$/;
const codeInComment =
  /;$|^\}\)?;?$|^(?:const|let|return|await|export|import)\b.*[({=]|^\w+(?:\.\w+)*\(.*\)$/;

const deadCode = eachLine((line, { path }) => {
  const said = (path.endsWith('.sql') ? sqlComment : comment).exec(line)?.[1]?.trim() ?? '';
  return codeInComment.test(said) ? 'code in a comment' : undefined;
});

/** The files that read clock and randomness, and one that writes examples for other programs. */
const toolMakers = [
  'service/src/platform/clock.ts',
  'web/dashboard/src/parts/times.ts',
  'contract/published/request-code.ts',
];

const ambient = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.env\b/;

const tools = eachLine((line, { path }) => {
  if (!isBelowPrograms(path) || isTest(path) || toolMakers.includes(path)) return undefined;
  const found = ambient.exec(line)?.[0];
  return found ? `${found} is read: time, chance and settings are passed in` : undefined;
});

// A generator has no other form.
const declaration = /^(?: {2})*(?:export )?(?:default )?(?:async )?function \w+[(<]/;

const functionStyle = eachLine((line, { path }) =>
  isCode(path) && declaration.test(line)
    ? 'a function is written const name = (…) => …'
    : undefined,
);

/** Wakes are a hint: what listens also looks by itself, so that a lost one costs a moment. */
const wakesFile = 'service/src/platform/database/wakes.ts';

const wakes = eachLine((line, { path }) => {
  const isOurs = /^(service|simulator)\//.test(path) && !isTest(path);
  return isOurs && path !== wakesFile && /\bpg_notify\b|[`'"](?:un)?(?:listen|notify) /i.test(line)
    ? 'LISTEN and NOTIFY stand in the two files of wakes only'
    : undefined;
});

export const tidyRules = {
  'files of 300 lines at most': lengthOfFile,
  'lines of 110 columns at most': lengthOfLine,
  'names that name something': names,
  'no open promises': openPromises,
  'no code in comments': deadCode,
  'time, chance and settings passed in': tools,
  'functions as constants': functionStyle,
  'wakes in two files': wakes,
} satisfies Record<string, TidyRule>;

export { toolMakers };
