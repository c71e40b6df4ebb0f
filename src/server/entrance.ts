/** Who comes in over HTTP, or the answer that keeps them out. */
import type { IncomingMessage } from 'node:http';
import { type Authenticate, type Authentication, type Refusal, TENANT_HEADER } from '../auth/authenticate.ts';
import type { Principal } from '../auth/principal.ts';
import { jsonMediaType, type Problem, PROBLEMS } from './problem.ts';
import { cookieAuthorization, lacksCsrfHeader } from './session-cookie.ts';

export type Entrance = { readonly principal: Principal } | { readonly problem: Problem };

/**
 * The holder of the request's key, or of the one in its cookie. At once wherever it can: a body that arrives while nobody
 * listens takes a longer way.
 */
export function enter(authenticate: Authenticate, { headers }: IncomingMessage, query: string): Entrance | Promise<Entrance> {
  if (lacksCsrfHeader(headers)) return { problem: PROBLEMS.noCsrfHeader };
  const shown = (who: Authentication): Entrance => (who.ok ? { principal: who.principal } : { problem: refusalProblem(who.refusal, headers.accept) });
  const who = authenticate({ query, tenants: [headers[TENANT_HEADER]], authorizations: [headers.authorization, cookieAuthorization(headers)] });
  return who instanceof Promise ? who.then(shown) : shown(who);
}

export function refusalProblem({ code, message, issues }: Refusal, accept: string | undefined): Problem {
  switch (code) {
    case 'UNAUTHENTICATED':
      return { status: 401, code, message, headers: { 'www-authenticate': 'Bearer' } };
    case 'FORBIDDEN':
      return { status: 403, code, message };
    case 'BAD_USER_INPUT':
      return { status: jsonMediaType(accept) === 'application/graphql-response+json' ? 400 : 200, code, message, extensions: { issues } };
    default:
      return code satisfies never;
  }
}
