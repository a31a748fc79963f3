import { spawn } from 'node:child_process';

/** Runs a program to its end: whether it ended well, and all that it said. */
export const runProgram = (program, args, options) =>
  new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk;
      });
    }
    child.on('error', (error) => resolve({ isGreen: false, said: error.message }));
    child.on('close', (code) => resolve({ isGreen: code === 0, said: said.trim() }));
  });
