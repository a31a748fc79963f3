import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type CallControl = (method: string, path: string, body?: object) => Promise<unknown>;

/** The control API of the simulator with this trust folder. */
export const openControl = async (trustFolder: string): Promise<CallControl> => {
  const file = join(trustFolder, 'registration.json');
  const { controlUrl, controlToken } = JSON.parse(await readFile(file, 'utf8'));
  return async (method, path, body) => {
    const reply = await fetch(`${controlUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${controlToken}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`control ${path}: ${reply.status} ${await reply.text()}`);
    return reply.json();
  };
};
