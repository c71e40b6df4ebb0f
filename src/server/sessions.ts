/** What stays open on the strength of an API key: feeds, sockets, claims that wait. Each is ended when the key lapses. */
import { LAPSES } from '../auth/authenticate.ts';
import type { KeyRing, Lapse } from '../auth/key-ring.ts';
import type { Principal, PrincipalKey } from '../auth/principal.ts';

/** Told once, with the words for whoever holds the key. */
export type OnLapse = (message: string) => void;
/** Has `onLapse` called when the principal may no longer do anything, until the function that is answered is called. */
export type Watch = (principal: Principal, onLapse: OnLapse) => () => void;

interface Session {
  readonly key: PrincipalKey;
  readonly onLapse: OnLapse;
}

const NOTHING = (): void => {};

export class Sessions {
  readonly #ring: KeyRing;
  readonly #open = new Set<Session>();

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  readonly watch: Watch = ({ key }, onLapse) => {
    if (key === null) return NOTHING;
    const session: Session = { key, onLapse };
    this.#open.add(session);
    return () => void this.#open.delete(session);
  };

  /** Ends those whose time is over. */
  endExpired(nowMs: number): void {
    for (const session of this.#open) if (isExpired(session.key, nowMs)) this.#end(session, 'expired');
  }

  /** Looks at every key again, after something changed. */
  async endLapsed(): Promise<void> {
    for (const sessions of this.#byKey()) {
      const [first] = sessions;
      const known = first === undefined ? null : await this.#ring.find(first.key);
      const lapse = known === null ? 'revoked' : this.#ring.lapseOf(known);
      if (lapse !== null) for (const session of sessions) this.#end(session, lapse);
    }
  }

  #byKey(): Iterable<readonly Session[]> {
    return Map.groupBy(this.#open, ({ key }) => `${key.tenant} ${key.id}`).values();
  }

  #end(session: Session, lapse: Lapse): void {
    if (this.#open.delete(session)) session.onLapse(LAPSES[lapse]);
  }
}

/** Whether the key is over by time alone. */
export function isExpired({ expiresAtMs }: PrincipalKey, nowMs: number): boolean {
  return expiresAtMs !== null && expiresAtMs <= nowMs;
}
