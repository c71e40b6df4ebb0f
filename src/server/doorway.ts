/** What every request has to pass before anything of it is done, whatever it asks for and over whichever transport. */
import type { IncomingMessage } from 'node:http';
import { LIMITS } from '../domain/limits.ts';
import { isLoopbackName, namesOneHost } from './origin.ts';
import { addressTooLong, type Problem, PROBLEMS, tooManyHeaders } from './problem.ts';

/** Answers what is wrong with the request, or null. */
export type Doorway = (request: IncomingMessage) => Problem | null;

export interface DoorwayParts {
  /** Whether only requests pass that call the server by a name of the loopback. */
  readonly answersLoopbackNamesOnly: boolean;
}

export function createDoorway({ answersLoopbackNamesOnly }: DoorwayParts): Doorway {
  return ({ url = '', httpVersion, rawHeaders, headers }) => {
    if (url.length > LIMITS.requestAddressCharactersMax) return addressTooLong(LIMITS.requestAddressCharactersMax);
    if (rawHeaders.length / 2 > LIMITS.requestHeadersMax) return tooManyHeaders(LIMITS.requestHeadersMax);
    if (!namesOneHost(rawHeaders) || (headers.host === undefined && httpVersion !== '1.0')) return PROBLEMS.badHost;
    return answersLoopbackNamesOnly && !isLoopbackName(headers.host) ? PROBLEMS.foreignName : null;
  };
}
