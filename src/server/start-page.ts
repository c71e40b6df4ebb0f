/** The page at `/`: what runs here and where to go. Complete in itself: no script, one style that the policy knows by its digest. */
import { createHash } from 'node:crypto';
import type { Page } from './http.ts';

export interface StartPageParts {
  readonly version: string;
  readonly environment: string;
  /** Where the server says it can be reached. */
  readonly url: string;
  readonly hasGraphiql: boolean;
  readonly hasSchema: boolean;
  /** Whoever looks at the page may be nobody: it shows how to call with a key, and tells nothing of the server. */
  readonly needsKey: boolean;
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d8dee4; --ground: #f6f8fa; --card: #fff; --accent: #0b6b53; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9aa5b1; --line: #30363d; --ground: #0d1117; --card: #161b22; --accent: #5ccfa8; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: clamp(1.5rem, 6vw, 4rem) 1.25rem; }
h1 { margin: 0; font-size: 2rem; letter-spacing: -0.02em; }
h2 { margin: 2.5rem 0 0.75rem; font-size: 1.05rem; }
p { margin: 0.4rem 0 0; color: var(--soft); }
.state { display: inline-block; margin-left: 0.6rem; padding: 0.1rem 0.6rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--soft); font-size: 0.8rem; font-weight: 400; letter-spacing: 0; vertical-align: middle; }
ul { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 0.75rem; margin: 1.75rem 0 0; padding: 0; list-style: none; }
a { display: block; height: 100%; padding: 0.8rem 1rem; border: 1px solid var(--line); border-radius: 0.6rem; background: var(--card); color: var(--accent); font-weight: 600; text-decoration: none; }
a span { display: block; color: var(--soft); font-size: 0.87rem; font-weight: 400; }
a:hover, a:focus-visible { border-color: var(--accent); outline: none; }
pre { margin: 0; padding: 0.9rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); border-radius: 0.6rem; background: var(--card); font: 0.82rem/1.5 ui-monospace, monospace; }
`;

const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

type Called = Pick<StartPageParts, 'url' | 'needsKey'>;

/** A call for a shell: the document is in single quotes, so it holds none. */
function call({ url, needsKey }: Called, query: string, accept: string | null = null): string {
  const accepts = accept === null ? '' : ` -H 'accept: ${accept}'`;
  const signs = needsKey ? ' -H "authorization: Bearer $LEASEQUEUE_API_KEY"' : '';
  return `curl -sN ${url}/graphql -H 'content-type: application/json'${signs}${accepts} -d '${JSON.stringify({ query })}'`;
}

const examples = (called: Called): readonly (readonly [title: string, command: string])[] => [
  [
    'Submit a job',
    call(
      called,
      'mutation { submitJob(input: { task: "mail.send", payload: { to: "ada@example.com" } }) { __typename ... on SubmitJobSuccess { job { id state } } } }',
    ),
  ],
  [
    'Claim it: the answer holds the lease token that settles it',
    call(called, 'mutation { claimJobs(input: { workerId: "me" }) { leases { leaseToken job { id task payload } } } }'),
  ],
  [
    'Watch what happens, from now on',
    call(called, 'subscription { jobEvents { ... on JobEventBatch { events { kind jobId toState } } } }', 'text/event-stream'),
  ],
];

export function startPage({ version, environment, hasGraphiql, hasSchema, ...called }: StartPageParts): Page {
  const { needsKey } = called;
  const state = needsKey ? '' : ` <span class="state">${escape(version)} · ${escape(environment)}</span>`;
  const links = [
    ...(hasGraphiql ? [['/graphql', 'GraphiQL', 'Try the API in the browser'] as const] : []),
    ...(hasSchema ? [['/schema.graphql', 'Schema', 'Every type and field, explained'] as const] : []),
    ['/health/ready', 'Readiness', 'Can it do its work?'] as const,
    ...(needsKey ? [] : [['/metrics', 'Metrics', 'Figures for Prometheus'] as const]),
  ].map(([href, name, purpose]) => `<li><a href="${href}">${name}<span>${purpose}</span></a></li>`);
  const sections = examples(called).map(([title, command]) => `<h2>${escape(title)}</h2>\n<pre><code>${escape(command)}</code></pre>`);
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>LeaseQueue</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>LeaseQueue${state}</h1>
<p>A durable job queue: leases, retries, dead letters and live events through one GraphQL API. It is running.</p>
<ul>
${links.join('\n')}
</ul>
${sections.join('\n')}
</main>
</body>
</html>
`;
  return { status: 200, contentType: 'text/html; charset=utf-8', text, headers: { 'content-security-policy': POLICY } };
}
