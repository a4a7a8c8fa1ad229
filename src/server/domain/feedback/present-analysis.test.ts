import { expect, test } from 'vitest'
import { complete } from '../../lib/event-loop.ts'
import { judgeCurrentVersion } from './current-version.ts'
import { tabulate } from './factor-tests.ts'
import type { Observation } from './observation.ts'
import { describeTooFew } from './present-analysis.ts'

/** Newest first. */
const answersOf = (...versions: [version: string, n: number, negative: number][]): Observation[] =>
  versions
    .flatMap(([version, n, negative], began) =>
      Array.from({ length: n }, (_, i) => ({
        ...{
          taskId: `${began}.${i}`,
          name: 'Refund?',
          actionId: 'x',
          version,
          createdAt: began * 1_000 + i,
          day: began,
        },
        ...{ isNegative: i < negative, isPositive: i >= negative },
        ...{ reviewer: 'mara@example.com', fields: {}, choices: [], hasContent: true },
      })),
    )
    .reverse()

const judge = (answers: Observation[]) =>
  judgeCurrentVersion(answers, complete(tabulate(answers, ['version'])))

test('the message says how many answers are missing, and what the previous version looked like', () => {
  const message = (...versions: Parameters<typeof answersOf>) => describeTooFew(judge(answersOf(...versions)))
  const few = 'Too few answers to judge'
  expect(message()).toBe(`${few}: 0 of 10 required. No changes are recommended.`)
  expect(message(['1', 9, 9])).toBe(`${few}: 9 of 10 required. No changes are recommended.`)
  expect(message(['1', 10, 10], ['2', 20, 2], ['3', 9, 9])).toBe(
    `${few} the version that runs now: 9 of 10 required. No changes are recommended. Negative answers to the previous version: 10 % (3–30 %) of 20.`,
  )
})
