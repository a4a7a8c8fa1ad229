import { z } from 'zod'
import { JsonObject, optional, printable, Timestamp, TimestampInput } from '../field.ts'
import { RuleId, TaskId } from '../ids.ts'
import { limits } from '../limits.ts'
import { App, TaskType, Version } from '../task-fields.ts'

const Value = z.union([z.string().max(limits.ruleValue), z.number(), z.boolean()])
const Field = printable(limits.ruleField).meta({
  description: 'A field of context.data: its name, or a dotted path such as refund.amount.',
})

/** One of the conditions of a rule. All of them must hold. */
export const RuleCondition = z.discriminatedUnion('is', [
  z.strictObject({ field: Field, is: z.literal('equals'), value: Value }),
  z.strictObject({
    field: Field,
    is: z.literal('oneOf'),
    value: z.array(Value).min(1).max(limits.ruleValues),
  }),
  z.strictObject({ field: Field, is: z.enum(['atMost', 'atLeast']), value: z.number() }),
  z.strictObject({ field: Field, is: z.enum(['present', 'absent']) }),
])
export type RuleCondition = z.infer<typeof RuleCondition>

/** What a rule answers. */
const RuleAnswer = z.strictObject({
  actionId: z.string().min(1).max(limits.actionId),
  data: optional(JsonObject).meta({
    description:
      'Form data. Fields that are left out get what the form starts with: a value of the context, or the default.',
  }),
})
export type RuleAnswer = z.infer<typeof RuleAnswer>

const When = z.array(RuleCondition).max(limits.ruleConditions).meta({
  description: 'All of these must hold. An empty list matches every task of the app and type.',
})
const Versions = z.array(Version).min(1).max(limits.ruleVersions).meta({
  description:
    'Exact versions. Left out: every version, each after people have agreed with the rule often enough.',
})
const Sample = z.number().min(limits.ruleSampleMin).max(1).meta({
  description: 'Share of matching tasks that still goes to people, to whom these tasks look like any other.',
})
const AllowedDisagreement = z
  .number()
  .min(limits.allowedDisagreementMin)
  .max(limits.allowedDisagreementMax)
  .meta({
    description:
      'The share of answers by which people may disagree with the rule. It pauses once its samples show that people disagree more often.',
  })

export const RuleState = z.enum(['active', 'paused', 'ended'])
export type RuleState = z.infer<typeof RuleState>

export const PausedBecause = z
  .enum(['disagreement', 'recentChange', 'formChanged', 'untilReached', 'person'])
  .meta({
    description:
      'disagreement: people have disagreed too often since the evidence of the rule was last reset. recentChange: people have disagreed too often recently. formChanged: its answer does not fit the form that agents send now. untilReached: the time in until has passed. person: an admin or the operator paused it.',
  })
export type PausedBecause = z.infer<typeof PausedBecause>

/** What an admin sends to create a rule. */
export const CreateRule = z.strictObject({
  name: printable(limits.ruleName),
  app: optional(App).meta({ description: 'Left out: "default".' }),
  type: TaskType,
  when: optional(When),
  versions: optional(Versions),
  answer: RuleAnswer,
  sample: optional(Sample).meta({
    description: `${Sample.meta()?.description} Default: ${limits.ruleSampleDefault}.`,
  }),
  until: TimestampInput.meta({ description: `At most ${limits.ruleDays} days ahead.` }),
  allowedDisagreement: optional(AllowedDisagreement).meta({
    description: `${AllowedDisagreement.meta()?.description} Default: ${limits.allowedDisagreementDefault}.`,
  }),
})
export type CreateRule = z.infer<typeof CreateRule>

/**
 * Fields that are left out stay as they are. Sending `when`, `versions`, `answer`, `sample` or
 * `allowedDisagreement`, or resuming a paused rule, resets the evidence of the rule.
 */
export const ChangeRule = z
  .strictObject({
    name: optional(CreateRule.shape.name),
    when: optional(When),
    versions: Versions.nullable().optional().meta({
      description:
        'Exact versions. null: every version, each after people have agreed with the rule often enough.',
    }),
    answer: optional(RuleAnswer),
    sample: optional(Sample),
    until: optional(TimestampInput).meta({
      description: `At most ${limits.ruleDays} days ahead. It may be earlier than before.`,
    }),
    allowedDisagreement: optional(AllowedDisagreement),
    state: optional(RuleState).meta({
      description:
        'paused: its tasks go to people. active: resumes a paused rule and resets its evidence. ended: its tasks go to people for good.',
    }),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'Send at least one change.')
export type ChangeRule = z.infer<typeof ChangeRule>

/** A version is new to a rule until it passes (`passedAt`): only then does the rule answer its tasks. */
export const RuleVersion = z.object({
  version: z.string().meta({ description: 'Empty for tasks without a version.' }),
  agreedInRow: z.int().meta({
    description: `Answers in a row that agree with the rule. ${limits.ruleNewVersionAgreements} are needed.`,
  }),
  passedAt: Timestamp.optional().meta({
    description: 'Since this time the rule answers tasks of this version.',
  }),
  firstSeenAt: Timestamp,
})
export type RuleVersion = z.infer<typeof RuleVersion>

export const Rule = z.object({
  ruleId: RuleId,
  name: z.string(),
  app: z.string(),
  type: z.string(),
  when: z.array(RuleCondition),
  versions: z.array(z.string()).optional(),
  answer: z.object({ actionId: z.string(), actionTitle: z.string(), data: JsonObject.optional() }),
  sample: z.number(),
  until: Timestamp,
  allowedDisagreement: z.number(),
  state: RuleState,
  pausedBecause: PausedBecause.optional(),
  pausedAt: Timestamp.optional(),
  pausedBy: z.string().optional().meta({ description: 'Email address, if an admin paused it.' }),
  resting: z.boolean().meta({
    description: `true: the rule rests, because ${limits.ruleOpenSamples} samples are open or one has been open for ${limits.ruleSampleHours} hours. Meanwhile its tasks go to people.`,
  }),
  createdBy: z.string().optional().meta({ description: 'Email address. Absent: no longer a member.' }),
  createdAt: Timestamp,
  answered: z
    .object({
      total: z.int().meta({ description: 'Tasks that the rule answered.' }),
      lastDays: z.int().meta({ description: `Of these, in the last ${limits.ruleFigureDays} days.` }),
      tasksLastDays: z.int().meta({
        description: `Tasks of the app and type that were sent in the last ${limits.ruleFigureDays} days.`,
      }),
    })
    .meta({
      description: `Counting stops at ${limits.ruleFigureCount}: a figure of ${limits.ruleFigureCount} means ${limits.ruleFigureCount} or more.`,
    }),
  samples: z.object({
    open: z.int(),
    answered: z.int().meta({ description: 'Since the evidence was last reset.' }),
    agreed: z.int(),
    atLeast: z.number().meta({
      description: 'Lower end of the exact one-sided 95 % interval of the share that agrees.',
    }),
  }),
  evidence: z.object({
    life: z.number().meta({ description: `The rule pauses at ${limits.ruleLifeEvidence}.` }),
    recent: z.number().meta({ description: `The rule pauses at ${limits.ruleRecentEvidence}.` }),
  }),
  newVersions: z.array(RuleVersion).meta({ description: 'Newest first, at most 20.' }),
})
export type Rule = z.infer<typeof Rule>
/** More than `limits.rules`, so that only ended rules are left out. */
export const maxListedRules = 200
export const Rules = z.object({
  rules: z.array(Rule).meta({
    description: `All active and paused rules, then ended ones, at most ${maxListedRules} in total; each part newest first. Older ended rules are left out.`,
  }),
})
export type Rules = z.infer<typeof Rules>

/**
 * A sample that a person answered differently from the rule, that the agent revised, or that nobody
 * answered.
 */
export const RuleDisagreement = z.object({
  taskId: TaskId,
  name: z.string(),
  version: z.string().optional(),
  at: Timestamp,
  outcome: z.enum(['answered', 'cancelled', 'revised', 'expired']).meta({
    description: 'expired: it reached its deadline, also if it was answered by timeout.',
  }),
  actionTitle: z.string().optional(),
  data: JsonObject.optional(),
  handledBy: z.string().optional(),
  context: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).meta({
    description: 'The fields of the conditions, and other short fields of the context.',
  }),
  isContentDeleted: z.boolean(),
})
export type RuleDisagreement = z.infer<typeof RuleDisagreement>

export const RuleDetail = Rule.extend({
  judged: z
    .array(z.object({ at: Timestamp, agrees: z.boolean() }))
    .meta({ description: 'Samples of the current evidence, oldest first, at most the newest 1,000.' }),
  disagreements: z.array(RuleDisagreement).meta({ description: 'Newest first, at most 50.' }),
  history: z
    .array(
      z.object({
        at: Timestamp,
        action: z.string(),
        by: z.string().optional().meta({
          description: 'Email address. Absent: the service, or no longer a member.',
        }),
        details: JsonObject,
      }),
    )
    .meta({ description: 'What happened to the rule, newest first, at most 50.' }),
  answeredBeforePause: z.int().meta({
    description: 'Tasks that the rule answered in the 24 hours before it paused.',
  }),
})
export type RuleDetail = z.infer<typeof RuleDetail>

export const RulesPaused = z.object({ paused: z.int() })
export type RulesPaused = z.infer<typeof RulesPaused>

/** The fields of a rule that determine what it answers. */
export const BacktestRule = CreateRule.pick({
  app: true,
  type: true,
  when: true,
  versions: true,
  answer: true,
})
export type BacktestRule = z.infer<typeof BacktestRule>

const PastDisagreement = RuleDisagreement.pick({
  taskId: true,
  name: true,
  version: true,
  at: true,
  actionTitle: true,
  handledBy: true,
})

/** What a rule would have answered, compared with what people answered. */
export const Backtest = z.object({
  answers: z.int().meta({
    description: `Answers of people to tasks of the app and type that a rule may answer, among the newest ${limits.ruleHistory} of the last ${limits.ruleHistoryDays} days. Those given in bulk count once.`,
  }),
  otherActions: z.int().meta({
    description: 'Of these, answers to tasks with other actions than tasks have now. They are not compared.',
  }),
  matching: z.int().meta({ description: 'Of the compared ones, those that the rule would have answered.' }),
  agreed: z.int(),
  atLeast: z.number().meta({
    description: 'Lower end of the exact one-sided 95 % interval of the share that agrees.',
  }),
  perDay: z.number().meta({ description: 'Matching tasks per day.' }),
  versions: z.array(
    z.object({
      version: z.string(),
      matching: z.int(),
      agreedInRow: z.int(),
      passes: z
        .boolean()
        .meta({ description: 'true: the rule would answer tasks of this version from the start.' }),
    }),
  ),
  disagreements: z.array(PastDisagreement).meta({ description: 'Newest first, at most 100.' }),
})
export type Backtest = z.infer<typeof Backtest>

export const ListRuleSuggestions = z.strictObject({ app: optional(App), type: TaskType })
export type ListRuleSuggestions = z.infer<typeof ListRuleSuggestions>

export const RuleSuggestion = z.object({
  name: z.string(),
  when: z.array(RuleCondition),
  answer: z.object({ actionId: z.string(), actionTitle: z.string(), data: JsonObject.optional() }),
  considered: z.int().meta({ description: 'How many answers it was judged on: the newest third.' }),
  covered: z.int().meta({ description: 'Of these, those to tasks that it would have answered.' }),
  agreed: z.int().meta({ description: 'Of the covered ones, those where people answered the same.' }),
  atLeast: z.number().meta({
    description:
      'Lower end of the exact interval of agreement, corrected for the candidates that were judged.',
  }),
  candidates: z.int().meta({ description: 'How many candidates were judged.' }),
  allowedDisagreement: z.number(),
  perDay: z.number(),
  disagreements: z.array(PastDisagreement),
})
export type RuleSuggestion = z.infer<typeof RuleSuggestion>

export const RuleSuggestions = z.object({
  answers: z.int().meta({
    description: `Answers of people to tasks that have the actions of the newest task and that no rule matches, among the newest ${limits.ruleHistory} of the last ${limits.ruleHistoryDays} days. Those given in bulk count once.`,
  }),
  needed: z.int().meta({ description: 'How many answers are needed for suggestions.' }),
  suggestions: z
    .array(RuleSuggestion)
    .meta({ description: 'At most 3. The one that answers the most tasks comes first.' }),
})
export type RuleSuggestions = z.infer<typeof RuleSuggestions>
