/** Programs that the project does not bring itself. A machine without them is told what to install, and the test fails. */
import { spawnSync } from 'node:child_process';

const TOOLS = {
  bash: { proof: ['--version'], install: 'Install bash with the package manager of the system.' },
  curl: { proof: ['--version'], install: 'Install curl with the package manager of the system.' },
  python3: { proof: ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'], install: 'Install Python 3.9 or later as python3.' },
} as const;

/** Throws, with what to install, where one of them cannot be run. */
export function needTools(...names: readonly (keyof typeof TOOLS)[]): void {
  for (const name of names) {
    const { proof, install } = TOOLS[name];
    if (spawnSync(name, proof, { stdio: 'ignore' }).status !== 0) throw new Error(`This test runs ${name}, which is not there or too old. ${install}`);
  }
}
