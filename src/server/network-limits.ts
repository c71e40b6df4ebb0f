/** The limits of connections. They are values, so that a test of what only the network's own clock can end need not wait as long. */
import { LIMITS } from '../domain/limits.ts';

export interface NetworkLimits {
  readonly connectionsMax: number;
  readonly requestHeadersMsMax: number;
  readonly requestMsMax: number;
  readonly keepAliveMsMax: number;
  /** How often it is looked for requests that take too long: they are cut this much later at most. */
  readonly lookEveryMs: number;
  readonly socketsMax: number;
  readonly socketsInitialisingMax: number;
  readonly socketsPerKeyMax: number;
  readonly socketInitialiseMsMax: number;
}

export const NETWORK_LIMITS: NetworkLimits = {
  connectionsMax: LIMITS.connectionsMax,
  requestHeadersMsMax: LIMITS.requestHeadersMsMax,
  requestMsMax: LIMITS.requestMsMax,
  keepAliveMsMax: LIMITS.keepAliveMsMax,
  lookEveryMs: 5_000,
  socketsMax: LIMITS.socketsMax,
  socketsInitialisingMax: LIMITS.socketsInitialisingMax,
  socketsPerKeyMax: LIMITS.socketsPerKeyMax,
  socketInitialiseMsMax: LIMITS.socketInitialiseMsMax,
};
