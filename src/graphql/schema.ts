/** The schema: the roots, and the modules that add their fields to them. */
import './scalars.ts';
import './types.ts';
import './producer.ts';
import './worker.ts';
import './operator.ts';
import './bulk.ts';
import './queue-control.ts';
import './observer.ts';
import './queue-lists.ts';
import './series.ts';
import './dead-letter-groups.ts';
import './workers.ts';
import './subscriptions.ts';
import './live-queues.ts';
import './api-keys.ts';
import './tenants.ts';
import './viewer.ts';
import './redaction.ts';
import './audit.ts';
import { type GraphQLSchema, isInputObjectType, Kind } from 'graphql';
import { builder } from './builder.ts';
import { withStatedTerms } from './stated-terms.ts';

builder.queryType({ description: 'What can be read. Every field is nullable, so that one failing field leaves its neighbours alone. Over HTTP only.' });
builder.mutationType({
  description:
    'What can be changed, one field after the other. Every field is nullable, so that one failing field leaves its neighbours alone. Over HTTP only.',
});
builder.subscriptionType({ description: 'What can be followed, over WebSocket (graphql-transport-ws) or server-sent events.' });

/**
 * Gives the payload's default, an empty object, as a literal too: printing and introspection of a custom scalar's default
 * need one, while executors still read the value.
 */
function withPrintableDefaults(built: GraphQLSchema): GraphQLSchema {
  const inputs = Object.values(built.getTypeMap()).filter(isInputObjectType);
  for (const field of inputs.flatMap((type) => Object.values(type.getFields()))) {
    if (String(field.type) === 'JSONObject!' && field.defaultValue !== undefined) field.default = { literal: { kind: Kind.OBJECT, fields: [] } };
  }
  return built;
}

export const schema = withStatedTerms(withPrintableDefaults(builder.toSchema()));
