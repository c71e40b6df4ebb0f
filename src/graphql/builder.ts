/**
 * The schema builder and what its fields are made of: the context, the scalars and the defaults. Output fields are
 * non-null and inputs optional unless they say otherwise. Instants are epoch milliseconds inside.
 */
import SchemaBuilder from '@pothos/core';
import type { GraphQLContext } from './context.ts';

export interface SchemaTypes {
  Context: GraphQLContext;
  DefaultFieldNullability: false;
  DefaultInputFieldRequiredness: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: number; Output: number };
    JSON: { Input: unknown; Output: unknown };
    JSONObject: { Input: unknown; Output: unknown };
    EventCursor: { Input: string; Output: string };
  };
}

export const builder = new SchemaBuilder<SchemaTypes>({ defaultFieldNullability: false });
