/** Puts together everything between a request's parameters and its answer, for every way in. */
import { SharedFeeds } from '../feed/shared-feeds.ts';
import { SharedFigures } from '../feed/shared-figures.ts';
import { mintSecret } from '../runtime/entropy.ts';
import type { AppParts } from './app-parts.ts';
import { contextMaker } from './create-context.ts';
import { createEventStreamAnswer } from './event-stream-answer.ts';
import { createGate } from './gate.ts';
import type { GraphiqlPage } from './graphiql.ts';
import { createGraphqlHttp } from './graphql-http.ts';
import { createMask } from './graphql-pipeline.ts';
import type { Inside } from './inside.ts';
import type { Hubs } from './live-operations.ts';
import { createShortWay, type ShortWay } from './short-way.ts';
import { charging, feedOpener } from './tenant-charges.ts';

const LONG_WAY_ONLY: ShortWay = async () => false;
/** Of the 256 bits of a secret; enough that no two are alike in any log. */
const REQUEST_ID_CHARACTERS = 22;

export function createPipeline(parts: AppParts, inside: Inside, renderGraphiql: GraphiqlPage | null) {
  const { config, entropy, log, clock } = parts;
  const { store, wakeUp, metrics, limits, rules, stopping, streams } = inside;
  const mask = createMask({ log, mintId: () => mintSecret(entropy).slice(0, REQUEST_ID_CHARACTERS) });
  const hubs: Hubs = { feeds: new SharedFeeds(), figures: new SharedFigures() };
  const openFeed = feedOpener(limits);
  const openNow = limits.openNow.bind(limits);
  const createContext = contextMaker({ store, entropy, clock, wakeUp, metrics, rules, openFeed, openNow, stopping: stopping.signal });
  const gate = createGate({ production: config.environment === 'production', admit: charging(limits) });
  const yoga = createGraphqlHttp({ createContext, mask, gate, renderGraphiql });
  const live = { ...hubs, yoga, mask, gate, openFeed };
  return {
    yoga,
    live,
    shortWay: parts.shortWay === false ? LONG_WAY_ONLY : createShortWay({ yoga, createContext, mask, gate }),
    answerEventStream: createEventStreamAnswer({ ...live, streams }),
  };
}
