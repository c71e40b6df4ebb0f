/** Execution by plan: worked out once for each operation of a document, for as long as the document is kept. */
import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { executePlan } from '../graphql/execute-plan.ts';
import { type OperationPlan, planOperation } from '../graphql/plan.ts';

type OperationName = string | null | undefined;

/** Replaces the executor wherever a plan answers the same. The names of a document's operations bound its plans. */
export function planPlugin(): Plugin {
  const known = new WeakMap<DocumentNode, Map<OperationName, OperationPlan | null>>();

  function planOf(schema: GraphQLSchema, document: DocumentNode, operationName: OperationName): OperationPlan | null {
    const plans = known.get(document) ?? new Map<OperationName, OperationPlan | null>();
    known.set(document, plans);
    const plan = plans.get(operationName);
    if (plan !== undefined) return plan;
    const made = planOperation(schema, document, operationName);
    if (made !== null) plans.set(operationName, made);
    return made;
  }

  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const plan = planOf(args.schema, args.document, args.operationName);
      if (plan !== null) setExecuteFn((request) => executePlan(plan, request) ?? executeFn(request));
    },
  };
}
