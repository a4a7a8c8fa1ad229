import { expect, test } from 'vitest'
import { complete } from '../../lib/event-loop.ts'
import type { AnalyzedAnswer } from '../../storage/feedback/answers.ts'
import { createFigures } from './figures.ts'
import { deriveFindings } from './findings.ts'
import { healthOf } from './health.ts'

const dayMilliseconds = 86_400_000
const start = Date.parse('2026-10-01T08:00:00Z')
const form = { type: 'object', properties: { kind: { type: 'string', enum: ['Amount', 'Tone', 'Other'] } } }
const actions = ['approve', 'reject'].map((id) => ({ id, title: id, schema: form }))

type Given = {
  day: number
  isNegative: boolean
  comment?: string
  kind?: string
  region?: string
  firstWins?: boolean
}

function row(i: number, { day, isNegative, comment, kind, region, firstWins }: Given): AnalyzedAnswer {
  const at = new Date(start + day * dayMilliseconds + i)
  const isOneShownFirst = i % 2 === 0
  return {
    taskId: `tsk_${i}`,
    name: 'Refund?',
    description: '',
    version: null,
    createdAt: at,
    endedAt: at,
    handledBy: `person-${i % 7}@example.com`,
    decidedBy: 'human',
    actionId: isNegative ? 'reject' : 'approve',
    actionTitle: isNegative ? 'reject' : 'approve',
    actions: actions.map((action) => ({
      ...action,
      schema: {
        type: 'object',
        properties: {
          ...form.properties,
          comment: { type: 'string' },
          winner: { type: 'string', enum: ['one', 'two'] },
        },
      },
    })),
    data: {
      ...(comment !== undefined && { comment }),
      ...(kind !== undefined && { kind }),
      ...(firstWins !== undefined && { winner: firstWins === isOneShownFirst ? 'one' : 'two' }),
    },
    fields: region === undefined ? {} : { 'context.region': region },
    bulkId: null,
    isContentDeleted: false,
    candidates: firstWins === undefined ? null : { drafts: [{ name: 'one' }, { name: 'two' }] },
    presented:
      firstWins === undefined ? null : { drafts: { order: isOneShownFirst ? [0, 1] : [1, 0], blind: true } },
  } as unknown as AnalyzedAnswer
}

function figuresOf(answers: Given[]) {
  const figures = createFigures()
  for (const [i, answer] of answers.entries()) figures.add(row(i, answer))
  return complete(figures.finish())
}

function kindsOf(answers: Given[]): string[] {
  const figures = figuresOf(answers)
  const health = healthOf(figures)
  return deriveFindings({ figures, health } as Parameters<typeof deriveFindings>[0], (text) => text).map(
    ({ kind }) => kind,
  )
}

/** 20 answers on each of 20 days, of which some are special. */
const answers = (
  special: (day: number) => boolean,
  answer: (isSpecial: boolean, n: number) => Partial<Given>,
) =>
  Array.from({ length: 400 }, (_, i) => {
    const day = Math.floor(i / 20)
    return { day, isNegative: i % 5 === 0, ...answer(special(day), i % 20) }
  })
const lastDay = (day: number) => day === 19
const lastDays = (day: number) => day >= 12

test('a rise that comes from one day is not claimed', () => {
  const rise = (isSpecial: boolean, n: number) => ({ isNegative: isSpecial ? n < 18 : n % 10 === 0 })
  expect(figuresOf(answers(lastDay, rise)).trend).toBeUndefined()
  expect(figuresOf(answers(lastDays, rise)).trend).toMatchObject({ direction: 'rises' })
})

test('a choice that comes from one day is not claimed', () => {
  const choice = (isSpecial: boolean, n: number) => ({
    isNegative: isSpecial ? n < 16 : n % 5 === 0,
    kind: isSpecial && n < 16 ? 'Amount' : ['Tone', 'Other'][n % 2]!,
  })
  expect(kindsOf(answers(lastDay, choice))).not.toContain('choice')
  expect(kindsOf(answers(lastDays, choice))).toContain('choice')
})

test('a theme that comes from one day is not claimed', () => {
  const other = ['Nicely written', 'The greeting was fine', 'Short enough', 'Read twice', 'As agreed']
  const theme = (isSpecial: boolean, n: number) => ({
    isNegative: isSpecial ? n < 16 : n % 5 === 0,
    comment: isSpecial && n < 16 ? 'The warehouse was flooded' : other[(n + Math.floor(n / 5)) % 5]!,
  })
  expect(figuresOf(answers(lastDay, theme)).texts.themes).toEqual([])
  expect(figuresOf(answers(lastDays, theme)).texts.themes).not.toEqual([])
})

test('a field that gets more negative answers on one day only is not claimed', () => {
  const usual = Array.from({ length: 228 }, (_, i) => ({
    day: Math.floor(i / 12),
    ...(i % 2 === 0 ? { region: 'EU', isNegative: false } : { region: 'US', isNegative: i % 4 === 1 }),
  }))
  const negative = (days: number) =>
    Array.from({ length: 300 }, (_, i) => ({ day: 19 - (i % days), region: 'EU', isNegative: true }))
  expect(figuresOf([...usual, ...negative(1)]).fieldEffects).toEqual([])
  expect(figuresOf([...usual, ...negative(19)]).fieldEffects).toMatchObject([{ value: 'EU' }])
})

test('an order that decides on one day only is not claimed', () => {
  const order = (isSpecial: boolean, n: number) => ({ firstWins: isSpecial || n % 4 < 2 })
  const positionOf = (given: Given[]) => figuresOf(given).comparisons[0]!.position
  const crowded = (days: (day: number) => boolean) => [
    ...answers(days, order),
    ...Array.from({ length: 60 }, () => ({ day: 19, isNegative: false, firstWins: true })),
  ]
  expect(positionOf(crowded(() => false))).toMatchObject({ known: true, isBiased: false })
  expect(positionOf(crowded(lastDays))).toMatchObject({ known: true, isBiased: true })
})
