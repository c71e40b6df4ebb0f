/** `/session`: POST keeps the API key of its Authorization header in a cookie until the browser closes, DELETE takes it away. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Authenticate, TENANT_HEADER } from '../auth/authenticate.ts';
import { refusalProblem } from './entrance.ts';
import { isForeignOrigin } from './origin.ts';
import { type Problem, PROBLEMS, sendProblem } from './problem.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import { cookieOf, lacksCsrfHeader } from './session-cookie.ts';

export interface SignInParts {
  readonly authenticate: Authenticate;
  readonly basePath: string;
}

export async function answerSession({ authenticate, basePath }: SignInParts, request: IncomingMessage, response: ServerResponse, query: string): Promise<void> {
  const { headers, method } = request;
  const refuse = (problem: Problem): void => sendProblem(response, problem, headers.accept);
  const setCookie = (authorization: string): void => {
    response.writeHead(204, { ...SECURITY_HEADERS, 'set-cookie': cookieOf(authorization, request, basePath) });
    response.end();
  };
  if (method !== 'POST' && method !== 'DELETE') return refuse(PROBLEMS.onlyPostAndDelete);
  if (isForeignOrigin(headers)) return refuse(PROBLEMS.foreignOrigin);
  if (lacksCsrfHeader(headers)) return refuse(PROBLEMS.noCsrfHeader);
  if (method === 'DELETE') return setCookie('');
  const who = await authenticate({ query, tenants: [headers[TENANT_HEADER]], authorizations: [headers.authorization] });
  if (!who.ok) return refuse(refusalProblem(who.refusal, headers.accept));
  return setCookie(who.principal.key === null ? '' : (headers.authorization ?? ''));
}
