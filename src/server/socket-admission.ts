/** Who may use a socket: judged with its first message, and again until its last. */
import { CloseCode } from 'graphql-ws';
import { type Authenticate, LAPSES, TENANT_HEADER } from '../auth/authenticate.ts';
import type { Principal } from '../auth/principal.ts';
import { isExpired } from '../domain/access.ts';
import { StoreFault } from '../store/store.ts';
import { CANNOT_SERVE, CLOSE, TOO_MANY_OF_TENANT } from './close-reasons.ts';
import type { Watch } from './sessions.ts';
import { chargeRequest } from './tenant-charges.ts';
import type { TenantLimits } from './tenant-limits.ts';

/** What admission knows of a socket. */
export interface Applicant {
  /** Of the request that became the socket. */
  readonly tenantHeader: unknown;
  /** Values of the Authorization header of that request, and what stands for it; forgotten once they were judged. */
  authorizations: readonly unknown[];
  /** Null: not admitted yet. */
  principal: Principal | null;
  /** Ends the watch over its key. */
  leave: () => void;
  isGone: boolean;
  /** Counts it among the sockets of its key. False, and the socket is closed, where these are too many. */
  takePlace(key: Principal['key']): boolean;
  close(code: number, reason: string): void;
}

export interface AdmissionParts {
  readonly authenticate: Authenticate;
  readonly watch: Watch;
  readonly tenantLimits: TenantLimits;
  readonly nowMs: () => number;
}

export interface Admission {
  /** False, the socket being closed with the reason, for whoever may not use it. */
  admit(socket: Applicant, parameters: Readonly<Record<string, unknown>>): Promise<boolean>;
  /** Whose operation it is. Closes the socket, and answers null, where the key is over. */
  principalOf(socket: Applicant): Principal | null;
  /** Charges for a subscription. In how many milliseconds to come back, or null where it may go on. */
  charge(principal: Principal): Promise<number | null>;
}

const LACKS_READ = 'The API key lacks the scope READ, without which nothing can be followed.';

export function createAdmission({ authenticate, watch, tenantLimits, nowMs }: AdmissionParts): Admission {
  /** Null, the socket being closed, for whoever may not. */
  async function whoMayFollow(socket: Applicant, parameters: Readonly<Record<string, unknown>>): Promise<Principal | null> {
    const authorizations = [...named(parameters, 'authorization'), ...socket.authorizations];
    socket.authorizations = [];
    const who = await authenticate({ query: '', tenants: [socket.tenantHeader, ...named(parameters, TENANT_HEADER)], authorizations });
    const refusal = who.ok ? null : who.refusal.message;
    if (who.ok && who.principal.scopes.has('READ')) {
      await tenantLimits.known(who.principal.tenant);
      return who.principal;
    }
    socket.close(CloseCode.Forbidden, refusal ?? LACKS_READ);
    return null;
  }

  function takeIn(socket: Applicant, principal: Principal): boolean {
    if (socket.isGone || !socket.takePlace(principal.key)) return false;
    const close = tenantLimits.open(principal.tenant, 'maxSockets');
    if (close === null) {
      socket.close(CLOSE.tryAgainLater, TOO_MANY_OF_TENANT);
      return false;
    }
    const unwatch = watch(principal, (reason) => socket.close(CloseCode.Forbidden, reason));
    socket.principal = principal;
    socket.leave = () => {
      close();
      unwatch();
    };
    return true;
  }

  return {
    async admit(socket, parameters) {
      try {
        const principal = await whoMayFollow(socket, parameters);
        return principal !== null && takeIn(socket, principal);
      } catch (error) {
        if (!(error instanceof StoreFault)) throw error;
        socket.close(CLOSE.tryAgainLater, CANNOT_SERVE);
        return false;
      }
    },
    charge: async ({ tenant }) => chargeRequest(tenantLimits, tenant),
    principalOf(socket) {
      const { principal } = socket;
      if (principal === null) throw new Error('a subscription before the handshake');
      if (principal.key === null || !isExpired(principal.key, nowMs())) return principal;
      socket.close(CloseCode.Forbidden, LAPSES.expired);
      return null;
    },
  };
}

/** The values of the parameters of this name, however it is written. */
function named(parameters: Readonly<Record<string, unknown>>, wanted: string): readonly unknown[] {
  return Object.entries(parameters)
    .filter(([name]) => name.toLowerCase() === wanted)
    .map(([, value]) => value);
}
