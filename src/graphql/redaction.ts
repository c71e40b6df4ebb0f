/** The rules of redaction: what administrators hide, and what a reader would see of a value. */
import { z } from 'zod';
import { parseJson } from '../domain/json.ts';
import { LIMITS, NAME_PATTERN } from '../domain/limits.ts';
import { createRedaction, REDACTED, type RedactionRule, type RedactionRules, withoutHidden } from '../domain/redaction.ts';
import { parsePath } from '../domain/redaction-path.ts';
import { builder } from './builder.ts';
import type { GraphQLContext } from './context.ts';
import { VersionConflictRef } from './failures.ts';
import * as check from './inputs.ts';
import { WORDS } from './job-inputs.ts';
import { answer, memberType, wholeTenant } from './outcome.ts';
import { fewItems, needs, weighs, WEIGHTS } from './terms.ts';

const TASK = `A task, or a pattern in which \`*\` stands for any text: \`invoice.*\`. 1 to ${LIMITS.nameCharactersMax} characters.`;
const PATH =
  `Keys joined by dots, from the outermost on: \`card.number\`. \`*\` is any key or index of its level, as in \`items.*.iban\`; ` +
  `\`**\`, once at most, is any number of levels, as in \`**.password\`. \`\\\` before a dot or a star takes its meaning away. ` +
  `1 to ${LIMITS.redactionPathKeysMax} keys, ${LIMITS.redactionPathCharactersMax} characters at most.`;

const RedactionRuleRef = builder.objectRef<RedactionRule>('RedactionRule').implement({
  description: 'What is hidden in payloads, results and error details of the jobs of some tasks.',
  fields: (t) => ({
    task: t.exposeString('task', { description: TASK }),
    path: t.exposeString('path', { description: PATH }),
  }),
});

const RedactionRulesRef = builder.objectRef<RedactionRules>('RedactionRules').implement({
  description: `What the tenant hides from every reader. A value that is hidden reads \`${REDACTED}\`.`,
  fields: (t) => ({
    rules: t.expose('rules', { type: [RedactionRuleRef], extensions: fewItems(), description: 'The rules, as they were set.' }),
    version: t.exposeInt('version', { description: 'Counts the changes; 0 where nobody set any.' }),
  }),
});

const RedactionRuleInput = builder.inputType('RedactionRuleInput', {
  description: 'What to hide in payloads, results and error details of the jobs of some tasks.',
  fields: (t) => ({
    task: t.string({ required: true, description: TASK }),
    path: t.string({ required: true, description: PATH }),
  }),
});

const SetRedactionRulesInput = builder.inputType('SetRedactionRulesInput', {
  description: 'Rules in place of those that there are.',
  fields: (t) => ({
    rules: t.field({ type: [RedactionRuleInput], required: true, description: `Up to ${LIMITS.redactionRulesMax}; none hides nothing.` }),
    expectedVersion: t.int({
      description: 'The version that you read: another one answers VersionConflict. 0 is that of rules that nobody set yet. Null overwrites whatever is there.',
    }),
  }),
});

const PATTERN_CHARACTERS = /^[A-Za-z0-9._:*-]+$/;
const isTaskPattern = (text: string): boolean =>
  text.length <= LIMITS.nameCharactersMax && PATTERN_CHARACTERS.test(text) && (text.startsWith('*') || NAME_PATTERN.test(text.replaceAll('*', '-')));

const path = z.string().transform((text, context) => {
  const steps = parsePath(text);
  if (typeof steps !== 'string') return text;
  context.addIssue({ code: 'custom', continue: true, message: `must ${steps}` });
  return z.NEVER;
});
const rule = z.object({ task: z.string().refine(isTaskPattern, 'must be a task, or a pattern of one with * for any text'), path });
const rules = check.list(rule, 0, LIMITS.redactionRulesMax);
const settings = z.object({ rules, expectedVersion: check.optional(z.number()) });
const trial = z.object({ task: check.name, value: check.payload, rules: check.optional(rules) });

const SetRedactionRulesSuccessRef = builder.objectRef<{ readonly redactionRules: RedactionRules }>('SetRedactionRulesSuccess').implement({
  description: 'The rules hold: at once at this server, within half a second at others on the same database.',
  fields: (t) => ({ redactionRules: t.expose('redactionRules', { type: RedactionRulesRef, description: 'The rules, as they are now.' }) }),
});
const SetRedactionRulesResultRef = builder.unionType('SetRedactionRulesResult', {
  description: 'The answer to setRedactionRules.',
  types: [SetRedactionRulesSuccessRef, VersionConflictRef],
  resolveType: memberType('SetRedactionRulesSuccess'),
});

/** What a reader would see of the value in a job of this task. */
async function tryRedaction(given: unknown, { redaction }: GraphQLContext): Promise<unknown> {
  const { task, value, rules: own } = check.parseInput(trial, given, []);
  const rulesThatHold = own === null ? await redaction() : createRedaction(own);
  const hidden = rulesThatHold === null ? null : rulesThatHold.hiddenIn(task);
  return hidden === null ? parseJson(value) : withoutHidden(parseJson(value), hidden);
}

builder.queryFields((t) => ({
  redactionRules: t.field({
    type: RedactionRulesRef,
    nullable: true,
    extensions: needs('READ'),
    description:
      'The rules of the whole tenant, by which values are hidden from everybody but the worker that claims a job. Forbidden to keys that are restricted to queues.',
    resolve: (_root, _args, { tenants, principal }) => {
      // They name tasks, which may be of queues that the key may not see.
      if (principal.queues !== null) throw wholeTenant('Query.redactionRules');
      return tenants.redactionRules(principal.tenant);
    },
  }),
  tryRedaction: t.field({
    type: 'JSON',
    nullable: true,
    extensions: { ...needs('READ'), ...weighs(WEIGHTS.list) },
    description: 'What a reader would see of a value in a job of this task. Stores nothing.',
    args: {
      task: t.arg.string({ required: true, description: `The task of the job. ${WORDS.name}` }),
      value: t.arg({ type: 'JSON', required: true, description: `A payload, a result or the details of an error. ${WORDS.payload}` }),
      rules: t.arg({ type: [RedactionRuleInput], description: `Rules to try, up to ${LIMITS.redactionRulesMax}. Absent: those that are set.` }),
    },
    resolve: (_root, args, context) => tryRedaction(args, context),
  }),
}));

builder.mutationFields((t) => ({
  setRedactionRules: t.field({
    type: SetRedactionRulesResultRef,
    nullable: true,
    extensions: needs('ADMIN'),
    description:
      'Sets what is hidden in payloads, results and error details from now on, of jobs that are stored already too. What is stored stays as it is, ' +
      'and a claim shows its payload whole.',
    args: { input: t.arg({ type: SetRedactionRulesInput, required: true, description: 'The rules.' }) },
    resolve: async (_root, { input }, { tenants, principal }) => {
      const outcome = await tenants.setRedactionRules(principal.tenant, principal, check.parseInput(settings, input, ['input']));
      return answer(outcome.ok ? { ...outcome, value: { redactionRules: outcome.value } } : outcome);
    },
  }),
}));
