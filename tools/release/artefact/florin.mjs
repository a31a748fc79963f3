#!/usr/bin/env node
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const oldest = [20, 19];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  console.error(
    `Florin needs Node ${oldest.join('.')} or newer; this is ${process.versions.node}.`,
  );
  process.exit(1);
}

const folder = new URL('service/programs/', import.meta.url);
const programs = readdirSync(folder)
  .filter((file) => /^[a-z-]+\.mjs$/.test(file) && !file.startsWith('part-'))
  .map((file) => file.replace('.mjs', ''));
const readSettings = (path) => {
  try {
    process.loadEnvFile(path);
  } catch {
    // Node says that a file is missing, also where this account may not read it.
    console.error(`--env: ${path} is no file that this account can read.`);
    process.exit(1);
  }
};
const given = process.argv.slice(2);
// A service manager reads such a file itself; a command that is typed names it.
if (given[0] === '--env') readSettings(given.splice(0, 2)[1]);
const [name = '', ...words] = given;
if (!programs.includes(name)) {
  console.error(`Use: florin.mjs [--env <file of settings>] <program> …

Programs: ${programs.join(', ')}`);
  process.exit(1);
}
// It runs in this very process: signals, exit code and terminal are its own.
const program = new URL(`${name}.mjs`, folder);
process.argv.splice(1, process.argv.length - 1, fileURLToPath(program), ...words);
await import(program.href);
