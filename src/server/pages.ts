/** What the addresses beside /graphql and the console answer. */
import { schema } from '../graphql/schema.ts';
import { printedSchema } from '../graphql/stated-terms.ts';
import type { Environment } from '../runtime/config.ts';
import type { Health } from './health.ts';
import type { Page, PageMaker, Pages } from './http.ts';
import type { Metrics } from './metrics.ts';
import { VERSION } from '../runtime/version.ts';

export interface PagesParts {
  readonly health: Health;
  readonly metrics: Metrics;
  readonly environment: Environment;
  readonly basePath: string;
  /** Whoever looks may be nobody, and is told nothing of the server then. */
  readonly needsKey: boolean;
}

const json = (status: number, value: object): Page => ({ status, contentType: 'application/json; charset=utf-8', text: `${JSON.stringify(value)}\n` });
const open = (make: PageMaker['make']): PageMaker => ({ showsAllTenants: false, make });
const schemaPage = (): Page => ({ status: 200, contentType: 'text/plain; charset=utf-8', text: printedSchema(schema) });

export function createPages({ health, metrics, environment, basePath, needsKey }: PagesParts): Pages {
  const hasSchema = environment !== 'production';
  return {
    // The links of the console's page mean what they say from behind the slash on.
    ...(basePath !== '' && { [basePath]: open(() => ({ status: 308, contentType: 'text/plain', text: '', headers: { location: `${basePath}/` } })) }),
    '/health/live': open(() => json(200, { status: 'live', ...(!needsKey && { version: VERSION }) })),
    '/health/ready': open(async () => {
      const { ready, reason } = await health.readiness();
      return ready ? json(200, { status: 'ready' }) : json(503, { status: 'not ready', reason });
    }),
    '/metrics': { showsAllTenants: true, make: async () => ({ status: 200, text: await metrics.page(), contentType: metrics.contentType }) },
    ...(hasSchema && { '/schema.graphql': open(schemaPage) }),
  };
}
