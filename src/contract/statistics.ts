import { z } from 'zod'
import { CountedAction } from './action-outcome.ts'
import { optional, Timestamp, TimestampInput } from './field.ts'
import { TaskId } from './ids.ts'
import { limits } from './limits.ts'
import { App, TaskType, Version } from './task-fields.ts'

export const GetStatistics = z.strictObject({
  from: optional(
    TimestampInput.meta({
      description: 'Counted from the start of this day, UTC. Default: 29 days before `to`.',
    }),
  ),
  to: optional(
    TimestampInput.meta({ description: 'Counted until the end of this day, UTC. Default: today.' }),
  ),
  app: optional(App),
  type: optional(TaskType),
  version: optional(Version),
  person: optional(z.string().max(limits.email)).meta({
    description: 'Only tasks with this email address as handledBy.',
  }),
})
export type GetStatistics = z.infer<typeof GetStatistics>

const Day = z.iso.date()
const Share = z.object({
  count: z.int(),
  n: z.int(),
  share: z.number(),
  low: z.number().meta({ description: 'Lower end of the 95 % interval (Wilson).' }),
  high: z.number(),
})

/** `count` tasks of `n` were answered in time. */
const InTime = Share.extend({
  late: z.int(),
  expired: z.int().meta({
    description: 'Tasks that nobody answered by their deadline: they expired, or were answered by timeout.',
  }),
})

/** The shares in time are based on at most this many tasks, the newest ones. */
export const maxTimedTasks = 10_000

const Agreed = Share.extend({
  alpha: z.number().nullable().meta({
    description:
      "Krippendorff's alpha for nominal data: 1 is full agreement, 0 what chance would give. null if all values are equal.",
  }),
})

const EditCounts = z.object({ unchanged: z.int(), light: z.int(), heavy: z.int() }).optional().meta({
  description:
    'Answers with fields that were prefilled from the context, by how much of their text was changed: light is less than 20 %. Left out if there are none.',
})

export const VersionStatistics = Share.extend({
  version: z.string(),
  firstDay: Day,
  lastDay: Day,
  isNewest: z.boolean(),
  edits: EditCounts,
  verdict: z.enum(['worse', 'better', 'no-difference', 'too-few']),
  chance: z
    .number()
    .optional()
    .meta({ description: 'p value against all other versions, corrected by Holm.' }),
  detectable: z.number().optional().meta({
    description:
      'With the verdict no-difference: the smallest difference of shares that would have been detected (power 80 %).',
  }),
})

export const PairStatistics = z.object({
  app: z.string(),
  type: z.string(),
  answers: z.int(),
  timeouts: z.int(),
  rules: z.int(),
  positive: z.int(),
  neutral: z.int(),
  negative: Share,
  health: z.enum(['healthy', 'not-healthy', 'too-few']),
  analyzedAt: Timestamp.optional().meta({
    description:
      'The end of the feedback analysis that decided `health`. Left out with the filters version and person, and if no analysis of the last 30 days was completed: the newest version decides then.',
  }),
})

const Quote = z.object({ taskId: TaskId, text: z.string() })

/**
 * Statistics about answers in a period. Lists of actions, people, and apps and types contain only
 * the most frequent ones.
 */
export const Statistics = z.object({
  from: Day,
  to: Day,
  answers: z.int().meta({
    description: 'Answers by people. Answers by timeout and by rules are counted separately.',
  }),
  timeouts: z.int(),
  rules: z.int().meta({ description: 'Answers by standing rules.' }),
  negative: Share,
  edits: EditCounts,
  medianSeconds: z.number().nullable(),
  p90Seconds: z.number().nullable(),
  open: z.object({
    count: z.int(),
    hasMore: z.boolean().meta({ description: 'True when there are more than could be counted quickly.' }),
    oldestAt: Timestamp.optional(),
  }),
  actions: z.array(CountedAction),
  days: z.array(
    z.object({
      day: Day,
      answers: z.int(),
      timeouts: z.int(),
      rules: z.int(),
      negative: z.int(),
      medianSeconds: z.number().nullable(),
      p90Seconds: z.number().nullable(),
      byAction: z
        .array(z.int())
        .meta({ description: 'One count per entry of `actions`, in the same order.' }),
      otherActions: z.int(),
    }),
  ),
  timesToAnswer: z.array(z.object({ fromSeconds: z.number(), toSeconds: z.number(), count: z.int() })),
  pairs: z.array(PairStatistics),
  inTime: z
    .object({
      tasks: InTime,
      pairs: z.array(InTime.extend({ app: z.string(), type: z.string() })),
      groups: z.array(InTime.extend({ group: z.string(), name: z.string() })).meta({
        description:
          'The group that a task was assigned to when it ended, and the groups that its review names. A task may count for several.',
      }),
      people: z.array(Share.extend({ person: z.string() })).meta({
        description:
          'How often each person gave their answer in time, also if several were needed. With the filter person, only theirs.',
      }),
      hasMore: z.boolean().meta({
        description: `True when there were more than ${maxTimedTasks} tasks in the period. Older ones are not counted.`,
      }),
    })
    .optional()
    .meta({
      description:
        'How many of the tasks with a target time were answered in time, among those that people answered and those that reached their deadline. Left out if there are none.',
    }),
  people: z.array(z.object({ person: z.string(), answers: z.int() })),
  versions: z
    .array(VersionStatistics)
    .meta({ description: 'Newest first. Only with the filters app and type.' }),
  details: z
    .object({
      actions: z
        .array(CountedAction)
        .meta({ description: 'The same as `actions`, but up to 50 instead of 8.' }),
      basedOn: z.int().meta({ description: 'How many of `answers` these details cover, the newest ones.' }),
      // The form fields of the actions that have options or numbers. (`questions` of a task are others:
      // what people ask the agent.)
      questions: z.array(
        z.object({
          actionId: z.string(),
          actionTitle: z.string(),
          field: z.string(),
          title: z.string(),
          answers: z.int(),
          choices: z.array(z.object({ label: z.string(), count: z.int() })).optional(),
          numbers: z
            .object({ lowest: z.number(), median: z.number(), highest: z.number(), mean: z.number() })
            .optional(),
        }),
      ),
      comparisons: z.array(
        z.object({
          field: z.string(),
          property: z.string(),
          decided: z.int(),
          ties: z.int(),
          candidates: z.array(
            Share.extend({
              name: z.string(),
              expected: z.number(),
              wins: z.boolean().meta({
                description:
                  'Whether it wins significantly more often than by chance, at the 5 % level corrected for the number of candidates.',
              }),
            }),
          ),
          position: z.discriminatedUnion('known', [
            z.object({
              known: z.literal(false),
              why: z.enum(['too-few', 'order-never-changed', 'order-not-random']),
            }),
            z.object({
              known: z.literal(true),
              n: z.int(),
              firstWins: z.int(),
              expected: z.number(),
              chance: z.number(),
              isBiased: z.boolean(),
            }),
          ]),
        }),
      ),
      agreement: z
        .object({
          action: Agreed,
          fields: z.array(Agreed.extend({ title: z.string(), actionTitle: z.string() })).meta({
            description: 'Choice fields, for tasks whose first two answers chose the same action.',
          }),
          people: z.array(Share.extend({ person: z.string() })).meta({
            description:
              'How often each person chose the most frequent action of a task. Tasks with a tie are not counted.',
          }),
        })
        .optional()
        .meta({
          description:
            'About the newest 1,000 tasks with at least two answers and a review whose onDecline is collect: action and fields compare the first two answers to each task, people counts all answers. Left out if there are no such tasks, and with the filter person.',
        }),
      reasonsAreTested: z.boolean().meta({
        description:
          'False: there are too few texts on negative or on other answers to compare them, so reasons are only counted.',
      }),
      reasons: z.array(
        z.object({
          terms: z.array(z.string()),
          negative: z.int(),
          negativeTexts: z.int(),
          others: z.int(),
          otherTexts: z.int(),
          quotes: z.array(Quote),
        }),
      ),
    })
    .optional()
    .meta({ description: 'Only with the filters app and type.' }),
})
export type Statistics = z.infer<typeof Statistics>
