import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Whether the registry knows of no weakness in the packages of the product. */
export const auditPackages = async (
  environment: NodeJS.ProcessEnv = process.env,
): Promise<boolean> => {
  const audit = spawn('npm', ['audit', '--omit=dev', '--audit-level=moderate'], {
    ...{ cwd: root, env: environment, stdio: 'inherit' },
  });
  const [code] = await once(audit, 'exit');
  return code === 0;
};
