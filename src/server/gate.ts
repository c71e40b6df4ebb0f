/**
 * The gate in front of execution, the same on every way in: judges what an operation demands against who asks, and then
 * lets `admit` charge for it. And what of a bad document's errors they may see.
 */
import type { DocumentNode, GraphQLError } from 'graphql';
import type { Principal } from '../auth/principal.ts';
import type { GivenVariables } from '../graphql/cost.ts';
import { type Demands, demandsOf, isSchemaHidden, operationCost, refusalOf } from '../graphql/demands.ts';
import { withoutSuggestions } from '../graphql/outcome.ts';
import { schema } from '../graphql/schema.ts';

/** Called once for each operation that may run, before it does. Answers why it may not after all, or null. */
export type Admit = (principal: Principal, cost: number) => GraphQLError | null;

export interface GateParts {
  /** Whether the schema is kept from whoever may not see it. */
  readonly production: boolean;
  /** Absent: everything is admitted. */
  readonly admit?: Admit | undefined;
}

type OperationName = string | null | undefined;

export interface Gate {
  /** Of an operation of a valid document; null where the name tells none. Worked out once while the document is kept. */
  readonly demandsOf: (document: DocumentNode, operationName: OperationName) => Demands | null;
  /** Why nothing of the operation may run, or null: then it is charged for, and runs. */
  readonly refusalOf: (demands: Demands | null, principal: Principal, variables: GivenVariables | null | undefined) => GraphQLError | null;
  /** The errors of a bad document as far as whoever asks may know the schema. */
  readonly shownErrors: (errors: readonly GraphQLError[], principal: Principal) => readonly GraphQLError[];
}

export function createGate({ production, admit }: GateParts): Gate {
  const known = new WeakMap<DocumentNode, Map<OperationName, Demands | null>>();
  return {
    demandsOf(document, operationName) {
      const ofDocument = known.get(document) ?? new Map<OperationName, Demands | null>();
      known.set(document, ofDocument);
      const demands = ofDocument.get(operationName);
      if (demands !== undefined) return demands;
      const found = demandsOf(schema, document, operationName);
      // Names that tell no operation are without number.
      if (found !== null) ofDocument.set(operationName, found);
      return found;
    },
    refusalOf(demands, principal, variables) {
      if (demands === null) return null;
      const refusal = refusalOf(demands, principal, variables, { production });
      return refusal === null && admit !== undefined ? admit(principal, operationCost(demands, variables)) : refusal;
    },
    shownErrors: (errors, principal) => (isSchemaHidden(principal, production) ? withoutSuggestions(errors) : errors),
  };
}
