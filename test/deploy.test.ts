/** The image and the compose file keep the rules that a hardened container needs; no container engine is asked. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Instructions of a Dockerfile in order, comments gone and continued lines joined. */
function instructions(text: string): readonly { readonly name: string; readonly value: string }[] {
  return text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', ...rest] = line.trim().split(/\s+/);
      return { name: name.toUpperCase(), value: rest.join(' ') };
    });
}

const all = instructions(read('Dockerfile'));
const finalStage = all.slice(all.findLastIndex(({ name }) => name === 'FROM'));
const finalValues = (wanted: string): readonly string[] => finalStage.filter(({ name }) => name === wanted).map(({ value }) => value);

describe('the Dockerfile', () => {
  test('builds on bases of a fixed version', () => {
    const bases = all.filter(({ name }) => name === 'FROM').map(({ value }) => value.split(' ')[0]);
    expect(bases).toHaveLength(2);
    for (const base of bases) expect(base).toMatch(/^node:\d+\.\d+\.\d+-slim(@sha256:[0-9a-f]{64})?$/);
  });

  test('uses the Node that the lock file names', () => {
    const manifest: unknown = JSON.parse(read('package.json'));
    expect(manifest).toMatchObject({ devDependencies: { node: /node:(\S+)-slim/.exec(finalValues('FROM')[0] ?? '')?.[1] } });
  });

  test('runs as a numeric user who is not root', () => {
    const user = finalValues('USER').at(-1) ?? '';
    expect(user).toMatch(/^\d+:\d+$/);
    expect(Number(user.split(':')[0])).toBeGreaterThanOrEqual(10_000);
  });

  test('starts Node itself, in exec form, and stops on SIGTERM', () => {
    expect(finalValues('ENTRYPOINT').map((value): unknown => JSON.parse(value))).toEqual([['node', '--max-semi-space-size=8', 'dist/server/main.js']]);
    expect(finalValues('CMD')).toEqual([]);
    expect(finalValues('STOPSIGNAL')).toEqual(['SIGTERM']);
  });

  test('checks its health in exec form with what the image has', () => {
    const [check = ''] = finalValues('HEALTHCHECK');
    const command: unknown = JSON.parse(/CMD (\[.*\])$/.exec(check)?.[1] ?? 'null');
    expect(command).toEqual(['node', 'deploy/health-check.mjs']);
    expect(finalValues('COPY').join('\n')).toContain('deploy/health-check.mjs');
    expect(read('Dockerfile')).not.toMatch(/\b(curl|wget)\b/);
  });

  test('fetches nothing with ADD and names no moving tag', () => {
    expect(all.filter(({ name }) => name === 'ADD')).toEqual([]);
    expect(all.filter(({ value }) => /:latest\b/.test(value))).toEqual([]);
  });

  test('leaves no package manager and no development dependency behind', () => {
    expect(finalValues('RUN').join(' ')).toContain('rm -rf /usr/local/lib/node_modules');
    expect(all.some(({ name, value }) => name === 'RUN' && value.includes('npm prune --omit=dev'))).toBe(true);
  });

  test('keeps its data in a volume that its user owns', () => {
    expect(finalValues('VOLUME')).toEqual(['/data']);
    expect(finalValues('RUN').join(' ')).toContain('install -d -o 10001 -g 10001 -m 0750 /data');
    expect(finalValues('ENV').join(' ')).toContain('LEASEQUEUE_DATABASE_PATH=/data/leasequeue.db');
  });

  test('copies nothing that the build context leaves out', () => {
    const kept = read('.dockerignore')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
    const copied = all
      .filter(({ name, value }) => name === 'COPY' && !value.includes('--from'))
      .flatMap(({ value }) => value.split(' ').slice(0, -1))
      .map((path) => path.replace(/^\.\//, ''));
    expect(copied.filter((path) => !kept.includes(path))).toEqual([]);
  });

  test('copies all that the scripts of its build are made of', () => {
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
    const commands = `${scripts['build']} ${scripts['build:console']}`;
    const files = [...commands.matchAll(/[\w./-]+\.(?:json|mjs)/g)].map(([path]) => path);
    const copied = all.filter(({ name }) => name === 'COPY').map(({ value }) => value.replaceAll('./', ''));
    expect([...files, 'tsconfig.json', 'vite.config.ts'].filter((path) => !copied.some((value) => value.includes(path)))).toEqual([]);
  });

  test('sets no secret and turns the production rules on', () => {
    const environment = finalValues('ENV').join(' ');
    expect(environment).toContain('LEASEQUEUE_ENVIRONMENT=production');
    expect(environment).not.toMatch(/KEY|TOKEN|SECRET|PASSWORD|LEASEQUEUE_AUTH/);
  });
});

describe('the compose file', () => {
  const compose: unknown = parse(read('compose.yaml'));

  test('runs a read-only container without capabilities', () => {
    expect(compose).toMatchObject({
      services: {
        leasequeue: { build: '.', read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'], tmpfs: ['/tmp'], volumes: ['data:/data'] },
      },
      volumes: { data: null },
    });
  });

  test('opens the port to the own machine only, because keys are sent over it in the clear', () => {
    expect(compose).toMatchObject({ services: { leasequeue: { ports: ['127.0.0.1:8000:8000'] } } });
  });

  test('asks for keys, as production does where nothing else is said', () => {
    expect(read('compose.yaml')).not.toContain('LEASEQUEUE_');
  });

  test('tells how the first key is made, with a program that the image has', () => {
    const [, program, words] = /docker compose exec leasequeue node (\S+)\.cjs (.*)$/m.exec(read('compose.yaml')) ?? [];
    expect(program?.replace('dist/', 'src/')).toBe('src/cli/main');
    expect(words).toMatch(/^keys create /);
    expect(finalValues('COPY').join('\n')).toContain('/build/dist ./dist');
  });

  test('gives the server longer to stop than the server takes', () => {
    expect(compose).toMatchObject({ services: { leasequeue: { stop_grace_period: '15s' } } });
  });

  test('asks the same health check as the image', () => {
    expect(compose).toMatchObject({ services: { leasequeue: { healthcheck: { test: ['CMD', 'node', 'deploy/health-check.mjs'] } } } });
  });
});
