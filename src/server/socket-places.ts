/** Who has a socket: how many there are in all, that have not said who they are, and of one API key. */
import { type KeyName, keyPrefix } from '../auth/api-key.ts';
import type { NetworkLimits } from './network-limits.ts';

type PlaceLimits = Pick<NetworkLimits, 'socketsMax' | 'socketsInitialisingMax' | 'socketsPerKeyMax'>;

export class SocketPlaces<Socket> {
  readonly #limits: PlaceLimits;
  readonly #taken = new Set<Socket>();
  /** In the order of their coming. */
  readonly #initialising = new Set<Socket>();
  readonly #keys = new Map<Socket, string>();
  readonly #countByKey = new Map<string, number>();

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /** False where there is no place left. */
  enter(socket: Socket): boolean {
    if (this.#taken.size >= this.#limits.socketsMax) return false;
    this.#taken.add(socket);
    this.#initialising.add(socket);
    return true;
  }

  /** The socket that has to go because so many came after it that have not said either who they are; or null. */
  evict(): Socket | null {
    if (this.#initialising.size <= this.#limits.socketsInitialisingMax) return null;
    const [oldest = null] = this.#initialising;
    if (oldest !== null) this.#initialising.delete(oldest);
    return oldest;
  }

  /**
   * Now it is known whose the socket is. False where its key has as many already, or the socket has left meanwhile; without
   * a key there is no such limit.
   */
  admit(socket: Socket, key: KeyName | null): boolean {
    this.#initialising.delete(socket);
    if (!this.#taken.has(socket)) return false;
    if (key === null) return true;
    const name = keyPrefix(key);
    const count = this.#countByKey.get(name) ?? 0;
    if (count >= this.#limits.socketsPerKeyMax) return false;
    this.#countByKey.set(name, count + 1);
    this.#keys.set(socket, name);
    return true;
  }

  leave(socket: Socket): void {
    this.#taken.delete(socket);
    this.#initialising.delete(socket);
    const name = this.#keys.get(socket);
    if (name === undefined) return;
    this.#keys.delete(socket);
    const count = (this.#countByKey.get(name) ?? 0) - 1;
    if (count > 0) this.#countByKey.set(name, count);
    else this.#countByKey.delete(name);
  }
}
